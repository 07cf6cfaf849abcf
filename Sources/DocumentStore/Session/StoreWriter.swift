internal import DocumentFiles
package import DocumentGit
internal import Foundation

/// The right to change the store of one document: the holder of its lock.
///
/// ``StoreEnvironment/withWriter(at:_:)`` provides a writer, which never leaves that scope. Only a writer has
/// methods that write. A change writes objects, makes them durable, then moves one reference by
/// compare-and-swap, which is the commit point.
package struct StoreWriter: ~Copyable {
  /// A reader of the same store.
  package let reader: StoreReader
  private var lock: FileLock

  private init(_ reader: StoreReader, holding lock: consuming FileLock) {
    self.reader = reader
    self.lock = lock
  }

  /// Waits for the lock, and completes changes that a crash interrupted.
  static func open(
    _ location: DocumentLocation, in environment: StoreEnvironment
  ) throws -> StoreWriter {
    let lock = try location.lockStore(
      waitingAtMost: environment.lockSeconds, meter: environment.meter)
    let isLeftBehind = lock.isLeftBehind
    let reader = try StoreReader(location, in: environment, isExclusive: true)
    let writer = StoreWriter(reader, holding: lock)
    try writer.recover(isLeftBehind: isLeftBehind)
    return writer
  }

  /// Waits for the lock of an open store, and refreshes the store from disk.
  static func open(again reader: StoreReader) throws -> StoreWriter {
    let environment = reader.environment
    let lock = try reader.location.lockStore(
      waitingAtMost: environment.lockSeconds, meter: environment.meter)
    let isLeftBehind = lock.isLeftBehind
    let writer = StoreWriter(try StoreReader(again: reader, isExclusive: true), holding: lock)
    try writer.recover(isLeftBehind: isLeftBehind)
    return writer
  }

  /// - Parameter isLeftBehind: whether the last process that held the lock was killed.
  private func recover(isLeftBehind: Bool) throws {
    if isLeftBehind || !reader.isTidy {
      try AbandonedLocks.remove(
        fromStore: location.store, isLeftBehind: isLeftBehind, clock: reader.environment.fileClock)
      tidyUp { try reader.objects.repository.removeTemporaryFiles() }
      tidyUp { try SmallFile.removeTemporaryFiles(in: location.store) }
      // A version of such a change may now be reported as saved, so it must be on disk.
      if isLeftBehind { try reader.objects.repository.synchronizeNames() }
    }
    try StoreReadership(of: location).narrow()
    try finishInterruptedChange()
    // A process that was killed just now may have left something since the folders were listed.
    tidyUp {
      try DisplacedDocuments(of: reader).keep(
        with: self, knowing: isLeftBehind ? nil : reader.environment.temporaryItems)
    }
    if isLeftBehind { tidyUp { try heads.removeSettled(by: chain) } }
    try recordHeads()
  }

  /// Makes the next writer search for an incomplete change, because the system failed in the middle of one.
  mutating func leaveLockBehind() { lock.leaveBehind() }

  var heads: Heads { reader.heads }
  var chain: ContentChain { reader.chain }
  package var location: DocumentLocation { reader.location }

  // MARK: Moving heads

  /// Moves the heads to given records.
  ///
  /// Each reference moves by compare-and-swap; the move of the first record's reference is the commit point. References
  /// of the new heads' ancestors are removed last; if a crash leaves them, they have no effect.
  ///
  /// - Parameters:
  ///   - records: the new heads, the most important one first.
  ///   - targets: the target of each record's reference: the content or the record itself.
  ///   - objects: the objects to write first.
  ///   - shown: the version that the document on disk shows after the move; by default unchanged.
  ///   - isConflict: whether several heads form a conflict, rather than one that the caller settles next.
  package func moveHeads(
    to records: [ObjectID], targets: [ObjectID: ObjectID], objects: [GitObject] = [],
    showing shown: ObjectID? = nil, isConflict: Bool = true
  ) throws {
    try HeadName.check(count: records.count)
    let moves = try HeadMoves(to: records, targets: targets, from: heads, in: reader.objects)
    tidyUp { try ChangeJournal(of: location.container).record(location.path) }
    try detachHead(before: moves, showing: shown)
    try reader.objects.repository.commit(
      Transaction(objects: objects, moves: moves.transactionMoves),
      // The bytes were counted when they were read; this step can only be canceled.
      advance: { _ in try reader.meter.advance(0) })
    tidyUp {
      for head in moves.settled {
        try reader.objects.repository.references.delete(head.name, expecting: head.target)
      }
    }
    forgetHeads()
    tidyUp { try recordHeads(isConflict: isConflict) }
    if reader.objects.repository.hasTooManyPacks {
      tidyUp {
        try reader.objects.repository.compactPacks(check: { try reader.meter.advance(0) })
      }
    } else if reader.objects.repository.hasManyPacks {
      Maintenance.shared.compactPacks(of: location.store)
    }
  }

  /// Moves the heads to a built chain.
  ///
  /// - Parameters: those of ``moveHeads(to:targets:objects:showing:isConflict:)``.
  package func moveHeads(
    to built: ContentChain.Built, objects: [GitObject] = [], showing shown: ObjectID? = nil
  ) throws {
    try moveHeads(
      to: built.heads, targets: built.targets, objects: objects + built.objects, showing: shown)
  }

  /// Keeps `HEAD` at the version that the document shows, if its reference moves without the document.
  private func detachHead(before moves: HeadMoves, showing shown: ObjectID?) throws {
    guard try heads.repositoryHead() == .attached(HeadName.main) else { return }
    let base = try heads.base()
    guard moves.mainAfterwards(from: base?.id) != shown ?? base?.id else { return }
    try setHead(base.map { .detached($0.id) } ?? .attached(HeadName.unshown))
  }

  func setHead(_ head: RepositoryHead) throws {
    heads.forgetRepositoryHead()
    try reader.objects.repository.references.setHead(head)
  }

  /// Drops the cached references, after they moved.
  func forgetHeads() {
    heads.forget()
    chain.forget()
  }

  // MARK: Ledger

  func recordHeads(isConflict: Bool = true) throws {
    let entries = try heads.ledgerEntries()
    guard !entries.isEmpty else { return }
    let others = isConflict ? entries.dropFirst().map(\.record) : []
    tidyUp { try reader.recordConflictVersions(others) }
    let tail = try heads.ledgerTail()
    try heads.changeLedger { try $0.record(entries, after: tail) }
  }

  /// Starts a new ledger, because its former heads are known to be safe.
  ///
  /// - Parameter entries: the first entries; by default, the present heads.
  func restartLedger(with entries: [HeadLedger.Entry]? = nil) throws {
    let entries = try entries ?? heads.ledgerEntries()
    try heads.changeLedger {
      try $0.restart(with: entries)
      return nil
    }
  }

  // MARK: Versions

  /// Writes a version that follows one record, as the new head of its line, or as an additional head if the line
  /// already continues.
  ///
  /// - Parameters:
  ///   - facts: the record’s facts; the date is made later than the parent’s if necessary.
  ///   - base: the record that the version is based on; `nil` for a first version.
  ///   - copy: the document, whose objects are not written yet; `nil` if its content is stored.
  ///   - others: further objects of the content.
  ///   - isShown: whether the document on disk shows the version.
  ///   - isInCharge: whether it is later than all heads, including one of the same moment that it doesn't follow.
  package func append(
    _ facts: Record.Facts, to base: Record?, of copy: (any SavedCopy)? = nil,
    and others: [GitObject] = [], isShown: Bool = false, isInCharge: Bool = false
  ) throws -> Record {
    if let copy { try StoreReadership(of: location).narrow(to: copy.readership) }
    let parents = [base].compactMap { $0 }
    let divergent = try heads.divergent()
    let earlier = isInCharge ? parents + divergent.map(\.record) : parents
    let (record, recordObject) = try Record.make(
      facts.later(than: earlier), parents: parents.map(\.id))
    let predecessors = try chain.contents(upTo: parents).map(\.id)
    var (newContent, contentObject) = try ContentCommit.make(
      for: record, predecessors: predecessors)
    // Records are stored whole, because the definition of a version must not depend on another one's bytes.
    contentObject.likeness = predecessors.first
    reader.objects.remember(record)
    let otherHeads = divergent.filter { $0.record.id != base?.id }
    var targets = Dictionary(
      otherHeads.map { ($0.record.id, $0.target) }, uniquingKeysWith: { $1 })
    targets[record.id] = newContent.id
    let isFirst = try heads.all().isEmpty
    let former = isFirst ? nil : try heads.state()
    // A large document has 100,000 objects, so they are copied no more often than necessary.
    let ofContent = others.isEmpty ? copy?.objects ?? [] : (copy?.objects ?? []) + others
    let new = try NewObjects(in: reader).among(
      ofContent, of: record.content?.tree, following: base, besides: copy?.storedFolders ?? [])
    try moveHeads(
      to: [record.id] + otherHeads.map(\.record.id), targets: targets,
      objects: new + (isFirst ? [GitObject(.tree, [])] : []) + [recordObject, contentObject],
      showing: isShown ? record.id : nil)
    tidyUp { try indexVersion(record, newContent, after: former) }
    return record
  }

  /// Adds a version that was just saved to the version index.
  ///
  /// - Parameter former: the former heads; `nil` if there were none.
  func indexVersion(
    _ record: Record, _ content: ContentCommit, after former: ReferenceDigest?
  ) throws {
    // A resolution also changes the entries of other versions.
    guard !record.facts.isResolution else { return }
    try VersionIndex(in: location.store).append(
      ListedVersion(record, content: content), after: former, at: heads.state())
  }
}

/// Runs maintenance after a change; if it fails, the change is kept, and the next change repeats the
/// maintenance.
package func tidyUp(_ body: () throws -> Void) {
  do { try body() } catch {}
}
