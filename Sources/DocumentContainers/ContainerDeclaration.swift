internal import DocumentFiles
package import DocumentStore
internal import Foundation
internal import SystemPackage

/// An app's declaration of how a container is shown to the user (an entry of `NSUbiquitousContainers`).
public struct ContainerDeclaration: Codable, Hashable, Sendable {
  /// The folders in `Documents` that are shown to the user.
  public enum FolderLevels: String, Codable, Hashable, Sendable {
    /// No folders, only the documents directly in `Documents`.
    case none = "None"
    /// Only the folders directly in `Documents`.
    case one = "One"
    /// All folders.
    case any = "Any"
  }

  private enum CodingKeys: String, CodingKey {
    case name = "NSUbiquitousContainerName"
    case isDocumentScopePublic = "NSUbiquitousContainerIsDocumentScopePublic"
    case supportedFolderLevels = "NSUbiquitousContainerSupportedFolderLevels"
  }

  /// The name that is shown to the user; `nil` for the identifier.
  public var name: String?
  /// True if programs that list containers show the documents to the user.
  public var isDocumentScopePublic: Bool
  /// The folders that they show.
  public var supportedFolderLevels: FolderLevels

  /// Creates a declaration.
  public init(
    name: String? = nil, isDocumentScopePublic: Bool = false,
    supportedFolderLevels: FolderLevels = .none
  ) {
    self.name = name
    self.isDocumentScopePublic = isDocumentScopePublic
    self.supportedFolderLevels = supportedFolderLevels
  }
}

extension UbiquityContainers {
  /// Declares how a container is shown to the user, on this device; creates the container if it doesn't exist yet.
  ///
  /// - Parameters:
  ///   - declaration: replaces an earlier one.
  ///   - identifier: the identifier of the container; `nil` for the default.
  /// - Throws: as ``url(forUbiquityContainerIdentifier:)`` does; ``FileError`` if it can't be written.
  public func declare(
    _ declaration: ContainerDeclaration, forUbiquityContainerIdentifier identifier: String? = nil
  ) async throws {
    try await store.perform {
      try declare(declaration, forUbiquityContainerIdentifier: identifier, in: $0)
    }
  }

  /// Returns the declaration of a container; `nil` if there is none, or if the container doesn't exist.
  public func declaration(
    forUbiquityContainerIdentifier identifier: String? = nil
  ) async throws -> ContainerDeclaration? {
    try await store.perform { _ in try declaration(ofExisting: identifier) }
  }

  /// The synchronous form of ``declare(_:forUbiquityContainerIdentifier:)``.
  package func declare(
    _ declaration: ContainerDeclaration, forUbiquityContainerIdentifier identifier: String?,
    in store: SynchronousStore
  ) throws {
    let container = try url(forUbiquityContainerIdentifier: identifier, in: store)
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
    try SmallFile.replace(
      ContainerFile.declaration.path(in: container.filePath),
      Array(try encoder.encode(declaration)) + [UInt8(ascii: "\n")])
  }

  /// The synchronous form of ``declaration(forUbiquityContainerIdentifier:)``.
  package func declaration(ofExisting identifier: String?) throws -> ContainerDeclaration? {
    guard let container = try existing(identifier) else { return nil }
    let file = ContainerFile.declaration.path(in: try container.filePath)
    guard let bytes = try SmallFile.read(file) else { return nil }
    do {
      return try JSONDecoder().decode(ContainerDeclaration.self, from: Data(bytes))
    } catch {
      throw FileError(
        .damaged, path: file, message: "“\(file.printable)” is no declaration of a container.")
    }
  }
}
