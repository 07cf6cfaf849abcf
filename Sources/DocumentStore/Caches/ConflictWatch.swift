internal import DocumentFiles
internal import Foundation
internal import Synchronization
internal import SystemPackage

/// The container index in memory: the findings of the last search for conflicts, while the system reports every change.
///
/// It watches a folder from the second consecutive search of that folder, if the system can (see
/// ``FolderWatch``). A program that asks repeatedly then gets its answer without a search. Any other search
/// uses the ``ContainerIndex``.
final class ConflictWatch: Sendable {
  private struct State {
    /// The folder that was searched last.
    var last: FilePath?
    var watched: WatchedStores?
  }

  private let state = Mutex(State())
  private let limit: Int

  /// - Parameter limit: the greatest number of folders to watch.
  init(atMost limit: Int = .max) {
    self.limit = limit
  }

  /// True if a folder is watched.
  var isWatching: Bool { state.withLock { $0.watched != nil } }

  /// Returns the documents in conflict below a folder.
  ///
  /// - Parameters:
  ///   - folder: a path without links.
  ///   - container: the container that the folder is in.
  ///   - check: opens a document that may be in a conflict.
  /// - Returns: `nil` if each document must be checked.
  func conflicts(
    below folder: FilePath, in container: FilePath,
    checking check: @Sendable (DocumentLocation) -> ConflictStatus
  ) throws -> [URL]? {
    // A second caller does not wait for the first one.
    try state.withLockIfAvailable { state in
      defer { state.last = folder }
      guard state.last == folder else { return nil }
      let known = try state.watched?.isOf(folder, in: container) == true ? state.watched : nil
      // Stays empty if anything goes wrong.
      state.watched = nil
      guard let watched = try known ?? WatchedStores(of: folder, in: container, atMost: limit),
        let found = try watched.conflicts(checking: check)
      else { return nil }
      state.watched = watched
      return found
    } ?? nil
  }
}

/// The watched stores of the documents below a folder.
///
/// For each store, it watches the store itself and its folder of heads. Every file that determines the heads
/// is in one of these two, and replacing one of them, or a folder between them, changes one of them. It also
/// watches the folders that the stores are in.
private final class WatchedStores {
  private let folder: FilePath
  private let container: FilePath
  /// The folder with the stores.
  private let root: FileStatus
  private let watch: FolderWatch
  private var folders: Set<FolderWatch.Mark> = []
  private var owners: [FolderWatch.Mark: [UInt8]] = [:]
  private var marks: [[UInt8]: [FolderWatch.Mark]] = [:]
  private var documents: [Layout.StoredDocument] = []
  /// The stores that must be checked each time, because they aren't watched or couldn't be read.
  private var uncertain: Set<[UInt8]> = []
  private var inConflict: Set<[UInt8]> = []
  private var answer: [URL] = []

  /// Creates an instance that watches no store yet.
  ///
  /// - Returns: `nil` if the system doesn't report every change.
  init?(of folder: FilePath, in container: FilePath, atMost limit: Int) throws {
    let path = Layout.documents(of: container)
    guard let root = try FileStatus.of(path), root.kind == .folder,
      let watch = FolderWatch(from: path, atMost: limit)
    else { return nil }
    self.folder = folder
    self.container = container
    self.root = root
    self.watch = watch
  }

  /// Returns whether these are the stores of the documents below a folder, and are still in their places.
  func isOf(_ folder: FilePath, in container: FilePath) throws -> Bool {
    guard self.folder == folder, self.container == container else { return false }
    return try FileStatus.of(Layout.documents(of: container))?.isSameItem(as: root) == true
  }

  /// Returns the documents in conflict; `nil` if a change may not have been reported.
  func conflicts(checking check: @Sendable (DocumentLocation) -> ConflictStatus) throws -> [URL]? {
    guard let changed = watch.changes() else { return nil }
    var stale = uncertain
    for mark in changed {
      if let owner = owners[mark] { stale.insert(owner) }
    }
    if folders.isEmpty || !folders.isDisjoint(with: changed) {
      guard let new = try listAnew() else { return nil }
      stale = stale.union(new).intersection(documents.map(\.store))
    } else if stale.isEmpty {
      return answer
    }
    try search(documents.filter { stale.contains($0.store) }, checking: check)
    answer = documents.filter { inConflict.contains($0.store) }.map {
      $0.location(in: container).url
    }
    return answer
  }

  /// Lists the documents, and watches the folders with their stores.
  ///
  /// - Returns: the new documents; `nil` if a folder cannot be watched.
  private func listAnew() throws -> Set<[UInt8]>? {
    var found: Set<FolderWatch.Mark> = []
    var isWatched = true
    let path = Layout.documents(of: container)
    // Each folder is watched before it is listed, so no change is missed.
    let all = try Layout.storedDocuments(in: container) { inner in
      let mark = watch.add(inner)
      let status = try FileStatus.of(
        inner.split(separator: UInt8(ascii: "/")).reduce(path) { $0.appending(bytes: Array($1)) })
      if let mark, status?.device == root.device { found.insert(mark) } else { isWatched = false }
    }
    guard isWatched else { return nil }
    for mark in folders.subtracting(found) { watch.remove(mark) }
    folders = found
    documents = all.below(folder, in: container)
    let listed = Set(documents.map(\.store))
    // First, because a renamed store keeps its marks.
    for store in marks.keys where !listed.contains(store) { watch(store, by: []) }
    uncertain.formIntersection(listed)
    inConflict.formIntersection(listed)
    return listed.filter { marks[$0] == nil }
  }

  /// Watches documents, and then checks them.
  private func search(
    _ documents: [Layout.StoredDocument],
    checking check: @Sendable (DocumentLocation) -> ConflictStatus
  ) throws {
    guard !documents.isEmpty else { return }
    let search = try ConflictSearch(in: container, at: documents.count)
    for document in documents {
      let store = document.store
      if watch(store, from: search.stores) {
        uncertain.remove(store)
      } else {
        uncertain.insert(store)
      }
      inConflict.remove(store)
    }
    let findings = search.findings(among: documents)
    for place in findings.inConflict { inConflict.insert(documents[place].store) }
    for place in findings.unclear {
      let store = documents[place].store
      let found = check(documents[place].location(in: container))
      if found.isInConflict { inConflict.insert(store) }
      if !found.isLasting { uncertain.insert(store) }
    }
  }

  /// Watches a document’s store, and its folder of heads.
  ///
  /// - Returns: whether every change will be reported.
  private func watch(_ store: [UInt8], from stores: FolderReader) -> Bool {
    var new: [FolderWatch.Mark] = []
    // The store comes first: a change of the path to the references shows in it.
    if let whole = watch.add(store) { new.append(whole) }
    if stores.status(of: store, HeadPath.references)?.kind == .folder,
      stores.status(of: store, HeadPath.folder)?.device == root.device,
      let folder = watch.add(store, HeadPath.folder)
    {
      new.append(folder)
    }
    // If mounts show one folder in two places, only one of them is reported.
    let isOwn = new.allSatisfy { (owners[$0] ?? store) == store && !folders.contains($0) }
    watch(store, by: isOwn ? new : [])
    return isOwn && Set(new).count == 2
  }

  /// Sets the marks that watch a document, and drops its former ones.
  private func watch(_ store: [UInt8], by new: [FolderWatch.Mark]) {
    for mark in marks[store] ?? [] where !new.contains(mark) {
      watch.remove(mark)
      owners[mark] = nil
    }
    marks[store] = new.isEmpty ? nil : new
    for mark in new { owners[mark] = store }
  }
}
