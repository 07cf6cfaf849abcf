internal import DocumentGit
internal import Foundation

/// One removal: the rails as they were before it.
struct TrashGroup: Sendable {
  static let prefix = "refs/trash/"

  /// When it was, in milliseconds since 1970, later than all before it; 0 where the store does not tell.
  let date: Int64
  /// What the references point at, by their names.
  var references: [String: ObjectID]

  /// The ends of the rails: contents, or the bare records of heads whose contents were elsewhere.
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

  /// What the name of a reference tells that it is at; nil where it does not.
  static func target(of reference: String) -> ObjectID? {
    guard reference.hasPrefix(prefix), date(of: reference) > 0 else { return nil }
    return reference.lastIndex(of: "-").flatMap {
      ObjectID(hexadecimal: reference[$0...].dropFirst())
    }
  }
}

/// What was removed stays reachable until it is collected, so that it can be brought back.
extension OpenStore {
  /// The removals that can still be taken back, oldest first.
  func trash() throws -> [TrashGroup] {
    let references = try repository.completeReferences(below: TrashGroup.prefix)
    return Dictionary(grouping: references) { TrashGroup.date(of: $0.key) }
      .map { date, members in
        TrashGroup(date: date, references: Dictionary(uniqueKeysWithValues: members.map(\.self)))
      }
      .sorted { $0.date < $1.date }
  }

  /// Keeps the rail as it is now reachable.
  ///
  /// A removal is later than the one before, and not earlier than what was removed, even if the clock says so.
  func keepInTrash() throws {
    let heads = try allHeads()
    let newest = heads.map(\.record.facts.date).max() ?? 0
    let now = milliseconds < newest ? newest + 1 : milliseconds
    let date = try max(now, (trash().last?.date ?? 0) + 1)
    for target in Set(heads.map(\.target)) {
      try repository.setReference(
        "\(TrashGroup.prefix)\(date)-\(target)", to: target, expecting: nil)
    }
  }

  /// The heads and the contents that were there before a removal.
  func contents(
    of group: TrashGroup
  ) throws -> (heads: Set<ObjectID>, rail: [ObjectID: ContentCommit]) {
    var heads: Set<ObjectID> = []
    var ends: [ContentCommit] = []
    for target in group.targets {
      if Record.isRecord(try repository.commit(target)) {
        heads.insert(target)
      } else {
        let end = try content(target)
        heads.insert(end.record)
        ends.append(end)
      }
    }
    return (heads, try rail(from: ends))
  }

  /// Whether a removal holds a head that none was made from that is there now: it was not removed, it was lost.
  func holdsLostHead(_ group: TrashGroup) throws -> Bool {
    let history = try ancestry(of: allHeads().map(\.record.id))
    return try contents(of: group).heads.contains { history[$0] == nil }
  }

  /// The contents that are only in the trash, by their records.
  func removedContents() throws -> [ObjectID: ContentCommit] {
    let present = try rail()
    return try trash().reduce(into: [:]) { removed, group in
      for (id, content) in try contents(of: group).rail where present[id] == nil {
        removed[id] = content
      }
    }
  }

  // MARK: Bringing back

  /// The records among these to which nothing leads that is on the rail of a plan.
  func unreachable(_ ids: Set<ObjectID>, by plan: RailPlan) throws -> Set<ObjectID> {
    let history = try ancestry(of: allHeads().map(\.record.id))
    let attached = plan.attached.filter { history[$0.key] != nil }.values.joined()
    return ids.filter { history[$0] == nil }.subtracting(attached)
  }

  /// The rail with single contents of the trash put back.
  func railPlan(bringingBack ids: Set<ObjectID>) throws -> RailPlan {
    var plan = try railPlan()
    for group in try trash() {
      let former = try railPlan(of: contents(of: group).rail)
      plan.attach(former.attached.mapValues { $0.filter(ids.contains) })
      for id in ids.intersection(former.kept) where !plan.kept.contains(id) {
        plan.marks[id] = former.marks[id]
        plan.marks[id]?.isAllRemoved = false
      }
    }
    plan.kept.formUnion(ids)
    plan.removed.subtract(ids)
    // Where nothing before a version is missing any more, not all of it is removed.
    for (id, marks) in plan.marks where marks.isAllRemoved {
      let before = try ancestry(of: record(id).parents)
      if before.keys.allSatisfy(plan.kept.contains) { plan.marks[id]?.isAllRemoved = false }
    }
    return plan
  }

  /// The rail as it was before a removal, with what has come or was noted since.
  func railPlan(before group: TrashGroup) throws -> RailPlan {
    let former = try railPlan(of: contents(of: group).rail)
    var plan = try railPlan()
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

extension OpenStore.RailPlan {
  /// Takes over attached contents that this plan does not have.
  fileprivate mutating func attach(_ other: [ObjectID: [ObjectID]]) {
    let known = Set(attached.values.joined())
    for (host, attachments) in other {
      attached[host, default: []] += attachments.filter { !known.contains($0) }
    }
  }
}
