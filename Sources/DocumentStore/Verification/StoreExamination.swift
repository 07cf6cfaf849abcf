internal import DocumentFiles
internal import DocumentGit
internal import Foundation
internal import SystemPackage

/// One close look at a store: every file of it, and whether all of it fits together.
///
/// Nothing that is damaged ends the look, and nothing that opening a store refuses: each check notes what it
/// finds. Only what hides the store from us (permissions, a failing disk) is thrown.
final class StoreExamination {
  let location: DocumentLocation
  let repository: Repository
  let references: StoredReferences
  /// The ledger's file when the look began.
  private let ledger: FileStatus?
  let meter: ByteMeter
  private(set) var findings: [Verification.Finding] = []

  /// The records that heads or the trash lead to, as far as they can be read.
  var records: [ObjectID: Record] = [:]
  /// The contents that are kept, by the ids of their commits.
  var contents: [ObjectID: ContentCommit] = [:]
  /// The records of the heads, by the names of their references.
  var heads: [String: (record: ObjectID, target: ObjectID)] = [:]
  /// The same for references that are not named as ours, to versions that ours do not lead to.
  var foreignHeads: [String: (record: ObjectID, target: ObjectID)] = [:]
  /// What the references of the trash are at, by the heads that there were before a removal.
  var headsInTrash: [ObjectID: ObjectID] = [:]
  /// What each content's tree holds.
  var summaries: [ObjectID: ContentSummary] = [:]
  /// Objects that were read whole, and have their ids.
  var read: Set<ObjectID> = []
  /// Why objects cannot be read.
  var unreadable: [ObjectID: String] = [:]
  /// Versions, by the objects that they lack.
  var incomplete: [ObjectID: Set<ObjectID>] = [:]
  /// Records that no head leads to.
  var strayRecords: [ObjectID: Record] = [:]
  /// The contents of such records, where these are here too.
  var strayContents: [ObjectID: ObjectID] = [:]
  /// Whether all heads are lost, and with them what the ledger tells of them.
  var hasLostAllHeads = false
  /// Versions that a repair has given up.
  let givenUp: Set<ObjectID>
  /// Versions that others were made from, and that cannot be read.
  var lostRecords: Set<ObjectID> = []
  /// Whether a commit of the content rail cannot be read.
  var isRailBroken = false
  /// What is in the place of the store's own files and folders.
  let misplaced: [MisplacedItem]
  /// The packs that there were when the look began; nil where that cannot be told.
  private var packNames: Set<String>?
  private(set) var stored: (objects: Set<ObjectID>, bytes: Int) = ([], 0)

  init(_ location: DocumentLocation, meter: ByteMeter) throws {
    self.location = location
    self.meter = meter
    repository = Repository(
      objectsIn: location.store.withPlatformString { $0.nullTerminated })
    references = try StoredReferences(in: location.store)
    ledger = try HeadLedger(in: location.store).status()
    let misplaced = try MisplacedItem.all(in: location.store)
    self.misplaced = misplaced
    let isNoteMisplaced = misplaced.contains { $0.file == FilePath(LostVersions.fileName) }
    givenUp = isNoteMisplaced ? [] : try LostVersions.read(in: location.store)
  }

  /// Looks at everything.
  func run() throws {
    try checkLayout()
    do {
      try checkParts()
    } catch let error where !misplaced.isEmpty && (error is FileError || error is GitError) {
      // They hide the rest, and are told.
    }
  }

  private func checkParts() throws {
    let packs = try repository.packFiles()
    packNames = Set(packs.keys)
    try meter.expect(packs.values.reduce(0, +))
    try checkReferences()
    try checkLedger()
    try checkHead()
    try checkShownVersion()
    try checkContents()
    try checkObjectFiles()
    try checkIdentity()
    try checkCheckouts()
    try checkLeftovers()
    noteIncompleteVersions()
  }

  /// Whether nobody changes the store, and nobody has since the look began.
  func isCurrent() throws -> Bool {
    // A change that is on its way has moved references, perhaps, and not told the ledger.
    guard try !FileLock.isHeld(location.store.appending("lock")) else { return false }
    let now = try StoreExamination(location, meter: meter)
    return try now.references == references && now.ledger == ledger
      && packNames.map { try Set(repository.packFiles().keys) == $0 } ?? true
  }

  var verification: Verification {
    Verification(
      document: location.url,
      findings: findings.filter { $0.severity == .damage }
        + findings.filter { $0.severity == .notice },
      versions: records.keys.count { strayRecords[$0] == nil }, objects: stored.objects.count,
      bytes: stored.bytes)
  }

  // MARK: Noting

  /// Notes damage.
  func damage(
    _ code: Verification.Finding.Code, _ message: String, file: String? = nil,
    versions: some Sequence<ObjectID> = []
  ) {
    note(.damage, code, message, file: file, versions: versions)
  }

  /// Notes what is no damage.
  func notice(
    _ code: Verification.Finding.Code, _ message: String, file: String? = nil,
    versions: some Sequence<ObjectID> = []
  ) {
    note(.notice, code, message, file: file, versions: versions)
  }

  private func note(
    _ severity: Verification.Finding.Severity, _ code: Verification.Finding.Code,
    _ message: String, file: String?, versions: some Sequence<ObjectID>
  ) {
    findings.append(
      Verification.Finding(
        severity: severity, code: code, message: message, file: file.map(Printable.text),
        versions: versions.sorted().map(FileVersion.PersistentIdentifier.init)))
  }

  /// Counts what is stored.
  func count(_ objects: some Sequence<ObjectID>, bytes: Int) {
    stored.objects.formUnion(objects)
    stored.bytes += bytes
  }

  // MARK: Reading

  /// Reads an object, and notes whether that works.
  ///
  /// - Returns: nil for one that is missing, damaged or of another kind.
  func bytes(_ id: ObjectID, as kind: ObjectKind) throws -> [UInt8]? {
    guard unreadable[id] == nil else { return nil }
    try meter.check()
    do {
      let bytes = try repository.read(id, as: kind)
      read.insert(id)
      return bytes
    } catch {
      if error.isFromSystem { throw error }
      unreadable[id] = error.message
      return nil
    }
  }

  /// Parses what was read; what cannot be parsed counts as unreadable.
  func parse<Value>(_ id: ObjectID, _ body: () throws -> Value) throws -> Value? {
    do {
      return try body()
    } catch let error as GitError {
      unreadable[id] = error.message
      return nil
    }
  }

  /// A commit; nil where it cannot be read.
  func commit(_ id: ObjectID) throws -> Commit? {
    guard let bytes = try bytes(id, as: .commit) else { return nil }
    return try parse(id) { try Commit(decoding: bytes) }
  }

  /// Why an object cannot be used, for messages.
  func reason(_ id: ObjectID) -> String {
    unreadable[id].map { " (\($0))" } ?? ""
  }
}

/// Tells how many bytes were read of all, and learns that reading shall stop.
struct ByteMeter {
  let progress: OperationProgress?

  /// Sets what there is to read.
  func expect(_ bytes: Int) throws {
    progress?.completedUnitCount = 0
    progress?.totalUnitCount = Int64(max(1, bytes))
    try check()
  }

  func advance(_ bytes: Int) throws {
    progress?.completedUnitCount += Int64(bytes)
    try check()
  }

  /// - Throws: `CancellationError` where somebody has said stop.
  func check() throws {
    if progress?.isCancelled == true { throw CancellationError() }
  }
}

extension ObjectID {
  /// "version 1a2b3c4", for messages.
  var versionName: String { "version \(digits(7))" }
}
