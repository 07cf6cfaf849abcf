internal import DocumentCoordination
internal import DocumentFiles
internal import DocumentStore
internal import Foundation

/// The file of an open document, with the contents last read or written and the version that they are based on.
///
/// All accesses run in the document's lane, one at a time.
///
/// At every moment, the store can tell the version on which the contents on disk are based, so that any program may
/// save them. The contents of this object are based on ``base``. As long as the file is in the state ``disk``, both are
/// the same, and what the object writes is an edit of what it replaces. Any other contents on disk come from others.
/// They become a version first, then the object's contents become one beside it, and only then the file is replaced.
@MainActor
final class TrackedFile {
  /// The file compared with its last known state.
  enum Presence { case known, changed, absent }

  let store: VersionStore
  var url: URL
  /// The file as last read or written; `nil` if it doesn't exist yet.
  var disk: DiskRevision?
  /// The version that the contents are based on.
  var base: FileVersion?
  /// The version to revert to: the last one that was loaded or that the app asked for; `nil` until the loaded contents
  /// are certainly a version.
  var lastKept: FileVersion?
  /// True if the document was written here since its last version, even if another program has replaced the file since.
  var isUnversioned = false
  /// True if the document was written over contents of others, and the store has not recorded it yet.
  private(set) var isBeside = false
  /// True if the file was given the extension of another type, and not yet written as that type.
  var isTypeChanged = false

  /// The file's contents until they are certainly a version, because another program may replace them.
  var unkept: UnkeptContents?
  private var isKeepingLoaded = false
  /// The document's identifier, regardless of its name; `nil` if it has no versions yet.
  private(set) var identifier: String?
  /// The current version, if the document made it automatically; it becomes discardable once another version follows.
  private var unwanted: FileVersion?
  /// The members of a package that were written since its last version; `nil` if they aren't known.
  var changedMembers: [String]?
  /// The damage for which the store can't keep versions; `nil` as far as it is known to keep them.
  var damage: VersionError?
  /// Called with each written package.
  var onWrite: (PackageSnapshot) -> Void = { _ in }

  init(_ url: URL, store: VersionStore) {
    self.url = url
    self.store = store
  }

  var isPackage: Bool { disk?.isPackage == true }

  /// True if the file's contents were written here and aren't a version.
  var isAutosaved: Bool { unkept?.isWrittenHere == true }

  // MARK: Reading

  /// Contents that were read, until the document shows them.
  struct Reading: Sendable {
    let contents: DocumentContents
    fileprivate let disk: DiskRevision.Reading
    fileprivate let shown: FileVersion?
    fileprivate let form: DiskForm
  }

  /// Reads the file and the version that it shows.
  func read(as form: DiskForm) async throws -> Reading {
    try await store.perform { [url] in try $0.refuseFolder(url) }
    // The version is read first: a version older than the contents leads to a question at worst; a newer one would
    // revert changes.
    var shown: FileVersion?
    do {
      shown = try await shownVersion()
      damage = nil
    } catch let error as VersionError where error.code == .damaged {
      damage = error
    }
    let disk = try await BlockingPool.shared.run { [url] in try DiskRevision.read(url, as: form) }
    return Reading(contents: disk.contents, disk: disk, shown: shown, form: form)
  }

  /// Continues from the contents that were read, which the document now shows.
  ///
  /// - Parameter isNewer: whether another program wrote them in place of the previous contents; they then include edits
  ///   from here that aren't a version.
  func accept(_ reading: Reading, isNewer: Bool) {
    disk = reading.disk.revision
    (base, lastKept) = (reading.shown, nil)
    isUnversioned = isNewer && isUnversioned
    isBeside = false
    unkept = UnkeptContents(
      reading.contents, reading.disk.bytes, reading.form, isWrittenHere: false)
    changedMembers = disk?.package != nil ? [] : nil
  }

  /// Returns the version that the file is based on; `nil` if there is none.
  func shownVersion() async throws -> FileVersion? {
    do {
      let history = try await store.history(of: url, newest: 1)
      identifier = history.documentIdentifier
      return history.shown
    } catch let error as VersionError where error.code == .noVersions {
      return nil
    }
  }

  // MARK: Saving

  /// Creates the file, where no item may exist, with its first version.
  func create(_ contents: DocumentContents, at place: URL, as form: DiskForm) async throws {
    disk = try await BlockingPool.shared.run {
      try DiskRevision.write(contents, to: place, as: form, replacing: nil).revision
    }
    url = place
    (changedMembers, unwanted, identifier) = (nil, nil, nil)
    base = try await store(form).save(url, asPackage: isPackage).version
    lastKept = base
    _ = try await shownVersion()
    (isUnversioned, isBeside) = (false, false)
    unkept = nil
    if let written = disk?.package { onWrite(written) }
  }

  /// Writes the file, and makes a version if the operation requires one.
  ///
  /// A damaged store only fails the versions that the app requests.
  ///
  /// - Parameters:
  ///   - contents: the new contents; `nil` if the file already has them.
  ///   - hasWritten: called when the file has the new contents.
  /// - Returns: the version; `nil` if none was made.
  @discardableResult
  func save(
    _ contents: DocumentContents?, for operation: SaveOperation, as form: DiskForm,
    hasWritten: @MainActor () -> Void = {}
  ) async throws -> SaveOutcome? {
    var note: String?
    if case .version(let text) = operation { note = text }
    var attempts = 0
    while true {
      if let contents {
        try await keepLoaded()
        try await write(contents, as: form, note: note)
        isUnversioned = true
        hasWritten()
      } else if try await presence() == .changed {
        try await keepFormer()
      }
      switch operation {
      case .autosaving where !isBeside:
        if base != nil {
          try await store.perform { [url, isOwn] in
            Saving($0.environment).recordFile(of: url, isOwn: isOwn)
          }
        }
        return nil
      case .discardableVersion where !isUnversioned: return nil
      default: break
      }
      let outcome: SaveOutcome
      do {
        outcome = try await saveVersion(note: note, in: store(form))
        damage = nil
      } catch let error as VersionError where error.code == .damaged {
        damage = error
        if case .version = operation { throw error }
        return nil
      }
      guard try await presence() != .known else {
        record(outcome.version)
        (isUnversioned, isBeside) = (false, false)
        if identifier == nil { _ = try await shownVersion() }
        if case .version = operation { lastKept = outcome.version }
        try await follow(outcome, isWanted: outcome.version == lastKept)
        return outcome
      }
      // It may be a version of contents that another program wrote in the meantime.
      attempts += 1
      guard contents == nil || attempts == Self.mostAttempts else { continue }
      if try await presence() == .changed { try await keepFormer() }
      isUnversioned = false
      return outcome
    }
  }

  /// Makes a version of the file.
  func saveVersion(note: String? = nil, in store: VersionStore) async throws -> SaveOutcome {
    let members = changedMembers.flatMap { $0.isEmpty ? nil : $0 }
    let outcome = try await store.perform { [url, isPackage, isOwn] in
      try $0.save(url, changed: members, note: note, asPackage: isPackage, isOwn: isOwn)
    }
    if members != nil { changedMembers = [] }
    return outcome
  }

  /// Makes a version of the loaded contents, if they aren't one yet, before they are replaced, because the changes are
  /// based on them.
  ///
  /// It is made at the first change, not only when the file is written, because another program may write the file in
  /// between.
  func keepLoaded() async throws {
    guard disk != nil, unkept?.isWrittenHere == false, try await presence() == .known else {
      return
    }
    try await orInCopy(of: unkept) {
      var outcome: SaveOutcome?
      var version: FileVersion?
      if try await store.state(of: url) == .unchanged {
        // The version may have been made after the file was loaded.
        version = try await shownVersion()
      } else {
        outcome = try await store.save(url, asPackage: isPackage)
        version = outcome?.version
      }
      // Otherwise, it may be a version of contents that another program wrote in the meantime.
      guard let version, try await presence() == .known else { return }
      if let outcome { try await follow(outcome, isWanted: false) }
      record(version)
    }
  }

  /// Records that the file's last known contents are a version, which is the new base.
  func record(_ version: FileVersion) {
    base = version
    if unkept?.isWrittenHere == false, lastKept == nil { lastKept = version }
    unkept = nil
  }

  /// Makes a version of contents that may be replaced; if the store is damaged, a copy of them beside the document.
  ///
  /// - Parameter contents: the contents to copy; `nil` if they are about to be in the file.
  func orInCopy(
    of contents: UnkeptContents?, _ makeVersion: @MainActor () async throws -> Void
  ) async throws {
    do {
      try await makeVersion()
      damage = nil
      return
    } catch let error as VersionError where error.code == .damaged {
      damage = error
    } catch is FileError where damage != nil {
      // The store is known to be damaged, so there may be no folder to write to.
    }
    guard let contents else { return }
    let form = withPermissions(contents.form)
    _ = try await BlockingPool.shared.run { [url] in
      try DiskRevision.writeCopy(contents.contents, beside: url, as: form)
    }
    unkept = nil
  }

  /// Does the same after earlier accesses; the next save encounters a failure again.
  func keepLoadedSoon(in lane: FileLane) {
    guard unkept?.isWrittenHere == false, !isKeepingLoaded else { return }
    isKeepingLoaded = true
    Task.outsideAccesses { [weak self] in
      do { try await lane.run { [weak self] in try await self?.keepLoaded() } } catch {}
      self?.isKeepingLoaded = false
    }
  }

  /// Makes a version of the file's contents before another program replaced or removed it, because the edits on both
  /// sides are based on it.
  ///
  /// - Parameter isRead: whether the other program had access to these contents.
  func keepFormer(isRead: Bool = false) async throws {
    guard let unkept else { return }
    let form = withPermissions(unkept.form)
    try await orInCopy(of: unkept) {
      let outcome = try await store.perform { [url, base, unkept] in
        try $0.saveFormer(of: url, base: base, isLoaded: !unkept.isWrittenHere, isRead: isRead) {
          _ = try DiskRevision.write(unkept.contents, to: $0, as: form, replacing: nil)
        }
      }
      record(outcome.version)
      try await follow(outcome, isWanted: false)
    }
  }

  /// Makes a version, the new base, of contents that aren't in the file.
  func add(_ contents: DocumentContents, as form: DiskForm, note: String? = nil) async throws {
    let form = withPermissions(form)
    let outcome = try await store.perform { [url, base] in
      try $0.saveBeside(url, base: base, note: note) {
        _ = try DiskRevision.write(contents, to: $0, as: form, replacing: nil)
      }
    }
    base = outcome.version
    try await follow(outcome, isWanted: false)
  }

  private func withPermissions(_ form: DiskForm) -> DiskForm {
    var form = form
    form.attributes.permissions = form.attributes.permissions ?? disk?.permissions
    return form
  }

  /// Marks the previous version as discardable if the document made it automatically; the current version can't be
  /// marked.
  private func follow(_ outcome: SaveOutcome, isWanted: Bool) async throws {
    if let former = unwanted, former != outcome.version,
      let version = try await FileVersion.version(
        of: url, identifier: former.persistentIdentifier, store: store)
    {
      do { try await version.setDiscardable(true) } catch let error as VersionError
        where error.code == .currentVersion
      {
        // It stays, beside versions of others.
      }
    }
    let isStillUnwanted = outcome.isNew || unwanted == outcome.version
    unwanted = !isWanted && isStillUnwanted ? outcome.version : nil
  }

  /// Replaces the file.
  ///
  /// - Parameter note: a note about the version that is made if the file was changed elsewhere.
  private func write(
    _ contents: DocumentContents, as form: DiskForm, note: String?
  ) async throws {
    var (former, attempts) = (disk, 0)
    while true {
      if !isTypeChanged { try former?.refuseReplacement(by: contents, as: form, at: url) }
      do {
        let written = try await BlockingPool.shared.run { [url, former, attempts] in
          try DiskRevision.write(
            contents, to: url, as: form, replacing: former, isMadeOfFormer: attempts == 0)
        }
        recordChangedMembers(from: former, to: written.revision)
        disk = written.revision
        isTypeChanged = false
        isBeside = isBeside || attempts > 0
        unkept = UnkeptContents(contents, written.bytes, form, isWrittenHere: true)
        if let package = written.revision.package { onWrite(package) }
        return
      } catch let error as FileError where attempts < Self.mostAttempts && error.isAboutChange {
        attempts += 1
        former = try await takeFileOfOthers()
        // The version comes before the file, which the store would otherwise take for an edit of the others' contents.
        if damage == nil {
          try await orInCopy(of: nil) { try await add(contents, as: form, note: note) }
        }
      }
    }
  }

  private static let mostAttempts = 5

  /// Makes a version of a file that was changed elsewhere, so that it may be replaced.
  ///
  /// - Returns: the file of the others.
  /// - Throws: ``FileError`` with code `not-found` if it was deleted, because saving doesn't restore it.
  private func takeFileOfOthers() async throws -> DiskRevision {
    _ = try await followMove()
    try await store.perform { [url] in try $0.refuseFolder(url) }
    // Without the app's format, which a version doesn't need.
    let present = try await BlockingPool.shared.run { [url] in
      try DiskRevision.read(url, as: DiskForm())
    }
    changedMembers = nil
    try await keepFormer()
    var form = DiskForm()
    form.attributes.permissions = present.revision.permissions
    let contents = UnkeptContents(present.contents, nil, form, isWrittenHere: false)
    try await orInCopy(of: contents) {
      try await store.save(url, asPackage: present.revision.isPackage)
    }
    return present.revision
  }

  /// Adds to the members of a package that the store has to read.
  private func recordChangedMembers(from former: DiskRevision?, to written: DiskRevision) {
    guard let known = changedMembers, let before = former?.package, let after = written.package,
      let changed = after.changedMembers(since: before)
    else {
      changedMembers = nil
      return
    }
    changedMembers = known + changed
  }

  /// Returns the store with the document's progress.
  func store(_ form: DiskForm) -> VersionStore {
    var store = store
    store.progress = store.progress ?? form.progress
    return store
  }
}

extension FileError {
  /// True if the error means that the file isn't in its last known state.
  fileprivate var isAboutChange: Bool { [.changing, .exists, .notFound].contains(code) }
}
