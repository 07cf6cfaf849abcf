public import DocumentTypes
public import Foundation

/// Types of documents that a container declares for itself.
extension VersionStore {
  /// Declares types for the documents of a container.
  ///
  /// - Parameters:
  ///   - file: a property list; see ``DocumentTypes/add(declarationsIn:)``. It is copied.
  ///   - container: a folder with documents, or one inside it; it becomes a container where it is not one yet.
  /// - Returns: the declarations; the name is that of the file, with a number where that is taken. What is
  ///   declared already is left as it is.
  /// - Throws: ``FileError`` where the file is not what it should be; nothing is declared then.
  @discardableResult
  public func declareTypes(
    from file: URL, in container: URL
  ) async throws -> TypeDeclarations {
    try await perform { try $0.declareTypes(from: file, in: container) }
  }

  /// The types that a container declares, file by file in the order of their names.
  ///
  /// - Throws: ``FileError`` that names the file with which something is wrong.
  public func declaredTypes(in container: URL) async throws -> [TypeDeclarations] {
    try await perform { try $0.declaredTypes(in: container) }
  }

  /// Takes back what ``declareTypes(from:in:)`` declared.
  ///
  /// The file need not be readable.
  ///
  /// - Throws: ``FileError`` with code `notFound` where no declarations have that name.
  public func removeTypes(named name: String, in container: URL) async throws {
    try await perform { try $0.removeTypes(named: name, in: container) }
  }

  /// The types that count for a document: ``types``, and those that its container declares.
  public func types(for document: URL) async throws -> DocumentTypes {
    try await perform { try $0.types(for: document) }
  }
}
