internal import DocumentFiles
internal import DocumentGit
internal import Foundation
internal import SystemPackage

/// One document's store, open for the length of one operation: records, contents and heads, read at most
/// once each.
///
/// Owns the repository, so it stays on the thread that opened it. What changes a store holds its lock
/// meanwhile; what only reads does not need to, because nothing is ever changed in place.
final class OpenStore {
  let location: DocumentLocation
  let repository: Repository
  /// Who writes, and what time it is.
  let identity: Identity
  let now: Date
  /// The same in milliseconds since 1970, as records have it.
  var milliseconds: Int64 { now.milliseconds }
  let documentIdentifier: String
  /// Where long operations tell how far they are.
  let meter: ProgressMeter

  /// What a repair has given up.
  let lostVersions: Set<ObjectID>
  private var lock: FileLock?
  /// Whether nothing is in the store that a killed process would leave.
  private let isTidy: Bool
  private var records: [ObjectID: Record] = [:]
  private var contents: [ObjectID: ContentCommit] = [:]
  private var railIndex: [ObjectID: ContentCommit]?

  /// Opens a store for reading.
  convenience init(reading location: DocumentLocation, for store: VersionStore) throws {
    try self.init(location, lock: nil, store)
  }

  /// Opens a store for changes: waits for its lock, and finishes what a crash left half-done.
  convenience init(changing location: DocumentLocation, for store: VersionStore) throws {
    let lock = try location.lockStore(
      waitingAtMost: store.lockTimeout, meter: ProgressMeter(store.progress))
    let isLeftBehind = lock.isLeftBehind
    try self.init(location, lock: lock, store)
    if isLeftBehind || !isTidy {
      try LeftoverLocks.remove(fromStore: location.store, isLeftBehind: isLeftBehind)
      tidyUp { try repository.removeLeftovers() }
      tidyUp { try SmallFile.removeTemporaryFiles(in: location.store) }
      // A version that was made so may be told of as saved now; then it must be on the disk.
      if isLeftBehind { try repository.synchronizeNames() }
    }
    try finishInterruptedChange()
    // Who was killed just now may have left something since folders were listed.
    tidyUp { try clearLeftovers(knowing: isLeftBehind ? nil : store.leftovers) }
    try noteHeads()
  }

  /// Lets others change the document, before this ends.
  func close() { lock = nil }

  /// Lets whoever opens the store next look for what is half done: the system failed in the middle of a change.
  func leaveLockBehind() { lock?.leaveBehind() }

  private init(
    _ location: DocumentLocation, lock: consuming FileLock?, _ store: VersionStore
  ) throws {
    self.location = location
    self.lock = lock
    identity = store.identity
    now = store.clock()
    meter = ProgressMeter(store.progress)
    let inspection = try StoreInspection.check(location.store)
    isTidy = inspection.isTidy
    let configuration = inspection.configuration
    try StoreInspection.refuseNewer(configuration)
    guard let identifier = configuration["docversions.document"],
      configuration["docversions.format"] == "1", Self.isIdentifier(identifier)
    else { throw GitError.malformed("its config is not one of a document’s store") }
    repository = try Repository(
      opening: location.store.withPlatformString { $0.nullTerminated },
      waitingWith: store.syncGroup)
    documentIdentifier = identifier
    lostVersions = try LostVersions.read(in: location.store)
  }

  /// Whether the text may be a document's id: it becomes part of ref names.
  static func isIdentifier(_ text: String) -> Bool {
    text.utf8.count == 32
      && text.utf8.allSatisfy { (0x30...0x39).contains($0) || (0x61...0x66).contains($0) }
  }

  /// A record by its id.
  func record(_ id: ObjectID) throws -> Record {
    if let known = records[id] { return known }
    let whole = try Record(id: id, decoding: repository.commit(id))
    let record = try whole.dropping { try lostVersions.contains($0) && !repository.contains($0) }
    try record.checkDate {
      try record.parents.map { try Record(id: $0, decoding: repository.commit($0)) }
    }
    records[id] = record
    return record
  }

  /// Knows a record before it is written.
  func remember(_ record: Record) {
    records[record.id] = record
  }

  /// A content commit by its own id.
  func content(_ id: ObjectID) throws -> ContentCommit {
    if let known = contents[id] { return known }
    let content = try ContentCommit(id: id, decoding: repository.commit(id))
    contents[id] = content
    return content
  }

  /// All contents on this device, by the record they belong to.
  func rail() throws -> [ObjectID: ContentCommit] {
    if let railIndex { return railIndex }
    let index = try rail(from: allHeads().compactMap(\.content))
    railIndex = index
    return index
  }

  /// The content commit of a record, where its content is on this device.
  func content(of record: ObjectID) throws -> ContentCommit? {
    // Mostly it is a head's.
    if let head = try allHeads().first(where: { $0.record.id == record }) { return head.content }
    return try rail()[record]
  }

  /// Writes the index anew, unless somebody changes the store just now.
  func writeIndex(_ versions: [ListedVersion], at state: VersionIndex.State) throws {
    guard versions.count >= VersionIndex.fewest else { return }
    let index = VersionIndex(in: location.store)
    guard lock == nil else { return try index.write(versions, at: state) }
    let lock = try location.lockStore(waitingAtMost: 0)
    if try VersionIndex.State(headReferences()) == state {
      try index.write(versions, at: state)
    }
    lock.releaseAsFound()
  }

  // MARK: Heads

  private var knownHead: RepositoryHead?
  private var knownHeads: [Head]?

  /// What every reference under `refs/heads/` stands for, in no order.
  func allHeads() throws -> [Head] {
    if let knownHeads { return knownHeads }
    var lost: [ObjectID] = []
    // Whoever reads without the lock may see references half moved: then it is a matter of milliseconds.
    for _ in 1...10 {
      // The ledger first: it is never ahead of references that are read later.
      let noted = try ledgerTail()?.heads ?? []
      let heads = try headReferences().map { try head($0, at: $1) }
      lost = try noted.map(\.record).filter { try !isReached($0, from: heads) }
      if lost.isEmpty {
        knownHeads = heads
        return heads
      }
      Threads.sleep(seconds: 0.02)
    }
    throw GitError.malformed(
      "its reference to \(lost[0].versionName) is lost")
  }

  // MARK: The ledger

  private var ledger: HeadLedger { HeadLedger(in: location.store) }
  /// What it ends with, where that was read and only we may change it.
  private var knownTail: HeadLedger.Tail??

  /// What the ledger ends with.
  func ledgerTail() throws -> HeadLedger.Tail? {
    if let knownTail { return knownTail }
    let tail = try ledger.tail()
    if lock != nil { knownTail = .some(tail) }
    return tail
  }

  /// Writes the heads down in the ledger.
  func noteInLedger(_ heads: [HeadLedger.Entry]) throws {
    let tail = try ledgerTail()
    // Read again should this fail half-way.
    knownTail = nil
    let noted = try ledger.note(heads, after: tail)
    if lock != nil { knownTail = .some(noted) }
  }

  /// Begins the ledger again.
  func restartLedger(with heads: [HeadLedger.Entry]) throws {
    knownTail = nil
    try ledger.restart(with: heads)
  }

  // MARK: The note of the document on disk

  /// What was read; nil where nothing was.
  private var knownNote: WorkingFileNote??

  /// What the store notes of its document on disk.
  func workingFileNote() throws -> WorkingFileNote? {
    if let knownNote { return knownNote }
    let note = try WorkingFileNote(in: location.store)
    knownNote = .some(note)
    return note
  }

  /// Changes the note, where it says something else.
  func setWorkingFileNote(_ note: WorkingFileNote) throws {
    guard try workingFileNote() != note else { return }
    knownNote = nil
    try note.write(in: location.store)
  }

  // MARK: References

  /// The references under `refs/heads/`, none of which may be lost.
  func headReferences() throws -> [String: ObjectID] {
    var references = try repository.completeReferences(below: Head.prefix, where: Head.isName)
    // One that moves just now may not show.
    if references.isEmpty {
      references = try repository.completeReferences(below: Head.prefix, where: Head.isName)
    }
    try Head.check(count: references.count)
    if references.isEmpty, case .detached = try repositoryHead() {
      throw GitError.malformed("its versions have no reference any more")
    }
    return references
  }

  /// The heads that no other head descends from; the first is the current version.
  func divergentHeads() throws -> [Head] {
    let heads = try allHeads()
    let maximal = try maximalRecords(Set(heads.map(\.record.id)))
    var seen: Set<ObjectID> = []
    return heads.filter { maximal.contains($0.record.id) && seen.insert($0.record.id).inserted }
      .sorted { Record.isPreferred($0.record, to: $1.record) }
  }

  /// The record of the current version.
  func current() throws -> Record {
    guard let current = try divergentHeads().first else { throw location.noVersionsHere }
    return current.record
  }

  /// The record that the file on disk was last saved as or written from.
  func base() throws -> Record? {
    try baseIdentifier().map(record)
  }

  /// The same, unread.
  func baseIdentifier() throws -> ObjectID? {
    switch try repositoryHead() {
    case .detached(let id): id
    case .attached(let name):
      if let head = try allHeads().first(where: { $0.name == name }) {
        head.record.id
      } else if [Head.main, Head.none].contains(name) {
        nil
      } else {
        throw GitError.malformed("its HEAD names “\(Printable.text(name))”, which does not exist")
      }
    }
  }

  /// What `HEAD` says.
  func repositoryHead() throws -> RepositoryHead {
    if let knownHead { return knownHead }
    let head = try repository.head()
    knownHead = head
    return head
  }

  /// Changes `HEAD`.
  func setHead(_ head: RepositoryHead) throws {
    knownHead = nil
    try repository.setHead(head)
  }

  /// Forgets what was read of the refs, after they moved.
  func forgetHeads() {
    knownHeads = nil
    railIndex = nil
  }
}
