internal import DocumentFiles
public import Foundation
internal import SystemPackage

/// State of a document that an app keeps on this device alone, such as a scroll position or a selection.
///
/// Writing it isn't an edit: it causes no version and no conflict, and it never leaves the device. It stays with the
/// document when that is renamed. Put state that should be the same on each device into the document's contents
/// instead.
public struct PrivateState: Sendable {
  private let document: URL
  private let store: VersionStore

  /// Creates the private state of a document without reading it.
  ///
  /// - Parameters:
  ///   - document: the document at its present location.
  ///   - store: the store of its versions.
  package init(of document: URL, store: VersionStore = VersionStore()) {
    self.document = document
    self.store = store
  }

  /// Returns the bytes that were last written on this device; `nil` if there are none.
  ///
  /// - Throws: ``FileError`` if the state can't be read.
  public func read() async throws -> Data? {
    let document = document
    return try await store.perform { try Self.read(document, in: $0) }
  }

  /// Stores a state.
  ///
  /// - Parameter state: bytes in any format, up to a megabyte; `nil` to remove the state.
  /// - Returns: whether the state was stored; false if the document has no versions yet.
  /// - Throws: ``FileError`` if the state can't be written, or is too large.
  @discardableResult
  public func write(_ state: Data?) async throws -> Bool {
    let document = document
    return try await store.perform {
      try Self.write(state.map { Array($0) }, of: document, in: $0)
    }
  }

  // MARK: The file

  private static let limit = 1 << 20

  /// Reads the state of a document; `nil` if there is none.
  package static func read(_ document: URL, in store: SynchronousStore) throws -> Data? {
    try file(of: document, in: store).flatMap { try SmallFile.read($0, limit: limit) }.map {
      Data($0)
    }
  }

  private static func write(
    _ bytes: [UInt8]?, of document: URL, in store: SynchronousStore
  ) throws -> Bool {
    try RestingActivation.run(DocumentLocation(of: document))
    guard let file = try file(of: document, in: store) else { return false }
    guard let bytes else {
      try Folder.removeTree(file)
      return true
    }
    guard bytes.count <= limit else {
      throw FileError(
        .tooLarge, path: file,
        message: "A private state of \(bytes.count) bytes exceeds the limit of \(limit).")
    }
    try SmallFile.replaceCache(file, bytes, isPrivate: true)
    return true
  }

  private static func file(of document: URL, in store: SynchronousStore) throws -> FilePath? {
    let location = try DocumentLocation(of: document).followingRename(
      by: store.environment.fileClock)
    return try location.hasStore ? StoreFile.privateState.path(in: location.store) : nil
  }
}
