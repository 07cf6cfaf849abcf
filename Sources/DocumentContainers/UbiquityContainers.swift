internal import DocumentFiles
public import DocumentStore
public import Foundation
internal import SystemPackage

/// The containers of apps on this device, which apps find by identifier (`url(forUbiquityContainerIdentifier:)`).
///
/// ```swift
/// let containers = UbiquityContainers(in: dataFolder, defaultIdentifier: "org.example.notes")
/// let container = try await containers.url(forUbiquityContainerIdentifier: nil)
/// let documents = container.appending(path: "Documents")
/// ```
///
/// Each container is a folder with its identifier as the name. The documents that the user sees are in its folder
/// `Documents`; an app may put data files beside that folder. Both have versions, and a sync covers both. Apps that use
/// the same folder and the same identifier share a container.
///
/// A container needs no service: without a remote, and while the remote can't be reached, the work stays on this
/// device, and a later sync catches up. To learn whether there is a service, use
/// `VersionStore.ubiquityIdentityToken(of:with:)`.
public struct UbiquityContainers: Sendable {
  /// The folder that holds the containers.
  public let folder: URL
  /// The identifier that stands for `nil`.
  public let defaultIdentifier: String?
  /// The maximum length of an identifier, in bytes.
  public static let maximumIdentifierLength = 255

  let store: VersionStore

  /// Describes the containers in a folder; creates nothing yet.
  ///
  /// - Parameters:
  ///   - folder: the folder that holds the containers, in a place for data of the user. It is created when it is
  ///     needed, for this user only.
  ///   - defaultIdentifier: the identifier of the app's first container.
  public init(
    in folder: URL, defaultIdentifier: String? = nil, store: VersionStore = VersionStore()
  ) {
    self.folder = folder
    self.defaultIdentifier = defaultIdentifier
    self.store = store
  }

  /// Returns the container with an identifier; the first call creates it, with its folder `Documents`.
  ///
  /// - Parameter identifier: ASCII letters, digits, hyphens and underscores, in parts with dots between them, such as
  ///   “org.example.notes”; `nil` for the default.
  /// - Throws: ``VersionError`` with code `invalidArgument` for any other identifier, and if the folder is inside
  ///   another container; ``FileError`` with code `exists` if there is a container whose identifier differs only in
  ///   case, and other codes if the container can't be created.
  public func url(forUbiquityContainerIdentifier identifier: String? = nil) async throws -> URL {
    try await store.perform { try url(forUbiquityContainerIdentifier: identifier, in: $0) }
  }

  /// Returns the identifiers of the containers that exist, in order.
  public func identifiers() async throws -> [String] {
    try await store.perform { _ in try existingIdentifiers() }
  }

  // MARK: For synchronous callers

  /// The synchronous form of ``url(forUbiquityContainerIdentifier:)``.
  package func url(
    forUbiquityContainerIdentifier identifier: String?, in store: SynchronousStore
  ) throws -> URL {
    let container = try place(of: identifier)
    try checkSpelling(of: container.lastPathComponent)
    try store.makeContainerOfItsOwn(container)
    try Folder.createInside(container.appending(path: "Documents").filePath)
    return container
  }

  /// Returns the container with an identifier; `nil` if it wasn't created yet.
  package func existing(_ identifier: String?) throws -> URL? {
    let container = try place(of: identifier)
    return try existingIdentifiers().contains(container.lastPathComponent) ? container : nil
  }

  /// The synchronous form of ``identifiers()``.
  package func existingIdentifiers() throws -> [String] {
    let folder = try folder.filePath
    guard try FileStatus.of(folder) != nil else { return [] }
    return try Folder.names(in: folder).compactMap { String(validating: $0, as: UTF8.self) }
      .filter { name in
        try Self.isIdentifier(name)
          && FileStatus.of(folder.appending(name).appending(StoresFolder.name))?.kind == .folder
      }
  }

  // MARK: Identifiers

  private func place(of identifier: String?) throws -> URL {
    guard let identifier = identifier ?? defaultIdentifier else {
      throw VersionError(
        .invalidArgument, document: "", message: "There is no default container here.",
        hint: "Name the identifier of a container.")
    }
    guard Self.isIdentifier(identifier) else {
      let shown = Printable.text(identifier.utf8.prefix(60))
      let more = identifier.utf8.count > 60 ? "…" : ""
      throw VersionError(
        .invalidArgument, document: "",
        message: "“\(shown)\(more)” isn’t a valid identifier of a container.",
        hint: """
          Use letters, digits, hyphens and underscores, with dots between the parts, such as org.example.notes; at most \
          \(Self.maximumIdentifierLength) bytes.
          """)
    }
    return folder.appending(path: identifier, directoryHint: .isDirectory)
  }

  /// Returns whether a text is an identifier, which is a plain file name on every file system.
  private static func isIdentifier(_ text: String) -> Bool {
    let isPlain = text.utf8.allSatisfy { byte in
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."), UInt8(ascii: "-"),
        UInt8(ascii: "_"):
        true
      default: false
      }
    }
    return isPlain && (1...maximumIdentifierLength).contains(text.utf8.count)
      && text.utf8.first != UInt8(ascii: "-")
      && text.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        .allSatisfy { !$0.isEmpty }
  }

  /// Refuses a second container if some devices can have only one of the two.
  private func checkSpelling(of identifier: String) throws {
    let folder = try folder.filePath
    guard try FileStatus.of(folder) != nil else { return }
    let other = try Folder.names(in: folder)
      .compactMap { String(validating: $0, as: UTF8.self) }
      .first { $0 != identifier && $0.lowercased() == identifier.lowercased() }
    guard let other else { return }
    throw FileError(
      .exists, path: folder.appending(identifier),
      message: """
        There is “\(Printable.text(other))” already, and “\(identifier)” differs from it only in case.
        """)
  }
}
