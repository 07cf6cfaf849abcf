internal import DocumentFiles
internal import DocumentStore
internal import Foundation
internal import SystemPackage

/// The documents of a container that have versions, and those in conflict, for a query.
///
/// Everything is read once; then the journal of changes names the documents to read again.
struct ContainerVersions {
  private let container: URL
  /// The folder that holds `.docversions`, without links.
  private let folder: FilePath
  private let store: SynchronousStore
  /// The paths of documents with versions, on disk or not.
  private(set) var known: Set<FilePath>
  private var conflicts: Set<FilePath>
  private var journal: ChangeJournal.Position?
  /// The documents that were changing when they were read.
  private var unsettled: Set<FilePath> = []
  private let observation: FolderObserver.Observation?
  private let isLive: Bool

  /// Reads the present state.
  ///
  /// - Parameters:
  ///   - isNew: whether the query finds the container for the first time.
  ///   - notify: called when versions may have changed; `nil` to read them only once.
  init(
    of container: URL, in store: SynchronousStore, isNew: Bool,
    notifying notify: (@Sendable () -> Void)?
  ) throws {
    self.container = container
    self.store = store
    let given = try container.filePath.resolvingLinks()
    folder = try ContainerFolder.nearest(from: given) ?? given
    if let notify {
      (observation, journal) = Self.follow(folder, startingJournal: isNew, notify)
    } else {
      (observation, journal) = (nil, nil)
    }
    isLive = notify != nil
    (known, conflicts) = try Self.read(container, in: store)
  }

  /// True if versions may change without a report.
  var isPolled: Bool { isLive && (observation == nil || journal == nil) }

  /// Observes the journal; `nil` if there is none, or it can't be observed.
  private static func follow(
    _ folder: FilePath, startingJournal: Bool, _ notify: @escaping @Sendable () -> Void
  ) -> (FolderObserver.Observation?, ChangeJournal.Position?) {
    do {
      if startingJournal {
        try Folder.createInside(SyncFile.folder(of: folder))
        try ChangeJournal(of: folder).begin()
      }
      let observation = FolderObserver.shared.observe(
        SyncFile.folder(of: folder), member: Array(SyncFile.changes.rawValue.utf8), notify)
      return (observation, try journalEnd(of: folder))
    } catch {
      // A container that can't be written is read again from time to time.
      return (nil, nil)
    }
  }

  /// Returns the end of the journal; `nil` if there is none.
  ///
  /// A missing journal isn't started again: the container is probably being removed.
  private static func journalEnd(of folder: FilePath) throws -> ChangeJournal.Position? {
    let journal = ChangeJournal(of: folder)
    guard try journal.end() != nil else { return nil }
    try journal.begin()
    return try journal.end()
  }

  private static func read(
    _ container: URL, in store: SynchronousStore
  ) throws -> (known: Set<FilePath>, conflicts: Set<FilePath>) {
    (
      Set(try (store.documentPaths(around: container) ?? []).map { FilePath($0) }),
      Set(try (store.documentsInConflict(below: container) ?? []).map { try $0.filePath })
    )
  }

  /// Returns whether a document at a path is in conflict.
  func isInConflict(_ path: FilePath) -> Bool { conflicts.contains(path) }

  /// True if some documents were changing when they were read.
  var isUnsettled: Bool { !unsettled.isEmpty }

  /// Reads the documents whose versions changed again.
  ///
  /// - Returns: their paths.
  mutating func update() throws -> Set<FilePath> {
    guard !isPolled, let start = journal, let end = try Self.journalEnd(of: folder),
      let changed = try ChangeJournal(of: folder).documents(from: start, to: end)
    else {
      journal = try Self.journalEnd(of: folder)
      let (known, conflicts) = try Self.read(container, in: store)
      defer { (self.known, self.conflicts) = (known, conflicts) }
      return conflicts.symmetricDifference(self.conflicts).union(
        known.symmetricDifference(self.known))
    }
    journal = end
    let paths = unsettled.union(changed.map { folder.appending($0) })
    unsettled = []
    for path in paths { ask(path) }
    return paths
  }

  private mutating func ask(_ path: FilePath) {
    do {
      let isInConflict = try DocumentHistory.isInConflict(
        URL(filePath: path.string), waitingAtMost: Self.longestWait, in: store)
      if isInConflict == nil { known.remove(path) } else { known.insert(path) }
      if isInConflict == true { conflicts.insert(path) } else { conflicts.remove(path) }
    } catch let error as FileError where error.code == .busy {
      unsettled.insert(path)
    } catch {
      // An unreadable document counts as in conflict, as in a search of all documents.
      conflicts.insert(path)
    }
  }

  /// The longest wait in seconds; a document that changes for longer is read again.
  private static let longestWait = 0.2

  /// Returns the edit states of all documents below a folder, without opening those that are certainly
  /// unchanged.
  func editStates(below folder: URL) throws -> [FilePath: EditState] {
    let unchanged = try store.unchangedDocuments(below: folder)
    let documents = unchanged?.documents ?? []
    let states = ForkJoin.map(documents.count, atMost: ForkJoin.coreCount) { [store] index in
      let document = documents[index]
      return unchanged?.versions(of: document) == nil
        ? Self.editState(of: document, in: store) : EditState.unchanged
    }
    return Dictionary(
      try zip(documents, states).compactMap { document, state in
        try state.map { (try document.filePath, $0) }
      }, uniquingKeysWith: { first, _ in first })
  }

  /// Returns the edit state of a document; `nil` if it can't be read.
  static func editState(of document: URL, in store: SynchronousStore) -> EditState? {
    do { return try store.state(of: document) } catch { return nil }
  }
}
