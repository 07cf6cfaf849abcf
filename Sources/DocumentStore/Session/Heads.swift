internal import DocumentFiles
internal import DocumentGit

/// The references of a document: its heads, the state of `HEAD`, and the ledger that proves that none is lost.
///
/// They are read at most once, until a writer moves them.
package final class Heads {
  private let objects: VersionObjects
  /// True if the lock of the store is held, so that only its holder changes the store.
  private let isExclusive: Bool
  private var knownHead: RepositoryHead?
  private var knownHeads: [Head]?
  /// The end of the ledger, if it was read and can't change.
  private var knownTail = KnownTail.unread

  /// The known end of the ledger; an empty ledger has none.
  private enum KnownTail {
    case unread
    case read(HeadLedger.Tail?)
  }

  init(_ objects: VersionObjects, isExclusive: Bool) {
    self.objects = objects
    self.isExclusive = isExclusive
  }

  // MARK: Heads

  /// Returns the heads of all references under `refs/heads/`, in no order.
  package func all() throws -> [Head] {
    if let knownHeads { return knownHeads }
    var lost: [ObjectID] = []
    // Without the lock, references may be partly moved for some milliseconds.
    for _ in 1...10 {
      // The ledger is read first, because it is never ahead of references that are read later.
      let recorded = try ledgerTail()?.heads ?? []
      let heads = try references().map { try head($0, at: $1) }
      lost = try recorded.map(\.record).filter { try !isReached($0, from: heads) }
      if lost.isEmpty {
        knownHeads = heads
        return heads
      }
      Threads.sleep(seconds: 0.02)
    }
    throw GitError.malformed("its reference to \(lost[0].versionName) is lost")
  }

  /// Returns the heads that no other head descends from, the current version first.
  package func divergent() throws -> [Head] {
    let heads = try all()
    let maximal = try objects.maximalRecords(Set(heads.map(\.record.id)))
    var seen: Set<ObjectID> = []
    return heads.filter { maximal.contains($0.record.id) && seen.insert($0.record.id).inserted }
      .sorted { Record.isPreferred($0.record, to: $1.record) }
  }

  /// Removes references that a killed process left behind, if other heads descend from theirs and lead to the
  /// same objects.
  func removeSettled(by chain: ContentChain) throws {
    let divergent = try divergent()
    let names = Set(divergent.map(\.name))
    let others = try all().filter { $0.name != HeadName.main && !names.contains($0.name) }
    guard !others.isEmpty else { return }
    let kept = try chain.contents(endingWith: divergent.compactMap(\.content))
    for head in others where head.content == nil || kept[head.record.id]?.id == head.target {
      try objects.repository.references.delete(head.name, expecting: head.target)
    }
    forget()
    chain.forget()
  }

  /// Returns the record of the current version.
  package func current() throws -> Record {
    guard let current = try divergent().first else { throw objects.location.noVersionsHere }
    return current.record
  }

  /// Returns the head at a reference.
  private func head(_ name: String, at target: ObjectID) throws -> Head {
    // If the content is not on this device, the reference points to the record itself.
    let content = try objects.content(ofReferenceAt: target)
    let record = try objects.record(content?.record ?? target)
    // Under a wrong name, its versions would reach all devices as those of another document.
    guard objects.identity.contains(record.facts.document) else {
      throw GitError.malformed("its config names another document than its versions")
    }
    return Head(name: name, target: target, record: record, content: content)
  }

  /// Returns whether a version is one of the heads, or an ancestor of one.
  private func isReached(_ id: ObjectID, from heads: [Head]) throws -> Bool {
    if heads.contains(where: { $0.record.id == id }) { return true }
    guard try objects.repository.contains(id) else { return false }
    return try heads.contains { try objects.isAncestor(id, of: $0.record.id) }
  }

  /// Returns the references under `refs/heads/`; throws an error if one is lost.
  func references() throws -> [String: ObjectID] {
    var references = try objects.references(below: HeadName.prefix, where: HeadName.isValid)
    // A reference that is just moving may be invisible.
    if references.isEmpty {
      references = try objects.references(below: HeadName.prefix, where: HeadName.isValid)
    }
    try HeadName.check(count: references.count)
    if references.isEmpty, case .detached = try repositoryHead() {
      throw GitError.malformed("its versions have no reference any more")
    }
    return references
  }

  /// Returns the targets of the references as one number, which shows whether the version index is fresh.
  func state() throws -> ReferenceDigest {
    ReferenceDigest(
      Dictionary(
        try all().map { ($0.name, $0.target) }, uniquingKeysWith: { first, _ in first }))
  }

  /// Drops the cached heads after references moved.
  func forget() {
    knownHeads = nil
  }

  // MARK: HEAD

  /// Returns the state of `HEAD`.
  func repositoryHead() throws -> RepositoryHead {
    if let knownHead { return knownHead }
    let head = try objects.repositoryHead()
    knownHead = head
    return head
  }

  /// Drops the cached state of `HEAD`, before it changes.
  func forgetRepositoryHead() {
    knownHead = nil
  }

  /// Returns the record that the file on disk was last saved as or written from.
  package func base() throws -> Record? {
    try baseIdentifier().map(objects.record)
  }

  /// Returns the id of that record, without reading it.
  func baseIdentifier() throws -> ObjectID? {
    switch try repositoryHead() {
    case .detached(let id): id
    case .attached(let name):
      if let head = try all().first(where: { $0.name == name }) {
        head.record.id
      } else if [HeadName.main, HeadName.unshown].contains(name) {
        nil
      } else {
        throw GitError.malformed("its HEAD names “\(Printable.text(name))”, which does not exist")
      }
    }
  }

  // MARK: Ledger

  private var ledger: HeadLedger { HeadLedger(in: objects.location.store) }

  /// Returns the end of the ledger.
  func ledgerTail() throws -> HeadLedger.Tail? {
    if case .read(let tail) = knownTail { return tail }
    let tail = try ledger.tail()
    if isExclusive { knownTail = .read(tail) }
    return tail
  }

  /// Returns the heads in the form of ledger entries.
  func ledgerEntries() throws -> [HeadLedger.Entry] {
    try divergent().map { HeadLedger.Entry(record: $0.record.id, target: $0.target) }
  }

  /// Returns the only head of a document that is not in conflict; `nil` if the references and the ledger
  /// don't agree on one.
  func onlyHead() throws -> (
    name: String, target: ObjectID, record: ObjectID, state: ReferenceDigest
  )? {
    let references = try references()
    guard objects.lostVersions.isEmpty, references.count == 1,
      let (name, target) = references.first,
      let recorded = try ledgerTail()?.heads, recorded.count == 1, recorded[0].target == target
    else { return nil }
    return (name, target, recorded[0].record, ReferenceDigest(references))
  }

  /// Changes the ledger, and keeps its end; if the end isn't known, it is read again.
  func changeLedger(_ body: (HeadLedger) throws -> HeadLedger.Tail?) throws {
    knownTail = .unread
    guard let tail = try body(ledger), isExclusive else { return }
    knownTail = .read(tail)
  }
}
