package import DocumentTypes
package import Foundation

/// Document types that a container declares.
extension VersionStore {
  /// Returns the types that apply to a document: ``types``, and the types that its container declares.
  package func types(for document: URL) async throws -> DocumentTypes {
    try await perform { try $0.types(for: document) }
  }
}
