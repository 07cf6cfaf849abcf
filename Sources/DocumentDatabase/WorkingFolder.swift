internal import DocumentFiles
internal import DocumentStore
internal import Foundation
internal import Synchronization
internal import SystemPackage

#if canImport(Glibc)
internal import Glibc
#else
internal import Darwin
#endif

/// The folder with the database of an open document, which survives a crash.
///
/// It is beside the document's versions, or among the system's temporary files while the document has none.
///
/// It is removed with the last reference.
final class WorkingFolder: Sendable {
  /// The state that the database is based on.
  struct Origin: Codable, Sendable, Equatable {
    /// The document's path.
    var document: String
    /// The version; nil if there was none.
    var base: FileVersion.PersistentIdentifier?
    /// The database in the document's package; nil if there was none.
    var file: Stamp?
  }

  /// The state of a file.
  struct Stamp: Codable, Sendable, Equatable {
    let inode: UInt64
    let size: Int
    let modified: Int64

    /// Reads the state of a file; nil if there is none.
    init?(of path: FilePath) throws {
      guard let status = try FileStatus.of(path) else { return nil }
      (inode, size, modified) = (status.inode, status.size, status.modified)
    }
  }

  let path: FilePath
  private let lock: FileLock
  private let isKept: Mutex<Bool>

  var database: FilePath { path.appending(DatabaseDocument.databaseName) }
  private var origin: FilePath { path.appending("origin") }
  private var edited: FilePath { path.appending("edited") }

  /// Creates a folder for a document.
  convenience init(for document: URL) throws {
    let path = try Self.parent(of: document).appending(UUID().uuidString)
    try Folder.create(path, permissions: 0o700)
    try self.init(path, isKept: false)
  }

  private init(_ path: FilePath, isKept: Bool) throws {
    lock = try FileLock(path.appending("lock"), waitingAtMost: 0)
    self.path = path
    self.isKept = Mutex(isKept)
  }

  deinit {
    guard !isKept.withLock({ $0 }) else { return }
    do { try Folder.removeTree(path) } catch {
      // It is found, and removed, the next time the document is opened.
    }
  }

  /// Leaves the folder in place, because its contents could not be kept elsewhere.
  func keep() { isKept.withLock { $0 = true } }

  /// Removes the folder with the last reference.
  func release() { isKept.withLock { $0 = false } }

  // MARK: State

  func write(_ new: Origin) throws {
    try SmallFile.replace(origin, Array(JSONEncoder().encode(new)))
  }

  func readOrigin() throws -> Origin? {
    try SmallFile.read(origin).map { try JSONDecoder().decode(Origin.self, from: Data($0)) }
  }

  /// True if the database has changes that aren't in the document.
  var isEdited: Bool {
    get throws { try FileStatus.of(edited) != nil }
  }

  func setEdited(_ isEdited: Bool) throws {
    if isEdited {
      try SmallFile.replace(edited, [])
    } else {
      try Folder.removeTree(edited)
    }
  }

  // MARK: After a crash

  /// Returns the folders of processes that ended while they had a document open, newest first; they belong to
  /// this process from then on.
  ///
  /// Folders without changes are removed.
  static func left(of document: URL) throws -> [WorkingFolder] {
    let parent = try parent(of: document)
    guard try FileStatus.of(parent) != nil else { return [] }
    let path = try document.filePath.string
    let stamp = try Stamp(of: document.databaseFile)
    var found: [(folder: WorkingFolder, modified: Int64)] = []
    for name in try Folder.names(in: parent) {
      guard let folder = try unused(parent.appending(bytes: name)) else { continue }
      guard let origin = try folder.readOrigin() else { continue }
      guard origin.document == path || stamp != nil && origin.file == stamp else { continue }
      if try folder.isEdited, let status = try FileStatus.of(folder.database) {
        found.append((folder, status.modified))
      } else {
        folder.release()
      }
    }
    return found.sorted { $0.modified > $1.modified }.map(\.folder)
  }

  /// Takes a folder over; nil if its process is still running.
  private static func unused(_ path: FilePath) throws -> WorkingFolder? {
    guard try FileStatus.of(path.appending("origin")) != nil else { return nil }
    do {
      return try WorkingFolder(path, isKept: true)
    } catch let error as FileError where [.busy, .notFound, .changing].contains(error.code) {
      return nil
    }
  }

  // MARK: Place

  private static func parent(of document: URL) throws -> FilePath {
    guard let container = container(of: document) else { return try temporaryFolder() }
    let parent = ContainerFile.openDatabases.path(in: container)
    do {
      try Folder.create(parent, permissions: 0o700)
      return parent
    } catch  where error.code == .notPermitted {
      // The document can only be viewed.
      return try temporaryFolder()
    }
  }

  private static func container(of document: URL) -> FilePath? {
    do {
      return try ItemLocation(of: document, in: SynchronousStore()).containers.first
    } catch {
      // The store reports its error as soon as something is saved.
      return nil
    }
  }

  private static func temporaryFolder() throws -> FilePath {
    let shared = try FileManager.default.temporaryDirectory.filePath
    let user = geteuid()
    let parent = shared.appending("docversions-open-databases-\(user)")
    try Folder.create(parent, permissions: 0o700)
    // Another user may have created it before.
    if let status = try FileStatus.of(parent), status.owner == user, status.permissions & 0o077 == 0
    {
      return parent
    }
    let own = shared.appending("docversions-open-databases-\(UUID().uuidString)")
    try Folder.create(own, permissions: 0o700)
    return own
  }
}

extension URL {
  /// The database in a document's package.
  var databaseFile: FilePath {
    get throws { try filePath.appending(DatabaseDocument.databaseName) }
  }
}
