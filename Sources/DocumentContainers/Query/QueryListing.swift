internal import DocumentFiles
internal import DocumentStore
internal import DocumentSync
internal import DocumentTypes
internal import Foundation
internal import Synchronization
internal import SystemPackage

/// The documents that a query finds: the last read state of the folders, and the changes reported since.
///
/// Only reported items are read again.
final class QueryListing: Sendable {
  private let query: DocumentQuery
  private let store: SynchronousStore
  let notify: (@Sendable () -> Void)?
  let reports = Mutex(Reports())
  private let state = Mutex(State())

  /// - Parameter notify: called when something may have changed; `nil` to read everything only once.
  init(
    _ query: DocumentQuery, in store: SynchronousStore, notifying notify: (@Sendable () -> Void)?
  ) {
    self.query = query
    self.store = store
    self.notify = notify
  }

  /// True if every change is reported.
  var isComplete: Bool { state.withLock { $0.isComplete } }

  // MARK: Reading

  /// Reads everything.
  ///
  /// - Returns: the documents, in no order.
  func begin() throws -> [DocumentMetadata] {
    try state.withLock { state in
      try open(&state)
      defer { state.differences = [:] }
      return state.differences.values.compactMap(\.after)
    }
  }

  /// Reads the items reported since the last update.
  func update() throws -> Differences {
    let reports = reports.withLock { reports in
      defer { reports = Reports() }
      return reports
    }
    return try state.withLock { state in
      if reports.isOfAll || !state.isComplete {
        try openAgain(&state)
      } else {
        let containers = Set(state.versions.keys)
        var members = reports.members
        if reports.isOfVersions {
          for path in try changedVersions(&state) {
            members[path.parentFolder, default: []].insert(path.lastName)
          }
        }
        for folder in reports.folders { try readAgain(folder, &state) }
        for (folder, names) in members where !reports.folders.contains(folder) {
          for name in names { try readAgain(name, of: folder, &state) }
        }
        if reports.isOfListing || containers != Set(state.versions.keys) {
          try readNotDownloaded(&state)
        }
        for change in try state.notDownloaded.changes(at: state.differences.keys) {
          state.add(change)
        }
      }
      defer { state.differences = [:] }
      return Differences(state.differences.values)
    }
  }

  private func changedVersions(_ state: inout State) throws -> Set<FilePath> {
    var changed: Set<FilePath> = []
    for container in state.versions.keys {
      do {
        changed.formUnion(try state.versions[container]?.update() ?? [])
      } catch let error as FileError where error.code == .notFound {
        // The container is being removed.
        report { $0.isOfAll = true }
      }
      if state.versions[container]?.isUnsettled == true { report { $0.isOfVersions = true } }
      if state.versions[container]?.isPolled == true { state.isComplete = false }
    }
    return changed
  }

  /// - Parameter roots: the folders to search, which have been read before; a missing one may come back.
  private func open(_ state: inout State, again roots: [FilePath]? = nil) throws {
    state.roots = try roots ?? query.searchScopes.map { try Self.withoutLinks($0.filePath) }
    for (path, url) in zip(state.roots, query.searchScopes) {
      var (around, missing) = (path.parentFolder, path)
      while try FileStatus.of(around) == nil { (around, missing) = (around.parentFolder, around) }
      state.rootObservations.append(
        observe(around, member: missing.lastName) { $0.isOfAll = true })
      // It may have been created just before.
      if missing != path, try FileStatus.of(missing) != nil { report { $0.isOfAll = true } }
      if try FileStatus.of(path)?.kind == .folder {
        try search(path, at: url, &state)
      } else {
        if roots == nil { try refuseUnlisted(path) }
        try add(path, within: URL(filePath: around.string), &state)
      }
    }
    try readNotDownloaded(&state)
  }

  /// Returns a path without links in its folders, even if they are missing.
  private static func withoutLinks(_ path: FilePath) throws -> FilePath {
    guard try FileStatus.of(path) == nil, path.lastComponent != nil else {
      return try path.resolvingLinks()
    }
    return try withoutLinks(path.parentFolder).appending(bytes: path.lastName)
  }

  /// Throws an error for an item that isn't a folder, unless it is a missing folder of listed documents.
  private func refuseUnlisted(_ path: FilePath) throws {
    let url = URL(filePath: path.string)
    do {
      if try FileStatus.of(path) == nil, try !store.documentsNotDownloaded(below: url).isEmpty {
        return
      }
    } catch is VersionError {
      // No documents are listed outside a container.
    }
    _ = try path.resolvingLinks()
    throw FileError(
      .wrongKind, path: path, message: "“\(path.printable)” is not a folder to search.")
  }

  /// Adds a folder to search, and reads it.
  private func search(_ folder: FilePath, at url: URL, _ state: inout State) throws {
    let number = try add(folder, within: url, &state)
    if query.readsEditState, let top = state.scopes[number].container {
      state.scopes[number].editStates = try state.versions[top]?.editStates(below: url) ?? [:]
    }
    try read(folder, in: number, by: NewFiles.rules(for: folder, in: store), &state)
    state.scopes[number].editStates = [:]
  }

  /// Adds a folder to search.
  ///
  /// - Parameter url: the folder, or one around it if it is missing.
  /// - Returns: the number of its scope.
  @discardableResult
  private func add(_ folder: FilePath, within url: URL, _ state: inout State) throws -> Int {
    let container = try store.container(around: url)
    let top = try container?.filePath.resolvingLinks()
    let number = state.scopes.count
    state.scopes.append(
      Scope(
        path: folder, container: top,
        types: TypesByName(try store.types(for: url.appending(path: "a")))))
    if let container, let top {
      if state.versions[top] == nil {
        state.versions[top] = try ContainerVersions(
          of: container, in: store, isNew: !state.formerContainers.contains(top),
          notifying: notify == nil ? nil : notifyOfVersions)
        observeLists(of: top, &state)
      }
      if state.versions[top]?.isPolled == true { state.isComplete = false }
    }
    return number
  }

  /// Searches a container in a folder that isn't in one.
  private func search(container folder: FilePath, _ state: inout State) {
    do {
      let url = URL(filePath: folder.string, directoryHint: .isDirectory)
      try search(folder, at: url, &state)
    } catch {
      // It belongs to another user, or is being made or removed.
      if (error as? VersionError)?.code != .foreignContainer { state.isComplete = false }
      drop(folder, &state)
    }
  }

  /// Reads the documents that are not downloaded.
  private func readNotDownloaded(_ state: inout State) throws {
    var found: [DocumentMetadata] = []
    for number in state.scopes.indices where state.scopes[number].container != nil {
      let folder = URL(filePath: state.scopes[number].path.string)
      for document in try store.documentsNotDownloaded(below: folder) {
        let type = state.scopes[number].types.type(of: document.document.lastPathComponent)
        found.append(DocumentMetadata(document, type))
      }
    }
    for change in try state.notDownloaded.set(found, fitting: query.predicate) { state.add(change) }
  }

  /// Reads everything again, and keeps the differences.
  private func openAgain(_ state: inout State) throws {
    let former =
      state.folders.values.flatMap(\.items.values).filter(\.isShown).map(\.metadata)
      + state.notDownloaded.shown
    var new = State()
    new.formerContainers = try state.formerContainers.union(state.versions.keys).filter {
      try FileStatus.of($0.appending(StoresFolder.name)) != nil
    }
    do {
      try open(&new, again: state.roots)
    } catch let error as FileError where error.code == .notFound {
      // A folder to search has disappeared just now, with its documents, or is being removed.
      new.isComplete = false
    }
    let present = new.differences.values.compactMap(\.after)
    new.differences = [:]
    for document in former { new.add(document, nil) }
    for document in present { new.add(nil, document) }
    state = new
  }

  /// Reads a folder, and the folders in it that haven't been read yet.
  ///
  /// - Parameter rules: the rules that exclude items in it.
  private func read(
    _ folder: FilePath, in scope: Int, by rules: @autoclosure () throws -> IgnoreRules,
    _ state: inout State
  ) throws {
    let isTop = state.scopes[scope].path == folder
    let status: FileStatus?
    var observation: FolderObserver.Observation?
    defer { if notify != nil, observation == nil { state.isComplete = false } }
    let members: [Folder.Member]
    let reader: FolderReader
    let folderRules: IgnoreRules
    do {
      status = try FileStatus.of(folder)
      if !isTop, state.folders[folder]?.isReplaced(by: status) == true { drop(folder, &state) }
      // Observed before it is read, so that no change is missed in between.
      observation = observe(membersOf: folder)
      members = try Folder.members(of: folder)
      reader = try FolderReader(folder)
      folderRules = try state.folders[folder]?.rules ?? rules()
    } catch let error as FileError {
      // A subfolder that can't be read contains no documents.
      guard !isTop, error.isAboutOneFolder || error.code == .unsupportedKind else { throw error }
      return drop(folder, &state)
    }
    let names = Set(members.map(\.name))
    if !isTop, let reason = IgnoredItem.Reason(ofFolderWith: names),
      !hasVersions(below: folder, state.scopes[scope], state)
    {
      guard reason == .ownVersions, state.scopes[scope].container == nil else {
        return drop(folder, &state)
      }
      return search(container: folder, &state)
    }
    var read =
      state.folders.removeValue(forKey: folder) ?? ReadFolder(scope: scope, rules: folderRules)
    (read.observation, read.status) = (observation, status)
    for (name, item) in read.items where !names.contains(name) {
      if item.isShown { state.add(item.metadata, nil) }
      read.items[name] = nil
    }
    for name in read.subfolders.subtracting(names) {
      read.subfolders.remove(name)
      drop(folder.appending(bytes: name), &state)
    }
    var new: [[UInt8]] = []
    for member in members {
      let isNew = !read.subfolders.contains(member.name)
      take(member, of: folder, into: &read, &state) { reader.status(of: member.name) }
      if isNew, read.subfolders.contains(member.name) { new.append(member.name) }
    }
    state.folders[folder] = read
    for name in new {
      try self.read(
        folder.appending(bytes: name), in: scope, by: read.rules.entering(name), &state)
    }
  }

  /// Returns whether documents below a folder have versions in the container of its scope.
  private func hasVersions(below folder: FilePath, _ scope: Scope, _ state: State) -> Bool {
    scope.container.flatMap { state.versions[$0] }?.known
      .contains { $0 != folder && $0.starts(with: folder) } == true
  }

  /// Reads a reported folder.
  private func readAgain(_ folder: FilePath, _ state: inout State) throws {
    guard let former = state.folders[folder] else { return }
    do {
      try read(folder, in: former.scope, by: former.rules, &state)
    } catch let error as FileError where error.code == .notFound {
      drop(folder, &state)
    }
  }

  /// Reads a reported member.
  private func readAgain(_ name: [UInt8], of folder: FilePath, _ state: inout State) throws {
    guard var read = state.folders.removeValue(forKey: folder) else { return }
    let path = folder.appending(bytes: name)
    let wasSubfolder = read.subfolders.contains(name)
    if let status = try FileStatus.of(path) {
      take(Folder.Member(name: name, kind: status.kind), of: folder, into: &read, &state) { status }
    } else {
      if let item = read.items.removeValue(forKey: name), item.isShown {
        state.add(item.metadata, nil)
      }
      read.subfolders.remove(name)
    }
    let isSubfolder = read.subfolders.contains(name)
    state.folders[folder] = read
    if wasSubfolder, !isSubfolder { drop(path, &state) }
    if isSubfolder {
      try self.read(path, in: read.scope, by: read.rules.entering(name), &state)
    }
  }

  /// Forgets a folder and its contents.
  private func drop(_ folder: FilePath, _ state: inout State) {
    guard let read = state.folders.removeValue(forKey: folder) else { return }
    if state.scopes[read.scope].container == folder {
      state.scopes[read.scope].container = nil
      state.versions[folder] = nil
    }
    for item in read.items.values where item.isShown { state.add(item.metadata, nil) }
    for name in read.subfolders { drop(folder.appending(bytes: name), &state) }
  }

  /// Treats a member as a document, as a folder, or as neither.
  private func take(
    _ member: Folder.Member, of folder: FilePath, into read: inout ReadFolder,
    _ state: inout State, _ status: () -> FileStatus?
  ) {
    let former = read.items[member.name]
    read.subfolders.remove(member.name)
    guard let item = item(member, of: folder, in: read, &state, status) else {
      if let former {
        if former.isShown { state.add(former.metadata, nil) }
        read.items[member.name] = nil
      }
      if member.kind == .folder, member.name != Array(StoresFolder.name.utf8),
        read.rules.rule(for: [member.name], isFolder: true) == nil
      {
        read.subfolders.insert(member.name)
      }
      return
    }
    read.items[member.name] = item
    guard former?.isShown == true || item.isShown else { return }
    let before = former?.isShown == true ? former?.metadata : nil
    let after = item.isShown ? item.metadata : nil
    if before != after { state.add(before, after) }
  }

  // MARK: Items

  /// Returns the document at a path; `nil` if the item isn't one.
  private func item(
    _ member: Folder.Member, of folder: FilePath, in read: ReadFolder, _ state: inout State,
    _ status: () -> FileStatus?
  ) -> Item? {
    guard let name = String(validating: member.name, as: UTF8.self) else { return nil }
    let scope = state.scopes[read.scope]
    let path = folder.appending(bytes: member.name)
    let versions = scope.container.flatMap { state.versions[$0] }
    let isKnown = versions?.known.contains(path) == true
    // A person didn't create the settings document.
    guard name != KeyValueDocument.name, name != StoresFolder.name else { return nil }
    let isIgnored =
      read.rules.rule(for: [member.name], isFolder: member.kind == .folder) != nil
      || ConflictedCopyName(name) != nil
    guard isKnown || !isIgnored else { return nil }
    let type = state.scopes[read.scope].types.type(of: name)
    let isPackage = member.kind == .folder
    guard member.kind == .file || isPackage && (isKnown || type.isPackage), let status = status()
    else { return nil }
    var stamp = ItemStamp(status)
    var observations: [FolderObserver.Observation?] = []
    if isPackage {
      do {
        let listing = try ItemListing(path, limits: nil)
        stamp = ItemStamp(listing)
        observations = observe(package: listing, at: path)
      } catch {
        // It has disappeared or is changing; the next report covers that.
        return nil
      }
    }
    var metadata = DocumentMetadata(
      path: path.string, name: name, size: stamp.size, contentChangeDate: stamp.date,
      contentType: type.identifier, contentTypeTree: type.tree, isPackage: isPackage,
      hasUnresolvedConflicts: versions?.isInConflict(path) == true,
      downloadingStatus: .current)
    if query.readsEditState {
      metadata.editState =
        isKnown
        ? scope.editStates[path]
          ?? ContainerVersions.editState(of: metadata.url, in: store) : .unsaved
    }
    let isShown = query.predicate.holds(of: metadata) { DocumentText.has($0, at: path) }
    return Item(
      metadata: metadata, stamp: stamp, isShown: isShown, observations: observations)
  }
}
