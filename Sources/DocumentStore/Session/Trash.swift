internal import DocumentGit
internal import Foundation

/// One removal: the content chains as they were before it.
struct TrashGroup: Sendable {
  static let prefix = StoreFile.trash.prefix

  /// When it was, in milliseconds since 1970, later than all before it; 0 if the store does not say.
  let date: Int64
  /// The targets of the references, by their names.
  var references: [String: ObjectID]

  /// The ends of the chains: contents, or the records of heads without local content.
  var targets: [ObjectID] { references.values.sorted() }

  /// The date in a reference's name, `refs/trash/<milliseconds>-<K>`.
  ///
  /// Stores from before removals had dates say `refs/trash/<K>`.
  static func date(of reference: String) -> Int64 {
    let name = reference.dropFirst(prefix.count)
    guard let end = name.firstIndex(of: "-"), let date = Int64(name[..<end]),
      (0...Record.Facts.latestDate).contains(date)
    else { return 0 }
    return date
  }

  /// The date of a removal: not earlier than what was removed, even if the clock says so.
  ///
  /// - Parameters:
  ///   - now: the time, in milliseconds since 1970.
  ///   - newest: when the newest of the versions was made, likewise.
  static func date(at now: Int64, afterVersionsUntil newest: Int64) -> Int64 {
    now < newest ? newest + 1 : now
  }

  /// The target that the name of a reference contains; `nil` if it contains none.
  static func target(of reference: String) -> ObjectID? {
    guard reference.hasPrefix(prefix), date(of: reference) > 0 else { return nil }
    return reference.lastIndex(of: "-").flatMap {
      ObjectID(hexadecimal: reference[$0...].dropFirst())
    }
  }
}

/// The trash: removed contents stay reachable until they are collected, so that they can be brought back.
struct Trash {
  private let objects: VersionObjects
  private let heads: Heads
  private let chain: ContentChain

  init(_ objects: VersionObjects, _ heads: Heads, _ chain: ContentChain) {
    self.objects = objects
    self.heads = heads
    self.chain = chain
  }
  /// The removals that can still be taken back, oldest first.
  func groups() throws -> [TrashGroup] {
    let references = try objects.references(below: TrashGroup.prefix)
    return Dictionary(grouping: references) { TrashGroup.date(of: $0.key) }
      .map { date, members in
        TrashGroup(date: date, references: Dictionary(uniqueKeysWithValues: members.map(\.self)))
      }
      .sorted { $0.date < $1.date }
  }

  /// The date of a removal that happens now: later than every removal before it, and than every version.
  ///
  /// - Parameter now: the time, in milliseconds since 1970.
  func nextDate(at now: Int64) throws -> Int64 {
    let newest = try heads.all().map(\.record.facts.date).max() ?? 0
    return try max(
      TrashGroup.date(at: now, afterVersionsUntil: newest), (groups().last?.date ?? 0) + 1)
  }

  /// The heads and the contents that were there before a removal.
  func contents(
    of group: TrashGroup
  ) throws -> (heads: Set<ObjectID>, contents: [ObjectID: ContentCommit]) {
    let ends = try ends(of: group)
    return (Set(ends.map(\.head)), try chain.contents(endingWith: ends.compactMap(\.content)))
  }

  /// The heads that there were before a removal, and their contents; `nil` if these were elsewhere.
  private func ends(
    of group: TrashGroup
  ) throws -> [(head: ObjectID, content: ContentCommit?)] {
    try group.targets.map { target in
      if Record.isRecord(try objects.repository.commit(target)) { return (target, nil) }
      let end = try objects.content(target)
      return (end.record, end)
    }
  }

  /// The removals up to a time that may be dropped.
  ///
  /// A removal with a head that no present version was made from stays: that head was not removed, but lost.
  ///
  /// - Parameter limit: in milliseconds since 1970.
  func removals(until limit: Int64) throws -> [TrashGroup] {
    let old = try groups().filter { $0.date <= limit }
    if old.isEmpty { return [] }
    let history = try objects.ancestry(of: heads.all().map(\.record.id))
    return try old.filter { try ends(of: $0).allSatisfy { history[$0.head] != nil } }
  }

  /// The contents that are only in the trash, by their records.
  func removedContents() throws -> [ObjectID: ContentCommit] {
    let present = try chain.contents()
    return try groups().reduce(into: [:]) { removed, group in
      for (id, content) in try contents(of: group).contents where present[id] == nil {
        removed[id] = content
      }
    }
  }

  // MARK: Bringing back

  /// The records among these to which nothing on the chain of a plan leads.
  func unreachable(_ ids: Set<ObjectID>, by plan: ContentChain.Plan) throws -> Set<ObjectID> {
    let history = try objects.ancestry(of: heads.all().map(\.record.id))
    let attached = plan.attached.filter { history[$0.key] != nil }.values.joined()
    return ids.filter { history[$0] == nil }.subtracting(attached)
  }

  /// The plan of the present chain with single contents of the trash put back.
  func plan(bringingBack ids: Set<ObjectID>) throws -> ContentChain.Plan {
    var plan = try chain.plan()
    for group in try groups() {
      let former = try chain.plan(of: contents(of: group).contents)
      plan.attach(former.attached.mapValues { $0.filter(ids.contains) })
      for id in ids.intersection(former.kept) where !plan.kept.contains(id) {
        plan.marks[id] = former.marks[id]
        plan.marks[id]?.isAllRemoved = false
      }
    }
    plan.kept.formUnion(ids)
    plan.removed.subtract(ids)
    // If nothing before a version is missing any more, not all of it is removed.
    for (id, marks) in plan.marks where marks.isAllRemoved {
      let before = try objects.ancestry(of: objects.record(id).parents)
      if before.keys.allSatisfy(plan.kept.contains) { plan.marks[id]?.isAllRemoved = false }
    }
    return plan
  }

  /// The plan of the chain before a removal, with what has come or was marked since.
  func plan(before group: TrashGroup) throws -> ContentChain.Plan {
    let former = try chain.plan(of: contents(of: group).contents)
    var plan = try chain.plan()
    for id in former.kept.union(plan.kept) {
      var marks = (plan.kept.contains(id) ? plan.marks[id] : former.marks[id]) ?? .init()
      marks.isAllRemoved = former.marks[id]?.isAllRemoved ?? false
      plan.marks[id] = marks
    }
    plan.attach(former.attached)
    plan.removed = former.removed.subtracting(plan.kept)
    plan.kept.formUnion(former.kept)
    return plan
  }
}

extension ContentChain.Plan {
  /// Takes over attached contents that this plan does not have.
  fileprivate mutating func attach(_ other: [ObjectID: [ObjectID]]) {
    let known = Set(attached.values.joined())
    for (host, attachments) in other {
      attached[host, default: []] += attachments.filter { !known.contains($0) }
    }
  }
}
