internal import DocumentFiles
package import DocumentGit
internal import Foundation

/// The right to change the store of one document: the holder of its lock.
///
/// A writer is lent by ``StoreEnvironment/withWriter(at:_:)`` and never leaves that scope. Only it has methods that write.
/// A change writes objects, makes them durable, then moves one reference by compare-and-swap: the commit point.
package struct StoreWriter: ~Copyable {
  /// The same store to read from.
  package let reader: StoreReader
  private var lock: FileLock

  private init(_ reader: StoreReader, holding lock: consuming FileLock) {
    self.reader = reader
    self.lock = lock
  }

  /// Waits for the lock, and finishes what a crash left half-done.
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

  /// - Parameter isLeftBehind: whether the process that held the lock last was killed.
  private func recover(isLeftBehind: Bool) throws {
    if isLeftBehind || !reader.isTidy {
      try AbandonedLocks.remove(
        fromStore: location.store, isLeftBehind: isLeftBehind, clock: reader.environment.fileClock)
      tidyUp { try reader.objects.repository.removeTemporaryFiles() }
      tidyUp { try SmallFile.removeTemporaryFiles(in: location.store) }
      // A version that was made so may be reported as saved now; then it must be on the disk.
      if isLeftBehind { try reader.objects.repository.synchronizeNames() }
    }
    try StoreReadership(of: location).narrow()
    try finishInterruptedChange()
    // A process that was killed just now may have left something since folders were listed.
    tidyUp {
      try DisplacedDocuments(of: reader).keep(
        with: self, knowing: isLeftBehind ? nil : reader.environment.temporaryItems)
    }
    if isLeftBehind { tidyUp { try heads.removeSettled(by: chain) } }
    try recordHeads()
  }

  /// Makes the next writer search for a half-done change: the system failed in the middle of one.
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
  ///   - isConflict: whether several heads are a conflict, and not only until the caller settles them.
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
      // Counted when they were read; here it may only stop.
      advance: { _ in try reader.meter.advance(0) })
    tidyUp {
      for head in moves.settled {
        try reader.objects.repository.deleteReference(head.name, expecting: head.target)
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

  /// Keeps `HEAD` at the version that the document shows, if the reference that it is attached to moves on
  /// without the document.
  private func detachHead(before moves: HeadMoves, showing shown: ObjectID?) throws {
    guard try heads.repositoryHead() == .attached(HeadName.main) else { return }
    let base = try heads.base()
    guard moves.mainAfterwards(from: base?.id) != shown ?? base?.id else { return }
    try setHead(base.map { .detached($0.id) } ?? .attached(HeadName.unshown))
  }

  /// Changes `HEAD`.
  func setHead(_ head: RepositoryHead) throws {
    heads.forgetRepositoryHead()
    try reader.objects.repository.setHead(head)
  }

  /// Forgets what was read of the references, after they moved.
  func forgetHeads() {
    heads.forget()
    chain.forget()
  }

  // MARK: Ledger

  /// Records the heads in the ledger.
  func recordHeads(isConflict: Bool = true) throws {
    let entries = try heads.ledgerEntries()
    guard !entries.isEmpty else { return }
    let others = isConflict ? entries.dropFirst().map(\.record) : []
    tidyUp { try reader.recordConflictVersions(others) }
    let tail = try heads.ledgerTail()
    try heads.changeLedger { try $0.record(entries, after: tail) }
  }

  /// Begins the ledger again: its former heads are known to be safe.
  ///
  /// - Parameter entries: its first ones; by default, the present heads.
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
  ///   - base: the record that the version was made from; `nil` for a first version.
  ///   - copy: the document that the version is of, not written yet; `nil` if its content is stored.
  ///   - others: further objects of the content.
  ///   - isShown: whether it is what the document on disk shows.
  ///   - isInCharge: whether it is later than all heads, also than one of the same moment that it does not follow.
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
    // Records stay whole: the definition of a version must not depend on bytes of another one.
    contentObject.likeness = predecessors.first
    reader.objects.remember(record)
    let otherHeads = divergent.filter { $0.record.id != base?.id }
    var targets = Dictionary(
      otherHeads.map { ($0.record.id, $0.target) }, uniquingKeysWith: { $1 })
    targets[record.id] = newContent.id
    let isFirst = try heads.all().isEmpty
    let former = isFirst ? nil : try heads.state()
    // Of a large document there are 100,000; none is copied more often than need be.
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
  /// - Parameter former: the heads before; `nil` if there were none.
  func indexVersion(
    _ record: Record, _ content: ContentCommit, after former: ReferenceDigest?
  ) throws {
    // A resolution changes what other versions are.
    guard !record.facts.isResolution else { return }
    try VersionIndex(in: location.store).append(
      ListedVersion(record, content: content), after: former, at: heads.state())
  }
}

/// Does what only keeps a store in order, once a change is made: should it fail, the change stands all the same, and the
/// next one does it.
package func tidyUp(_ body: () throws -> Void) {
  do { try body() } catch {}
}
