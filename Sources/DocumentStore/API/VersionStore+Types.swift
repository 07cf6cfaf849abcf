package import DocumentTypes
package import Foundation

/// Types of documents that a container declares for itself.
extension VersionStore {
  /// The types that count for a document: ``types``, and those that its container declares.
  package func types(for document: URL) async throws -> DocumentTypes {
    try await perform { try $0.types(for: document) }
  }
}
