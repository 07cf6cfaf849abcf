internal import DocumentFiles
internal import DocumentStore
internal import DocumentSync
internal import DocumentTypes
internal import Foundation
internal import Synchronization
internal import SystemPackage

/// An observed folder with its subfolders, which reports the changed documents.
///
/// A package counts as one document; items that the rules ignore don't count.
final class ObservedTree: Sendable {
  /// The items that were found in a folder, or that have changed there.
  struct Found: Sendable {
    /// Files and packages that may be documents.
    var documents: Set<FilePath> = []
    /// Files with the names of conflicted copies, each with its document, or the document of its member.
    var copies: [FilePath: FilePath] = [:]
    /// Files and folders that can't become documents because of their names.
    var unnameable: Set<FilePath> = []
    /// Folders that can’t be read.
    var unreadable: Set<FilePath> = []
    /// Documents with versions, and folders, that have disappeared.
    var gone: Set<FilePath> = []
    /// All paths at which something was reported and nothing is left.
    var left: Set<FilePath> = []
    /// Folders whose file system was unmounted.
    var unmounted: Set<FilePath> = []
    /// The number of files and folders that are left out.
    var ignored = 0
    /// True if everything may have changed.
    var isEverything = false
  }

  private struct Place: Sendable {
    let rules: IgnoreRules
    /// The package that the folder is or belongs to.
    let package: FilePath?
    /// The status of the folder before it was observed; another folder may get its path.
    let status: FileStatus?
    let observation: Result<FolderObserver.Observation, FolderObserver.Obstacle>
  }

  private struct State: Sendable {
    var places: [FilePath: Place] = [:]
    /// The changed members, by their folders.
    var touched: [FilePath: Set<[UInt8]>] = [:]
    var isLost = false
    var mounts: FolderObserver.Observation?
    /// True if a file system was mounted or unmounted.
    var hasMounts = false
    /// The folders on a file system other than that of their parents, including those unmounted since.
    var mountPoints: [FilePath: MountPoint] = [:]
  }

  private struct MountPoint {
    var isMounted = true

    /// Returns whether a folder is on a different file system than its parent.
    static func isAt(_ folder: FilePath) throws -> Bool {
      let status = try FileStatus.of(folder)
      return try status?.kind == .folder
        && FileStatus.of(folder.parentFolder).map { $0.device != status?.device } ?? false
    }
  }

  private let state = Mutex(State())
  private let store: SynchronousStore
  let top: FilePath
  /// The signal that is sent after a change.
  let signal: ChangeSignal

  init(_ top: FilePath, in store: SynchronousStore, signaling signal: ChangeSignal) {
    self.top = top
    self.store = store
    self.signal = signal
  }

  /// The reason why the system doesn't report every change in all folders; nil if it does.
  var obstacle: FolderObserver.Obstacle? {
    state.withLock { state in
      for place in state.places.values {
        if case .failure(let obstacle) = place.observation { return obstacle }
      }
      return nil
    }
  }

  /// True if the folder exists, and not only its empty mount point is left; blocks.
  var isThere: Bool {
    get throws {
      guard try FileStatus.of(top)?.kind == .folder else { return false }
      let wasMounted = state.withLock { $0.mountPoints[top] != nil }
      return try !wasMounted || MountPoint.isAt(top)
    }
  }

  /// Searches all folders, and observes those that aren't observed yet; blocks.
  ///
  /// - Parameter known: the documents with versions, which aren't new.
  /// - Throws: ``FileError`` if the folder, or a list of patterns, can't be read.
  func readAll(besides known: ListedDocuments?) throws -> Found {
    var found = Found()
    try checkMounts(&found)
    let former = state.withLock { state -> State in
      defer { state = State(mountPoints: state.mountPoints) }
      return state
    }
    // The observations of the former state end here, outside the lock.
    _ = consume former
    try enter(top, NewFiles.rules(for: top, in: store), package: nil, known, &found)
    // The folders of a lazily unmounted file system report nothing.
    let mounts = FolderObserver.shared.observeMounts { [weak self] in self?.touchMounts() }
    state.withLock { $0.mounts = mounts }
    if let known { found.documents = found.documents.filter { !known.contains($0) } }
    return found
  }

  /// Returns the changes since the last call; blocks.
  func takeChanges() throws -> Found {
    let (touched, isLost) = state.withLock { state in
      defer { (state.touched, state.isLost) = ([:], false) }
      return (state.touched, state.isLost)
    }
    var found = Found()
    if isLost {
      found.isEverything = true
      return found
    }
    if try checkMounts(&found) { return found }
    for (folder, names) in touched {
      guard let place = state.withLock({ $0.places[folder] }) else { continue }
      for name in names {
        if name == Array(IgnoreRules.fileName.utf8), place.package == nil {
          found.isEverything = true
          return found
        }
        let path = folder.appending(bytes: name)
        guard let status = try FileStatus.of(path) else {
          found.left.insert(path)
          if try forget(path) || isDocument(path) { found.gone.insert(path) }
          if let package = place.package { found.documents.insert(package) }
          continue
        }
        try forgetReplaced(path, by: status, &found)
        try look(at: Folder.Member(name: name, kind: status.kind), in: folder, place, nil, &found)
      }
    }
    return found
  }

  // MARK: Looking

  private func enter(
    _ folder: FilePath, _ rules: @autoclosure () throws -> IgnoreRules, package: FilePath?,
    _ known: ListedDocuments?, _ found: inout Found
  ) throws {
    try store.progress?.checkCancellation()
    guard state.withLock({ $0.places[folder] }) == nil else { return }
    let status: FileStatus?
    let observation: Result<FolderObserver.Observation, FolderObserver.Obstacle>
    let members: [Folder.Member]
    let folderRules: IgnoreRules
    do {
      status = try FileStatus.of(folder)
      // The folder is observed before it is listed, so that items created in between are reported.
      observation = FolderObserver.shared.observeOrExplain(membersOf: folder) {
        [weak self] name in
        self?.touch(name, in: folder)
      }
      members = try Folder.members(of: folder)
      folderRules = try rules()
    } catch let error as FileError {
      guard folder != top, error.isAboutOneFolder else { throw error }
      if error.code != .notFound { found.unreadable.insert(folder) }
      return
    }
    if folder != top, package == nil,
      IgnoredItem.Reason(ofFolderWith: Set(members.map(\.name))) != nil
    {
      found.ignored += 1
      return
    }
    let place = Place(
      rules: folderRules, package: package, status: status, observation: observation)
    let isMounted = try folder == top && MountPoint.isAt(top)
    state.withLock { state in
      let outer = folder == top ? status : state.places[folder.parentFolder]?.status
      if isMounted || outer?.device != status?.device { state.mountPoints[folder] = MountPoint() }
      state.places[folder] = place
    }
    let documents = package == nil ? known?.documents(in: folder) : nil
    // There may be very many members, and their names are enough.
    for member in members where member.kind != .file || documents?.contains(member.name) != true {
      try look(at: member, in: folder, place, known, &found)
    }
  }

  private func look(
    at member: Folder.Member, in folder: FilePath, _ place: Place, _ known: ListedDocuments?,
    _ found: inout Found
  ) throws {
    let path = folder.appending(bytes: member.name)
    let name = String(validating: member.name, as: UTF8.self)
    var copy = name.flatMap(ConflictedCopyName.init)
    if let package = place.package {
      found.documents.insert(package)
      if copy != nil { found.copies[path] = package }
      if member.kind == .folder {
        try enter(path, place.rules, package: package, known, &found)
      }
      return
    }
    guard name != StoresFolder.name else { return }
    guard place.rules.rule(for: [member.name], isFolder: member.kind == .folder) == nil else {
      found.ignored += 1
      return
    }
    guard let name else {
      if [.file, .folder].contains(member.kind) { found.unnameable.insert(path) }
      return
    }
    if copy == nil, member.kind == .file { copy = try CopyScan.side(name, at: path, in: store) }
    if let copy {
      found.copies[path] = folder.appending(copy.documentName)
      return
    }
    let isTooLong = ContainerPath.flaw(ofName: member.name) != nil
    switch member.kind {
    case .file where isTooLong: found.unnameable.insert(path)
    case .folder where try isTooLong && isPackage(path, name): found.unnameable.insert(path)
    case .file: found.documents.insert(try LiveDatabase.database(withPart: path) ?? path)
    case .folder where try isPackage(path, name):
      found.documents.insert(path)
      try enter(path, place.rules, package: path, known, &found)
    case .folder:
      try enter(path, place.rules.entering(member.name), package: nil, known, &found)
    case .symbolicLink, .other:
      // Saving a document that was replaced by one reports why it can't be kept.
      if try isDocument(path) { found.documents.insert(path) }
    }
  }

  private func isDocument(_ path: FilePath) throws -> Bool {
    guard String(validating: path.lastName, as: UTF8.self) != nil else { return false }
    do { return try store.hasStore(URL(filePath: path.string)) } catch let error as FileError
      where error.code == .invalidName
    {
      return false
    }
  }

  private func isPackage(_ folder: FilePath, _ name: String) throws -> Bool {
    do {
      if try store.isSavedPackage(URL(filePath: folder.string)) { return true }
    } catch let error as FileError where [.invalidName, .notFound].contains(error.code) {
      // It can't be a document, but a folder of documents; or it has disappeared in the meantime.
    } catch {
      // A folder whose store can't be read is never treated as separate documents.
      return true
    }
    return try store.isNewPackage(folder, name)
  }

  // MARK: Changes

  private func touch(_ name: [UInt8]?, in folder: FilePath) {
    state.withLock { state in
      if let name {
        state.touched[folder, default: []].insert(name)
      } else if folder == top {
        // Changes of any other folder itself are reported by its parent.
        state.isLost = true
      }
    }
    signal.send()
  }

  private func touchMounts() {
    state.withLock { $0.hasMounts = true }
    signal.send()
  }

  /// Finds subfolders that were unmounted.
  ///
  /// - Returns: whether one was mounted again; then everything may have changed.
  @discardableResult
  private func checkMounts(_ found: inout Found) throws -> Bool {
    let points = state.withLock { state in
      defer { state.hasMounts = false }
      return state.hasMounts ? state.mountPoints : [:]
    }
    for (folder, point) in points where folder != top {
      let isMounted = try MountPoint.isAt(folder)
      guard isMounted != point.isMounted else { continue }
      state.withLock { $0.mountPoints[folder]?.isMounted = isMounted }
      if isMounted {
        found.isEverything = true
      } else {
        _ = forget(folder)
        found.unmounted.insert(folder)
      }
    }
    return found.isEverything
  }

  /// Stops observing a folder in whose place there is another item by now, and finds the documents that have
  /// disappeared with it.
  private func forgetReplaced(
    _ folder: FilePath, by status: FileStatus, _ found: inout Found
  ) throws {
    guard let former = state.withLock({ $0.places[folder] }),
      former.status?.isSameItem(as: status) != true
    else { return }
    _ = forget(folder)
    for document in try store.documents(below: URL(filePath: top.string)) ?? [] {
      let path = try document.filePath
      guard path.starts(with: folder), path != folder, try FileStatus.of(path) == nil else {
        continue
      }
      found.gone.insert(path)
      found.left.insert(path)
    }
  }

  /// Stops observing a folder that has disappeared, and its subfolders.
  ///
  /// - Returns: whether the folder was observed.
  private func forget(_ folder: FilePath) -> Bool {
    let gone = state.withLock { state -> [Place] in
      guard state.places[folder] != nil else { return [] }
      let all = state.places.filter { $0.key.starts(with: folder) }
      for path in all.keys { state.places[path] = nil }
      return Array(all.values)
    }
    // Their observations end here, outside the lock.
    return !gone.isEmpty
  }
}
