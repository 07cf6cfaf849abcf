internal import DocumentFiles
internal import DocumentGit
public import DocumentTypes
public import Foundation
internal import SystemPackage

/// Saves, lists, restores and removes the versions of documents: who does it, and by which clock.
///
/// A document's versions lie in a repository of its own, in the folder `.docversions` beside it or above it;
/// the first save makes it. Each operation opens the document's repository, holds its lock while it changes
/// something, and closes it, so any number of threads and processes may work at the same time. Whoever asks
/// for the conflicts among many documents again and again should ask the same store, or copies of it: it is
/// told by the system what has changed meanwhile.
///
/// Operations wait for the disk. From `async` code, call them through ``perform(_:)``.
public struct VersionStore: Sendable {
  /// Who edits, and on which device.
  public var identity: Identity
  /// What time it is.
  public var clock: @Sendable () -> Date
  /// How long to wait for another process that changes the same document, in seconds.
  ///
  /// That may be this one: see ``waitForMaintenance(_:)``.
  public var lockTimeout: Double = 10
  /// Which types of documents there are, besides those that a container declares.
  public var types = DocumentTypes()
  /// Whether everything is checked and nothing is changed: operations then fail as they would, and
  /// return what is there now.
  ///
  /// An exchange is refused.
  public var isDryRun = false
  /// Where long operations tell how far they are, in bytes, and learn that they shall stop.
  ///
  /// An operation sets `totalUnitCount` when it knows it. After `cancel()` it stops at the next piece, throws
  /// `CancellationError`, and leaves everything as it was.
  public var progress: OperationProgress?
  /// With which other operations it waits for the disk.
  var syncGroup: SyncGroup?
  /// What killed processes left in the folders of documents, where many are opened.
  var leftovers: TemporaryItems.Listings?
  /// What it found when it looked for conflicts; copies share it.
  var conflictWatch = ConflictWatch()

  /// Makes a store.
  ///
  /// - Parameters:
  ///   - identity: who edits, and on which device; by default what the system knows.
  ///   - clock: what time it is.
  public init(
    identity: Identity = .system, clock: @escaping @Sendable () -> Date = { Date() }
  ) {
    self.identity = identity
    self.clock = clock
  }

  /// Runs operations from `async` code: on a thread of their own, so that waiting for the disk does not
  /// hold up one of Swift's.
  ///
  /// When the task is cancelled, so is the store's ``progress``.
  ///
  /// - Parameter work: gets this store, with a progress of its own where it had none.
  public func perform<Result: Sendable>(
    _ work: @escaping @Sendable (VersionStore) throws -> Result
  ) async throws -> Result {
    var store = self
    let progress = progress ?? OperationProgress()
    store.progress = progress
    return try await withTaskCancellationHandler {
      try await BlockingPool.shared.run { [store] in try work(store) }
    } onCancel: {
      progress.cancel()
    }
  }

  /// Waits until what operations of this process have left to be done in the background is done.
  ///
  /// When a document has come to many small packs, they are folded into larger ones after the operation, so that nobody
  /// waits for that. A program that ends right after an operation calls this first; otherwise what was begun
  /// is left, the next change of the document removes it, and it is begun again.
  ///
  /// - Parameter progress: when it is cancelled, what is left is given up in the same way.
  public static func waitForMaintenance(_ progress: OperationProgress? = nil) {
    Maintenance.shared.wait(progress)
  }

  // MARK: What is there

  /// The versions of a document, whether it is on disk or not.
  ///
  /// - Throws: ``VersionError`` with code `noVersions` if it was never saved.
  public func history(of document: URL) throws -> DocumentHistory {
    try reading(document) { try $0.history(for: self) }
  }

  /// The newest versions of a document, whether it is on disk or not: as quick for a hundred of 100,000 as for a
  /// hundred of a hundred.
  ///
  /// - Parameters:
  ///   - document: the document.
  ///   - most: how many versions to list at most; for 0 or less none, and the rest is told all the same.
  /// - Throws: ``VersionError`` with code `noVersions` if it was never saved.
  public func history(of document: URL, newest most: Int) throws -> DocumentHistory {
    try reading(document) { store in
      var history = try store.history(for: self, newest: max(1, most))
      if most < 1 { history.versions = [] }
      return history
    }
  }

  /// How the document on disk relates to its versions.
  ///
  /// Reads it whole, unless it has no versions.
  ///
  /// - Throws: ``FileError`` with code `unsupportedKind` for a FIFO, a socket or a device.
  public func state(of document: URL) throws -> DocumentState {
    try readingIfSaved(document) { try $0.documentState() } ?? .unsaved
  }

  /// The same, and the list of the newest versions, by one look; nil where it has no versions.
  package func stateAndHistory(
    of document: URL, newest most: Int
  ) throws -> (state: DocumentState, history: DocumentHistory)? {
    try readingIfSaved(document) { store in
      (try store.documentState(), try store.history(for: self, newest: most))
    }
  }

  /// Opens a document's store for reading; nil where it has none, but can have one.
  private func readingIfSaved<Result>(
    _ document: URL, _ body: (OpenStore) throws -> Result
  ) throws -> Result? {
    do {
      return try reading(document, body)
    } catch let error as VersionError where error.code == .noVersions {
      let location = try DocumentLocation(of: document)
      if case .other(let special) = try existing(location).kind {
        throw FileError(
          .unsupportedKind, path: location.document,
          message: """
            “\(location.document.printable)” is \(special.rawValue), and can’t be a document.
            """)
      }
      return nil
    }
  }

  /// The documents with versions below a folder, in the order of their paths.
  ///
  /// - Parameter folder: a container, or a folder inside one.
  /// - Returns: nil when the folder is in no container.
  public func documents(below folder: URL) throws -> [URL]? {
    guard let (container, documents) = try storedDocuments(below: folder) else { return nil }
    return documents.map { $0.location(in: container).url }
  }

  /// The documents with versions below a folder, and the container they are in; nil when it is in none.
  func storedDocuments(
    below folder: URL
  ) throws -> (container: FilePath, documents: [Layout.StoredDocument])? {
    guard let (folder, container) = try containerFolder(of: folder) else { return nil }
    return (
      container, try Layout.storedDocuments(in: container).below(folder, in: container)
    )
  }

  /// A folder without links, and the container it is in; nil when it is in none.
  func containerFolder(of folder: URL) throws -> (folder: FilePath, container: FilePath)? {
    let folder = try folder.filePath.resolvingLinks()
    guard let nearest = try ContainerFolder.nearest(from: folder) else { return nil }
    if nearest == folder, let outer = try ContainerFolder.nearest(from: folder.parentFolder),
      outer != folder, try DocumentLocation(of: folder).hasStore
    {
      // A package, one of whose members has the name.
      return (folder, outer)
    }
    return (folder, nearest)
  }

  // MARK: Opening

  /// Opens a document's store for reading.
  ///
  /// - Parameter body: done again where somebody moved the store meanwhile.
  func reading<Result>(_ document: URL, _ body: (OpenStore) throws -> Result) throws -> Result {
    let location = try DocumentLocation(of: document)
    return try translatingErrors(location) {
      try whereItsStoreIs(location) { try body(OpenStore(reading: $0, for: self)) }
    }
  }

  /// Opens a document's store for changes.
  func changing<Result>(_ document: URL, _ body: (OpenStore) throws -> Result) throws -> Result {
    let location = try DocumentLocation(of: document)
    return try translatingErrors(location) { try changing(location, body) }
  }

  func changing<Result>(
    _ location: DocumentLocation, _ body: (OpenStore) throws -> Result
  ) throws -> Result {
    // Who has opened it holds its lock: nobody moves it any more.
    let store = try whereItsStoreIs(location, movingIt: true) { place in
      try isDryRun
        ? OpenStore(reading: place, for: self) : OpenStore(changing: place, for: self)
    }
    do {
      return try body(store)
    } catch {
      if error.isFromSystem { store.leaveLockBehind() }
      throw error
    }
  }

  func translatingErrors<Result>(
    _ location: DocumentLocation, _ body: () throws -> Result
  ) throws -> Result {
    do {
      return try body()
    } catch let error as GitError {
      throw error.told(for: location.printable, at: location.document)
    }
  }

  /// Nil if the document is not there, or was never saved.
  func historyIfPresent(of document: URL) throws -> DocumentHistory? {
    try isPresent(document) ? historyIfSaved(of: document) : nil
  }

  /// Nil if the document was never saved; it need not be there any more.
  func historyIfSaved(of document: URL) throws -> DocumentHistory? {
    guard let location = try possibleLocation(of: document) else { return nil }
    do {
      return try history(of: document)
    } catch let error as VersionError where error.code == .noVersions {
      return nil
    } catch let error as FileError where error.code == .notFound {
      guard try !location.hasStore else { throw error }
      return nil
    }
  }

  /// Whether there is such a document on disk.
  func isPresent(_ document: URL) throws -> Bool {
    guard let location = try possibleLocation(of: document) else { return false }
    return try FileStatus.of(location.document) != nil
  }

  /// Where a document is or was; nil where not even the folder is there that it would be in.
  private func possibleLocation(of document: URL) throws -> DocumentLocation? {
    do {
      return try DocumentLocation(of: document)
    } catch let error as FileError where error.code == .notFound {
      return nil
    }
  }

  /// The status of a document that must be on disk.
  func existing(_ location: DocumentLocation) throws -> FileStatus {
    guard let status = try FileStatus.of(location.document) else {
      throw FileError(
        .notFound, path: location.document,
        message: "There is no document “\(location.document.printable)”.")
    }
    return status
  }

  func noVersions(_ location: DocumentLocation) throws -> any Error {
    _ = try existing(location)
    return location.noVersions
  }
}

extension [Layout.StoredDocument] {
  /// Those below a folder of their container.
  func below(_ folder: FilePath, in container: FilePath) -> [Layout.StoredDocument] {
    guard folder != container else { return self }
    return filter { $0.location(in: container).document.starts(with: folder) }
  }
}
