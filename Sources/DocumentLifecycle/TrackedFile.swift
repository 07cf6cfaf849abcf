internal import DocumentFiles
internal import DocumentStore
internal import Foundation

/// The file of an open document, with what is known of it: what was read or written last, and the version that this was
/// made from.
///
/// All of it happens in the document's lane: one access at a time. What is on disk and not known is another program's. It
/// is never replaced before it is a version; then the document is saved as made from ``base``, beside it.
@MainActor
final class TrackedFile {
  /// The file in comparison with what is known of it.
  enum Presence { case known, changed, absent }

  let store: VersionStore
  var url: URL
  /// The file as it was read or written last; nil where it is not there yet.
  private(set) var disk: DiskRevision?
  /// The version that the contents are made from.
  private(set) var base: FileVersion?
  /// The version that was opened, or that was asked for last: the one to revert to.
  var lastKept: FileVersion?
  /// Whether the file was written here since its last version.
  private(set) var isUnversioned = false

  /// Whether what was loaded is certainly a version, the base.
  private(set) var isLoadedKept = false {
    didSet { if isLoadedKept { loaded = nil } }
  }
  private var isKeepingLoaded = false
  /// The document's identifier, whatever its name; nil where it has no versions yet.
  private var identifier: String?
  /// The bytes of the file as it was loaded, until it is certain which version that is.
  private var loaded: Data?
  /// The current version, where the document made it by itself: it becomes discardable once another one follows.
  private var unwanted: FileVersion?
  /// The members of a package that were written since its last version; nil where that is not known.
  private var changedMembers: [String]?
  /// Gets each package that was written.
  var onWrite: (PackageSnapshot) -> Void = { _ in }

  init(_ url: URL, store: VersionStore) {
    self.url = url
    self.store = store
  }

  var isPackage: Bool { disk?.isPackage == true }

  // MARK: Reading

  /// What was read, until the document has shown it.
  struct Reading: Sendable {
    let contents: DocumentContents
    fileprivate let disk: DiskRevision.Reading
    fileprivate let shown: FileVersion?
  }

  /// Reads the file and the version that it shows.
  func read(as form: DiskForm) async throws -> Reading {
    // First: an older version than the one of the contents leads to a question at worst, a newer one would take it back.
    let shown = try await shownVersion()
    let disk = try await onDisk { [url] in try DiskRevision.read(url, as: form) }
    return Reading(contents: disk.contents, disk: disk, shown: shown)
  }

  /// Goes on from what was read: the document shows it now.
  func accept(_ reading: Reading) {
    disk = reading.disk.revision
    base = reading.shown
    isUnversioned = false
    isLoadedKept = false
    loaded = reading.disk.bytes
    changedMembers = disk?.package != nil ? [] : nil
  }

  /// Compares the file with what is known of it.
  func presence() async throws -> Presence {
    guard let disk else { return .known }
    return try await onDisk { [url] in
      if try disk.isPresent(at: url) { return .known }
      return try FileStatus.of(url.filePath) == nil ? .absent : .changed
    }
  }

  /// The version that the file was made from; nil where it has none.
  private func shownVersion() async throws -> FileVersion? {
    do {
      let history = try await store.history(of: url, newest: 1)
      identifier = history.documentIdentifier
      return history.shown
    } catch let error as VersionError where error.code == .noVersions {
      return nil
    }
  }

  // MARK: Saving

  /// Makes the file, where nothing may be, with its first version.
  func create(_ contents: DocumentContents, at place: URL, as form: DiskForm) async throws {
    disk = try await onDisk {
      try DiskRevision.write(contents, to: place, as: form, replacing: nil)
    }
    url = place
    (changedMembers, unwanted, identifier) = (nil, nil, nil)
    base = try await store(form).save(url, asPackage: isPackage).version
    lastKept = base
    _ = try await shownVersion()
    isUnversioned = false
    isLoadedKept = true
    if let written = disk?.package { onWrite(written) }
  }

  /// Writes the file, and makes a version where the purpose wants one.
  ///
  /// - Parameter contents: the new contents; nil where the file has them.
  /// - Returns: the version; nil where none was made.
  @discardableResult
  func save(
    _ contents: DocumentContents?, for operation: SaveOperation, as form: DiskForm
  ) async throws -> SaveOutcome? {
    var isDiverged = false
    if let contents {
      try await keepLoaded()
      isDiverged = try await write(contents, as: form)
      if isDiverged, let version = try await loadedVersion() { base = version }
      isUnversioned = true
    }
    // Made at once where the file was changed elsewhere: until then the store takes these contents for an edit of those.
    switch operation {
    case .autosaving where !isDiverged: return nil
    case .discardableVersion where !isUnversioned: return nil
    default: break
    }
    var note: String?
    if case .version(let text) = operation { note = text }
    let outcome = try await saveVersion(note: note, isDiverged: isDiverged, in: store(form))
    base = outcome.version
    isUnversioned = false
    if identifier == nil { _ = try await shownVersion() }
    if case .version = operation { lastKept = outcome.version }
    try await follow(outcome, isWanted: outcome.version == lastKept)
    return outcome
  }

  private func saveVersion(
    note: String?, isDiverged: Bool, in store: VersionStore
  ) async throws -> SaveOutcome {
    if isDiverged, let base {
      return try await store.save(url, note: note, base: base, asPackage: isPackage)
    }
    guard let members = changedMembers, !members.isEmpty else {
      return try await store.save(url, note: note, asPackage: isPackage)
    }
    let outcome = try await store.save(url, changed: members, note: note, asPackage: isPackage)
    changedMembers = []
    return outcome
  }

  /// Makes a version of what was loaded, where that is none yet, before it is replaced (ND6): the changes are made from it.
  ///
  /// It is made with the first change, and not only when the file is written: another program may write it in between.
  func keepLoaded() async throws {
    guard disk != nil, !isLoadedKept, try await presence() == .known else { return }
    var outcome: SaveOutcome?
    var version: FileVersion?
    if try await store.state(of: url) == .unchanged {
      // It may have been made after the file was loaded.
      version = try await shownVersion()
    } else {
      outcome = try await store.save(url, asPackage: isPackage)
      version = outcome?.version
    }
    // Otherwise that may be a version of what another program has written meanwhile.
    guard let version, try await presence() == .known else { return }
    if let outcome { try await follow(outcome, isWanted: false) }
    base = version
    if lastKept == nil { lastKept = version }
    isLoadedKept = true
  }

  /// Does the same once it is its turn; a failure is found again by the next save.
  func keepLoadedSoon(in lane: FileLane) {
    guard !isLoadedKept, !isKeepingLoaded else { return }
    isKeepingLoaded = true
    Task { [weak self] in
      do { try await lane.run { [weak self] in try await self?.keepLoaded() } } catch {}
      self?.isKeepingLoaded = false
    }
  }

  /// The version with the contents that were loaded, where another program made it meanwhile; nil where that is known to
  /// be the base, or there is none.
  private func loadedVersion() async throws -> FileVersion? {
    guard let loaded else { return nil }
    return try await version(of: loaded)
  }

  /// Notes that what was written here is a version by now, where another program has made it one before it replaced the file.
  func noteKept(_ contents: DocumentContents) async throws {
    guard isUnversioned, case .data(let data) = contents, try await hasVersion(of: data) else {
      return
    }
    isUnversioned = false
  }

  private func hasVersion(of contents: Data) async throws -> Bool {
    guard try await shownVersion() != nil else { return false }
    return try await version(of: contents) != nil
  }

  private func version(of contents: Data) async throws -> FileVersion? {
    for version in try await store.history(of: url, newest: 20).versions
    where version.size == contents.count && version.hasLocalContents && !version.isPackage {
      if try await version.contents() == contents { return version }
    }
    return nil
  }

  /// Marks the version before as discardable where the document made it by itself; the current one can't be marked.
  private func follow(_ outcome: SaveOutcome, isWanted: Bool) async throws {
    if let former = unwanted, former != outcome.version,
      let version = try await FileVersion.version(
        of: url, identifier: former.persistentIdentifier, store: store)
    {
      try await version.setDiscardable(true)
    }
    let isStillUnwanted = outcome.isNew || unwanted == outcome.version
    unwanted = !isWanted && isStillUnwanted ? outcome.version : nil
  }

  /// Replaces the file.
  ///
  /// - Returns: true where it had been changed elsewhere: what was there is a version then.
  private func write(_ contents: DocumentContents, as form: DiskForm) async throws -> Bool {
    var attempts = 0
    while true {
      let (former, isMadeOfFormer) = (disk, attempts == 0)
      do {
        let written = try await onDisk { [url] in
          try DiskRevision.write(
            contents, to: url, as: form, replacing: former, isMadeOfFormer: isMadeOfFormer)
        }
        recordChangedMembers(from: former, to: written)
        disk = written
        if let package = written.package { onWrite(package) }
        return attempts > 0
      } catch let error as FileError where attempts < Self.mostAttempts && error.isAboutChange {
        attempts += 1
        try await takeFileOfOthers()
      }
    }
  }

  private static let mostAttempts = 5

  /// Makes a version of a file that was changed elsewhere; from then on it may be replaced.
  ///
  /// - Throws: ``FileError`` with code `not-found` where it was deleted: saving does not bring it back.
  private func takeFileOfOthers() async throws {
    _ = try await followMove()
    // As it is: a version of it needs no format.
    let present = try await onDisk { [url] in try DiskRevision.read(url, as: DiskForm()).revision }
    changedMembers = nil
    // What was loaded had no version: it is one now, beside the file as it is, so that the save is made from it. Another
    // program's may have become one meanwhile.
    if base == nil, let loaded, try await !hasVersion(of: loaded) { try await add(loaded) }
    try await store.save(url, asPackage: present.isPackage)
    disk = present
  }

  /// Adds contents that are not on disk any more as a version.
  private func add(_ contents: Data) async throws {
    let folder = try await FileVersion.temporaryDirectoryForNewVersion(of: url, store: store)
    let copy = folder.appending(path: url.lastPathComponent)
    try await onDisk { try contents.write(to: copy) }
    _ = try await FileVersion.add(to: url, contentsOf: copy, options: .byMoving, store: store)
    try await onDisk { try Folder.removeTree(folder.filePath) }
  }

  /// Adds to what the store has to read of a package.
  private func recordChangedMembers(from former: DiskRevision?, to written: DiskRevision) {
    guard let known = changedMembers, let before = former?.package, let after = written.package,
      let changed = after.changedMembers(since: before)
    else {
      changedMembers = nil
      return
    }
    changedMembers = known + changed
  }

  // MARK: Moving

  /// Moves or renames the file, with its versions.
  func move(to place: URL) async throws {
    let folders = [url, place].map { $0.deletingLastPathComponent().standardizedFileURL.path }
    if base != nil && folders[0] == folders[1] {
      url = try await store.rename(url, to: place.lastPathComponent).documentURL
    } else {
      try await onDisk { [url] in try DocumentWriter.move(url.filePath, to: place.filePath) }
      url = place
      if base != nil { try await store.save(place, asPackage: isPackage) }
    }
    guard try await hasArrived(), base != nil else { return }
    base = try await shownVersion()
    lastKept = base
  }

  /// Renames the file with another extension.
  func changeExtension(to suffix: String) async throws {
    guard url.pathExtension != suffix else { return }
    try await move(to: url.deletingPathExtension().appendingPathExtension(suffix))
  }

  /// Follows the file where another program has moved or renamed it.
  ///
  /// - Parameter target: the place, where that program has said it.
  /// - Returns: whether it was found elsewhere.
  func followMove(to target: URL? = nil) async throws -> Bool {
    guard let known = disk, try await presence() == .absent else { return false }
    var place = try await onDisk { [url] () -> URL? in
      if let target, try known.isPresent(at: target) { return target }
      return try known.neighbour(of: url)
    }
    if place == nil { place = try await movedPlace() }
    if place == nil { place = try await renamedPlace() }
    guard let place else { return false }
    url = place
    // At once: the store knows a moved document by its file, which the next save replaces.
    if try await hasArrived(), base != nil {
      base = try await store.save(place, asPackage: isPackage).version
      isUnversioned = false
    }
    return true
  }

  private func movedPlace() async throws -> URL? {
    do {
      return try await store.movedDocuments(among: [url]).first?.value
    } catch is VersionError {
      // It has no versions, or is in no container: its new place cannot be known.
      return nil
    }
  }

  /// The place to which another device, or another program with its own store, has renamed the document.
  private func renamedPlace() async throws -> URL? {
    guard let identifier else { return nil }
    do {
      let place = try await store.perform { [url] in
        try $0.document(identifier, inContainerOf: url)
      }
      guard let place, place.standardizedFileURL != url.standardizedFileURL else { return nil }
      return try await onDisk { try FileStatus.of(place.filePath) } == nil ? nil : place
    } catch let error as FileError where error.code == .notFound {
      // The folder has gone as well.
      return nil
    }
  }

  /// Whether the file came to its new place as it was; then this is what is known of it from now on.
  ///
  /// One that was also changed stays what is not known: the document is loaded again, or saved beside it.
  private func hasArrived() async throws -> Bool {
    guard let known = disk else { return true }
    let present = try await onDisk { [url] in
      try known.isPresent(at: url) ? FileStatus.of(url.filePath) : nil
    }
    changedMembers = nil
    guard let present else { return false }
    disk = known.with(present)
    return true
  }

  /// Makes a version where there is none yet, so that a deletion can be taken back, and deletes the document.
  func delete() async throws {
    if base == nil { base = try await store.save(url, asPackage: isPackage).version }
    try await store.delete(url)
  }

  /// The store, reporting how far it is.
  private func store(_ form: DiskForm) -> VersionStore {
    var store = store
    store.progress = store.progress ?? form.progress
    return store
  }

  /// Does blocking work elsewhere.
  private func onDisk<Result: Sendable>(
    _ work: @escaping @Sendable () throws -> Result
  ) async throws -> Result {
    try await BlockingPool.shared.run(work)
  }
}

extension FileError {
  /// Whether the file is not what was known of it.
  fileprivate var isAboutChange: Bool { [.changing, .exists, .notFound].contains(code) }
}
