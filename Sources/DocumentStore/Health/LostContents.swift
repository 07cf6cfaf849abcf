internal import DocumentGit

/// A content chain with lost commits, and what it must have contained.
///
/// The records, and the sets of kept, removed and pinned contents, determine the bytes of a content commit.
/// So a lost commit can be found with certainty: of all possible chains, the original is the one whose
/// commits have the known ids.
struct LostContents {
  private let history: StoredHistory
  /// The targets of the heads' references, by the heads' records.
  private let targets: [ObjectID: ObjectID]
  private let records: [Record]
  /// The certain part of the plan.
  private var known: ContentChain.Plan
  /// Records whose entry in the chain is unknown, and whose contents are all here.
  private var complete: Set<ObjectID> = []
  /// Records whose entry in the chain is unknown, and whose contents are not all here.
  private var incomplete: Set<ObjectID> = []
  /// The complete records that are in the trash, most likely because they were removed.
  private var discarded: Set<ObjectID> = []

  /// - Parameters:
  ///   - records: the readable records that the heads lead to.
  ///   - isComplete: whether all contents of a version are here.
  init(
    _ history: StoredHistory, targets: [ObjectID: ObjectID], records: [ObjectID: Record],
    isComplete: (Record) throws -> Bool
  ) throws {
    self.history = history
    self.targets = targets
    self.records = records.values.sorted { $0.facts.date < $1.facts.date }
    let chain = history.chain(from: targets.values)
    let removed = chain.reduce(into: Set()) { $0.formUnion($1.marks.removed) }
    let kept = Set(chain.map(\.record)).subtracting(history.lostRecords)
    let attached = chain.map(\.record).filter { records[$0] == nil }
    known = ContentChain.Plan(
      kept: kept, removed: removed,
      marks: Dictionary(
        chain.filter { !$0.marks.isEmpty }.map { ($0.record, $0.marks) },
        uniquingKeysWith: { first, _ in first }),
      attached: targets.keys.first.map { [$0: attached] } ?? [:])
    for record in self.records where !kept.contains(record.id) && !removed.contains(record.id) {
      if try isComplete(record) {
        complete.insert(record.id)
      } else if record.content != nil {
        incomplete.insert(record.id)
      }
    }
    discarded = complete.intersection(history.contents.values.map(\.record))
  }

  /// Returns the original chain; if it can't be found, a chain that keeps all complete contents.
  func restored() throws -> ContentChainBuilder {
    for plan in plans.prefix(max(Self.fewestPlans, Self.mostCommits / max(1, records.count))) {
      let chain = try built(plan)
      if isProven(chain) { return chain }
    }
    return try built(deciding(keeping: complete))
  }

  private func built(_ plan: ContentChain.Plan) throws -> ContentChainBuilder {
    var builder = ContentChainBuilder(plan: plan)
    for record in records {
      for attachment in plan.attached[record.id] ?? [] {
        if let attached = history.records[attachment] { try builder.add(attached) }
      }
      try builder.add(record.dropping(parents: history.lostRecords.contains))
    }
    return builder
  }

  /// Returns whether the ends of the chain match the targets of the references.
  private func isProven(_ chain: ContentChainBuilder) -> Bool {
    let ends = targets.filter { $0.key != $0.value }
    return !ends.isEmpty && ends.allSatisfy { chain.ownContent[$0.key] == $0.value }
  }

  // MARK: Possible former chains

  /// Plans that the lost commits may have followed, most likely first, each with up to two exceptions.
  ///
  /// They are created one by one, because many versions have too many plans.
  private var plans: some Sequence<ContentChain.Plan> {
    let likely = [
      deciding(keeping: complete.subtracting(discarded), removing: discarded),
      deciding(keeping: complete.subtracting(discarded), removing: discarded.union(incomplete)),
      deciding(keeping: complete),
    ]
    let exceptions = complete.union(incomplete).sorted().flatMap { id in
      Exception.allCases.map { (id, $0) }
    }
    func changed(_ plan: ContentChain.Plan) -> some Sequence<ContentChain.Plan> {
      exceptions.lazy.map { plan.with($0.1, for: $0.0) }
    }
    let single = likely.lazy.flatMap(changed)
    let double = likely.lazy.flatMap(changed).flatMap(changed)
    return [AnySequence(likely), AnySequence(single), AnySequence(double)].lazy.flatMap { $0 }
  }

  private func deciding(
    keeping kept: Set<ObjectID>, removing removed: Set<ObjectID> = []
  ) -> ContentChain.Plan {
    var plan = known
    plan.kept.formUnion(kept)
    plan.removed.formUnion(removed)
    return plan
  }

  /// The most commits to build, which takes seconds.
  private static let mostCommits = 100_000
  /// The number of plans that are tried in any case: the likely chains, and some others.
  private static let fewestPlans = 30

  /// The exceptions from a plan that one commit may represent.
  fileprivate enum Exception: CaseIterable {
    case kept, removed, pinned, discardable, allRemoved
  }
}

extension ContentChain.Plan {
  fileprivate func with(_ exception: LostContents.Exception, for id: ObjectID) -> Self {
    var plan = self
    switch exception {
    case .kept:
      plan.kept.insert(id)
      plan.removed.remove(id)
    case .removed:
      plan.kept.remove(id)
      plan.removed.insert(id)
    case .pinned: plan.marks[id, default: .init()].isPinned = true
    case .discardable: plan.marks[id, default: .init()].isDiscardable = true
    case .allRemoved: plan.marks[id, default: .init()].isAllRemoved = true
    }
    return plan
  }
}
