package import DocumentGit

/// The contents on this device: commits chained in the order of their versions.
///
/// A chain may be rewritten without touching any content: the records stay the same, other contents are kept,
/// and only small commits are written.
package final class ContentChain {
  private let objects: VersionObjects
  private let heads: Heads
  private var index: [ObjectID: ContentCommit]?

  init(_ objects: VersionObjects, _ heads: Heads) {
    self.objects = objects
    self.heads = heads
  }

  /// The contents of a chain, in addition to the records of the heads.
  package struct Plan {
    /// The records whose contents are on the chain.
    package var kept: Set<ObjectID>
    /// The records whose contents were removed on this device, and aren't received again.
    package var removed: Set<ObjectID>
    /// The marks of single contents, without removals before them, which are computed.
    var marks: [ObjectID: ContentCommit.Marks]
    /// Records outside the heads' ancestry whose contents are kept with another record's.
    var attached: [ObjectID: [ObjectID]]
  }

  /// A chain that is not written yet.
  package struct Built {
    /// The records that need a reference: the heads, and others whose contents no head leads to.
    package let heads: [ObjectID]
    /// The target of the reference of each record.
    let targets: [ObjectID: ObjectID]
    /// The objects to write first.
    let objects: [GitObject]
  }

  // MARK: Reading

  /// Returns all contents on this device, by their records.
  package func contents() throws -> [ObjectID: ContentCommit] {
    if let index { return index }
    let contents = try contents(endingWith: heads.all().compactMap(\.content))
    index = contents
    return contents
  }

  /// Returns the contents on the chains that end with given contents, by their records.
  package func contents(endingWith ends: [ContentCommit]) throws -> [ObjectID: ContentCommit] {
    var index: [ObjectID: ContentCommit] = [:]
    var pending = ends
    while let next = pending.popLast() {
      guard index[next.record] == nil else { continue }
      index[next.record] = next
      pending += try next.predecessors.map(objects.content)
    }
    return index
  }

  /// Returns the content commit of a record; `nil` if its content is not on this device.
  func content(of record: ObjectID) throws -> ContentCommit? {
    // In most cases it belongs to a head.
    if let head = try heads.all().first(where: { $0.record.id == record }) { return head.content }
    return try contents()[record]
  }

  /// Returns the contents that a version based on some records follows: their own or, if those aren't on this device,
  /// the nearest earlier ones.
  package func contents(upTo records: [Record]) throws -> [ContentCommit] {
    var found: [ContentCommit] = []
    var seen: Set<ObjectID> = []
    var pending = Array(records.reversed())
    while let next = pending.popLast() {
      guard seen.insert(next.id).inserted else { continue }
      if let own = try content(of: next.id) {
        found.append(own)
      } else {
        pending += try next.parents.reversed().map(objects.record)
      }
    }
    return found
  }

  /// Drops the cached contents after references moved.
  func forget() {
    index = nil
  }

  // MARK: Planning

  /// Returns the plan of the present chain.
  package func plan() throws -> Plan {
    try plan(of: contents())
  }

  /// Returns the plan of a chain, present or in the trash.
  package func plan(of chain: [ObjectID: ContentCommit]) throws -> Plan {
    let attached = try chain.values.filter { try objects.record($0.record).facts.kind == .add }
    let followers = Dictionary(
      chain.values.flatMap { content in content.predecessors.map { ($0, content.record) } },
      uniquingKeysWith: { first, _ in first })
    let hosts = attached.compactMap { attachment in
      followers[attachment.id].map { ($0, attachment.record) }
    }
    return Plan(
      kept: Set(chain.keys),
      removed: try removedRecords(of: chain),
      marks: chain.mapValues(\.marks).filter { !$0.value.isEmpty },
      attached: Dictionary(grouping: hosts, by: \.0).mapValues { $0.map(\.1) })
  }

  /// Returns the records whose contents were removed from this device, individually or as all before a version.
  package func removedRecords() throws -> Set<ObjectID> {
    try removedRecords(of: contents())
  }

  private func removedRecords(of chain: [ObjectID: ContentCommit]) throws -> Set<ObjectID> {
    let removed = try chain.values.reduce(into: Set<ObjectID>()) { removed, content in
      removed.formUnion(content.marks.removed)
      if content.marks.isAllRemoved {
        removed.formUnion(try objects.ancestry(of: objects.record(content.record).parents).keys)
      }
    }
    // Single contents may have been restored since.
    return removed.subtracting(chain.keys)
  }

  /// Builds the chain of a plan.
  ///
  /// A head whose content is elsewhere can't be linked to earlier contents, so these keep separate references.
  ///
  /// - Parameter heads: the records that become heads.
  package func build(_ plan: Plan, heads: [ObjectID]) throws -> Built {
    var built = ContentChainBuilder(plan: plan)
    let history = try objects.ancestry(of: heads)
    for record in history.values.sorted(by: { $0.facts.date < $1.facts.date }) {
      for attachment in plan.attached[record.id] ?? [] where plan.kept.contains(attachment) {
        try built.add(objects.record(attachment))
      }
      try built.add(record)
    }
    let withoutContent = heads.filter { built.ownContent[$0] == nil }
    let others = try built.recordsBefore(withoutContent).filter { record in
      try !heads.contains { head in
        try !withoutContent.contains(head) && objects.isAncestor(record, of: head)
      }
    }
    var targets: [ObjectID: ObjectID] = [:]
    // The reference of a head without local content is at its record.
    for head in heads + others { targets[head] = built.ownContent[head] ?? head }
    return Built(heads: heads + others, targets: targets, objects: built.objects)
  }
}

/// Builds a content chain record by record, oldest first.
struct ContentChainBuilder {
  package let plan: ContentChain.Plan
  private(set) var objects: [GitObject] = []
  /// The content commits, by their own ids.
  private(set) var contents: [ObjectID: ContentCommit] = [:]
  /// The content commit of a record that has one.
  private(set) var ownContent: [ObjectID: ObjectID] = [:]
  /// The end of the chain at a record: its own content, or else the previous contents.
  private var position: [ObjectID: [ObjectID]] = [:]
  /// The removals since the contents at a record's position.
  private var removedSince: [ObjectID: ContentCommit.Marks] = [:]

  init(plan: ContentChain.Plan) {
    self.plan = plan
  }

  /// Starts after an existing content.
  init(after end: ContentCommit, adding records: [ObjectID]) {
    self.init(plan: ContentChain.Plan(kept: Set(records), removed: [], marks: [:], attached: [:]))
    position[end.record] = [end.id]
  }

  /// Returns the records with the last contents before some records that have none.
  func recordsBefore(_ ids: [ObjectID]) -> [ObjectID] {
    let contents = Set(ids.flatMap { position[$0] ?? [] })
    return contents.isEmpty ? [] : ownContent.filter { contents.contains($0.value) }.keys.sorted()
  }

  /// Adds a record, after all its parents.
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

    // A deletion has no contents that could be elsewhere.
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
    contents[content.id] = content
    ownContent[record.id] = content.id
    position[record.id] = [content.id]
  }
}
