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
  /// Whether the document was written here since its last version, even where another program has replaced that since.
  private(set) var isUnversioned = false

  /// What the file holds, until that is certainly a version, the base: another program may replace it.
  private var unkept: UnkeptContents?
  private var isKeepingLoaded = false
  /// The document's identifier, whatever its name; nil where it has no versions yet.
  private var identifier: String?
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

  /// Whether the file holds what was written here, and that is no version.
  var isAutosaved: Bool { unkept?.isWrittenHere == true }

  // MARK: Reading

  /// What was read, until the document has shown it.
  struct Reading: Sendable {
    let contents: DocumentContents
    fileprivate let disk: DiskRevision.Reading
    fileprivate let shown: FileVersion?
    fileprivate let form: DiskForm
  }

  /// Reads the file and the version that it shows.
  func read(as form: DiskForm) async throws -> Reading {
    // First: an older version than the one of the contents leads to a question at worst, a newer one would take it back.
    let shown = try await shownVersion()
    let disk = try await onDisk { [url] in try DiskRevision.read(url, as: form) }
    return Reading(contents: disk.contents, disk: disk, shown: shown, form: form)
  }

  /// Goes on from what was read: the document shows it now.
  ///
  /// - Parameter isNewer: whether another program has written it in place of what was there before; what was edited here and
  ///   is no version lives on in it.
  func accept(_ reading: Reading, isNewer: Bool) {
    disk = reading.disk.revision
    base = reading.shown
    isUnversioned = isNewer && isUnversioned
    unkept = UnkeptContents(
      reading.contents, reading.disk.bytes, reading.form, isWrittenHere: false)
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
      try DiskRevision.write(contents, to: place, as: form, replacing: nil).revision
    }
    url = place
    (changedMembers, unwanted, identifier) = (nil, nil, nil)
    base = try await store(form).save(url, asPackage: isPackage).version
    lastKept = base
    _ = try await shownVersion()
    isUnversioned = false
    unkept = nil
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
    unkept = nil
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

  /// Makes a version of what was loaded, where that is none yet, before it is replaced: the changes are made from it.
  ///
  /// It is made with the first change, and not only when the file is written: another program may write it in between.
  func keepLoaded() async throws {
    guard disk != nil, unkept?.isWrittenHere == false, try await presence() == .known else {
      return
    }
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
    unkept = nil
  }

  /// Does so once it is its turn; a failure is found again by the next save.
  func keepLoadedSoon(in lane: FileLane) {
    guard unkept?.isWrittenHere == false, !isKeepingLoaded else { return }
    isKeepingLoaded = true
    Task { [weak self] in
      do { try await lane.run { [weak self] in try await self?.keepLoaded() } } catch {}
      self?.isKeepingLoaded = false
    }
  }

  /// Makes a version of what the file held before another program replaced or removed it: what is edited here, and what
  /// the other program wrote, were made from it.
  ///
  /// - Parameter isRead: whether the other program was handed the file as it was.
  func keepFormer(isRead: Bool = false) async throws {
    guard let unkept else { return }
    try await add(unkept.contents, as: unkept.form, isRead: isRead)
    self.unkept = nil
  }

  /// Makes a version, the new base, of contents that are not in the file.
  func add(
    _ contents: DocumentContents, as form: DiskForm, isRead: Bool = false
  ) async throws {
    var form = form
    form.attributes.permissions = form.attributes.permissions ?? disk?.permissions
    let outcome = try await store.perform { [url, base, form] in
      try $0.saveFormer(of: url, base: base, isRead: isRead) {
        _ = try DiskRevision.write(contents, to: $0, as: form, replacing: nil)
      }
    }
    base = outcome.version
    try await follow(outcome, isWanted: false)
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
        recordChangedMembers(from: former, to: written.revision)
        disk = written.revision
        unkept = UnkeptContents(contents, written.bytes, form, isWrittenHere: true)
        if let package = written.revision.package { onWrite(package) }
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
    try await keepFormer()
    try await store.save(url, asPackage: present.isPackage)
    disk = present
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
      unkept = nil
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
    let present = try await onDisk { [url] () -> DiskRevision? in
      guard try known.isPresent(at: url) else { return nil }
      return try FileStatus.of(url.filePath).map { known.with($0, at: try url.filePath) }
    }
    changedMembers = nil
    guard let present else { return false }
    disk = present
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
