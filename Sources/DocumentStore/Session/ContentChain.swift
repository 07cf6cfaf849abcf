internal import DocumentGit

/// Rewriting the content rail: the same records, other contents kept. Small commits only; no content is
/// ever touched.
extension OpenStore {
  /// What shall be kept beside the records of the heads.
  struct RailPlan {
    /// The records whose contents shall be on the rail.
    var kept: Set<ObjectID>
    /// The records whose contents were removed on this device, and shall not come back by themselves.
    var removed: Set<ObjectID>
    /// The marks that single contents carry; what was removed before them is worked out.
    var marks: [ObjectID: ContentCommit.Marks]
    /// Records outside the heads' ancestry whose contents are kept with another record's.
    var attached: [ObjectID: [ObjectID]]
  }

  /// Everything on the rails that end with these contents, by the record it belongs to.
  func rail(from ends: [ContentCommit]) throws -> [ObjectID: ContentCommit] {
    var index: [ObjectID: ContentCommit] = [:]
    var pending = ends
    while let next = pending.popLast() {
      guard index[next.record] == nil else { continue }
      index[next.record] = next
      pending += try next.predecessors.map(content)
    }
    return index
  }

  /// The plan that the rail follows now.
  func railPlan() throws -> RailPlan {
    try railPlan(of: rail())
  }

  /// The plan that a rail follows, the present one or one in the trash.
  func railPlan(of rail: [ObjectID: ContentCommit]) throws -> RailPlan {
    let attached = try rail.values.filter { try record($0.record).facts.kind == .add }
    let followers = Dictionary(
      rail.values.flatMap { content in content.predecessors.map { ($0, content.record) } },
      uniquingKeysWith: { first, _ in first })
    let hosts = attached.compactMap { attachment in
      followers[attachment.id].map { ($0, attachment.record) }
    }
    return RailPlan(
      kept: Set(rail.keys),
      removed: try removedRecords(of: rail),
      marks: rail.mapValues(\.marks).filter { !$0.value.isEmpty },
      attached: Dictionary(grouping: hosts, by: \.0).mapValues { $0.map(\.1) })
  }

  /// The records whose contents were removed from this device, one by one or all before a version.
  func removedRecords() throws -> Set<ObjectID> {
    try removedRecords(of: rail())
  }

  private func removedRecords(of rail: [ObjectID: ContentCommit]) throws -> Set<ObjectID> {
    let removed = try rail.values.reduce(into: Set<ObjectID>()) { removed, content in
      removed.formUnion(content.marks.removed)
      if content.marks.isAllRemoved {
        removed.formUnion(try ancestry(of: record(content.record).parents).keys)
      }
    }
    // Single ones may have been brought back since.
    return removed.subtracting(rail.keys)
  }

  /// Builds the rail that follows a plan.
  ///
  /// Nothing can hang below a head whose content is elsewhere: so the contents before it keep references of
  /// their own.
  ///
  /// - Parameter heads: the records that shall be heads.
  /// - Returns: these and the others that need a reference, what each one's reference shall point at, and the
  ///   objects to write first.
  func buildRail(
    _ plan: RailPlan, heads: [ObjectID]
  ) throws -> (heads: [ObjectID], targets: [ObjectID: ObjectID], objects: [GitObject]) {
    var built = RailBuilder(plan: plan)
    let history = try ancestry(of: heads)
    for record in history.values.sorted(by: { $0.facts.date < $1.facts.date }) {
      for attachment in plan.attached[record.id] ?? [] where plan.kept.contains(attachment) {
        try built.add(self.record(attachment))
      }
      try built.add(record)
    }
    let bare = heads.filter { built.ownContent[$0] == nil }
    let others = try built.recordsBefore(bare).filter { record in
      try !heads.contains { try !bare.contains($0) && isAncestor(record, of: $0) }
    }
    var targets: [ObjectID: ObjectID] = [:]
    // A head whose content is elsewhere is a bare record.
    for head in heads + others { targets[head] = built.ownContent[head] ?? head }
    return (heads + others, targets, built.objects)
  }

  /// The contents that a version made from these follows: their own, or those nearest before where that is not on
  /// this device.
  func contents(upTo records: [Record]) throws -> [ContentCommit] {
    var found: [ContentCommit] = []
    var seen: Set<ObjectID> = []
    var pending = Array(records.reversed())
    while let next = pending.popLast() {
      guard seen.insert(next.id).inserted else { continue }
      if let own = try content(of: next.id) {
        found.append(own)
      } else {
        pending += try next.parents.reversed().map(record)
      }
    }
    return found
  }
}

/// Lays the rail record by record, oldest first.
struct RailBuilder {
  let plan: OpenStore.RailPlan
  private(set) var objects: [GitObject] = []
  /// The content commit of a record that has one.
  private(set) var ownContent: [ObjectID: ObjectID] = [:]
  /// Where the rail stands at a record: its own content, or else those before it.
  private var position: [ObjectID: [ObjectID]] = [:]
  /// What was removed since the contents at a record's position.
  private var removedSince: [ObjectID: ContentCommit.Marks] = [:]

  init(plan: OpenStore.RailPlan) {
    self.plan = plan
  }

  /// A rail that goes on behind a content.
  init(after end: ContentCommit, adding records: [ObjectID]) {
    self.init(
      plan: OpenStore.RailPlan(kept: Set(records), removed: [], marks: [:], attached: [:]))
    position[end.record] = [end.id]
  }

  /// The records whose contents are the last ones before these, where they have none.
  func recordsBefore(_ ids: [ObjectID]) -> [ObjectID] {
    let contents = Set(ids.flatMap { position[$0] ?? [] })
    return contents.isEmpty ? [] : ownContent.filter { contents.contains($0.value) }.keys.sorted()
  }

  mutating func add(_ record: Record) throws {
    var before: [ObjectID] = []
    for place in record.parents + (plan.attached[record.id] ?? []) {
      for content in position[place] ?? [] where !before.contains(content) {
        before.append(content)
      }
    }
    var marks = ContentCommit.Marks()
    for parent in record.parents {
      marks.removed.formUnion(removedSince[parent]?.removed ?? [])
      if removedSince[parent]?.isAllRemoved == true { marks.isAllRemoved = true }
    }
    let own = plan.marks[record.id]
    if own?.isAllRemoved == true { marks.isAllRemoved = true }
    if marks.isAllRemoved { marks.removed = [] }

    // A deletion has nothing that could be elsewhere.
    let isDeletion = record.content == nil && !plan.removed.contains(record.id)
    guard plan.kept.contains(record.id) || isDeletion else {
      if plan.removed.contains(record.id) { marks.removed.insert(record.id) }
      position[record.id] = before
      removedSince[record.id] = marks
      return
    }
    marks.isDiscardable = own?.isDiscardable ?? false
    marks.isPinned = own?.isPinned ?? false
    let (content, object) = try ContentCommit.make(for: record, predecessors: before, marks: marks)
    objects.append(object)
    ownContent[record.id] = content.id
    position[record.id] = [content.id]
  }
}
