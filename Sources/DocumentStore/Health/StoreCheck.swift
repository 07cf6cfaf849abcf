internal import DocumentFiles
internal import DocumentGit
internal import SystemPackage

/// One check of a store: every file, and whether all of them are consistent.
///
/// Neither damage nor anything that prevents opening the store ends the check; each part adds its findings.
/// It only throws errors that hide the store, such as permissions or a failing disk.
final class StoreCheck {
  let location: DocumentLocation
  let references: StoredReferences
  let objects: StoredObjects
  let contents: ContentCheck
  /// The versions that the references lead to, as far as they are readable.
  private(set) var history = StoredHistory()
  /// Versions that a repair has given up.
  let givenUp: Set<ObjectID>
  /// True if all heads are lost and the ledger doesn't name them.
  private(set) var hasLostAllHeads = false

  private let clock: FileClock
  private let findings: FindingList
  private let misplaced: [MisplacedItem]
  /// The store's folder when the check began.
  private let store: FileStatus?
  /// The ledger's file when the check began.
  private let ledger: FileStatus?
  /// The packs when the check began; `nil` if they could not be listed.
  private var packNames: Set<String>?
  private var stored = ObjectFileCheck.Summary()

  init(_ location: DocumentLocation, clock: FileClock, meter: ByteMeter) throws {
    self.location = location
    self.clock = clock
    store = try FileStatus.of(location.store)
    references = try StoredReferences(in: location.store)
    ledger = try HeadLedger(in: location.store).status()
    misplaced = try MisplacedItem.all(in: location.store)
    let isListMisplaced = misplaced.contains { $0.file == FilePath(StoreFile.lostVersions.name) }
    givenUp = isListMisplaced ? [] : try LostVersions.read(in: location.store)
    findings = FindingList()
    objects = StoredObjects(in: location.store, meter: meter)
    contents = ContentCheck(objects, findings)
  }

  /// Checks everything.
  func run() throws {
    try LayoutCheck(
      location: location, isHeadReadable: references.head != nil, misplaced: misplaced,
      findings: findings
    ).run()
    do {
      try checkParts()
    } catch let error where !misplaced.isEmpty && (error is FileError || error is GitError) {
      // Misplaced items hide the rest, and are reported.
    }
  }

  private func checkParts() throws {
    let packs = try objects.repository.packFiles()
    packNames = Set(packs.keys)
    try objects.meter.expect(packs.values.reduce(0, +))
    history = try ReferenceCheck.history(
      of: references, objects, findings, givenUp: givenUp)
    try LedgerCheck(
      ledger: HeadLedger(in: location.store), history: history, objects: objects,
      findings: findings
    ).run()
    try HeadCheck(
      location: location, head: references.head, history: history, clock: clock, findings: findings
    ).run()
    try contents.run(history)
    let files = ObjectFileCheck(store: location.store, objects: objects, findings: findings)
    stored = try files.run(&history)
    hasLostAllHeads = files.reportUnreached(history)
    try ConfigurationCheck(store: location.store, records: history.records, findings: findings)
      .run()
    try CheckoutCheck(
      store: location.store, records: history.records, clock: clock, meter: objects.meter,
      findings: findings
    ).run()
    try TemporaryFileCheck(
      location: location, locks: references.locks, objects: objects,
      findings: findings
    ).run()
    try WorkingFileCheck(store: location.store, findings: findings).run()
    contents.reportIncompleteVersions()
  }

  /// Returns whether the store is not being changed, and hasn't changed since the check began.
  func isCurrent() throws -> Bool {
    // A running change may have moved references already, without writing the ledger yet.
    guard try !FileLock.isHeld(StoreFile.lock.path(in: location.store)) else { return false }
    let now = try StoreCheck(location, clock: clock, meter: objects.meter)
    guard now.references == references, now.ledger == ledger else { return false }
    if let packNames, try Set(objects.repository.packFiles().keys) != packNames { return false }
    // A store that was moved away and back has changed, too.
    return try FileStatus.of(location.store)?.changed == store?.changed
  }

  var verification: Verification {
    Verification(
      document: location.url, findings: findings.sorted,
      versions: history.records.keys.count { history.unreached.records[$0] == nil },
      objects: stored.objects.count, bytes: stored.bytes)
  }
}
