internal import DocumentGit
internal import Foundation

/// A removal, as the content chains from before it.
struct TrashGroup: Sendable {
  static let prefix = StoreFile.trash.prefix

  /// The time of the removal in milliseconds since 1970, later than all earlier ones; 0 if the store doesn't
  /// have it.
  let date: Int64
  /// The targets of the references, by their names.
  var references: [String: ObjectID]

  /// The ends of the chains: contents, or the records of heads without local content.
  var targets: [ObjectID] { references.values.sorted() }

  /// Returns the date in a reference's name, `refs/trash/<milliseconds>-<K>`.
  ///
  /// In stores from before removals had dates, the name is `refs/trash/<K>`.
  static func date(of reference: String) -> Int64 {
    let name = reference.dropFirst(prefix.count)
    guard let end = name.firstIndex(of: "-"), let date = Int64(name[..<end]),
      (0...Record.Facts.latestDate).contains(date)
    else { return 0 }
    return date
  }

  /// Returns the date of a removal, which is not earlier than the removed versions, even if the clock is.
  ///
  /// - Parameters:
  ///   - now: the present time, in milliseconds since 1970.
  ///   - newest: the date of the newest version, in the same unit.
  static func date(at now: Int64, afterVersionsUntil newest: Int64) -> Int64 {
    now < newest ? newest + 1 : now
  }

  /// Returns the target in the name of a reference; `nil` if it contains none.
  static func target(of reference: String) -> ObjectID? {
    guard reference.hasPrefix(prefix), date(of: reference) > 0 else { return nil }
    return reference.lastIndex(of: "-").flatMap {
      ObjectID(hexadecimal: reference[$0...].dropFirst())
    }
  }
}

/// The trash: removed contents stay reachable until they are collected, so that they can be restored.
struct Trash {
  private let objects: VersionObjects
  private let heads: Heads
  private let chain: ContentChain

  init(_ objects: VersionObjects, _ heads: Heads, _ chain: ContentChain) {
    self.objects = objects
    self.heads = heads
    self.chain = chain
  }
  /// Returns the removals that can still be undone, oldest first.
  func groups() throws -> [TrashGroup] {
    let references = try objects.references(below: TrashGroup.prefix)
    return Dictionary(grouping: references) { TrashGroup.date(of: $0.key) }
      .map { date, members in
        TrashGroup(date: date, references: Dictionary(uniqueKeysWithValues: members.map(\.self)))
      }
      .sorted { $0.date < $1.date }
  }

  /// Returns the date of a removal that happens now, later than every earlier removal and every version.
  ///
  /// - Parameter now: the present time, in milliseconds since 1970.
  func nextDate(at now: Int64) throws -> Int64 {
    let newest = try heads.all().map(\.record.facts.date).max() ?? 0
    return try max(
      TrashGroup.date(at: now, afterVersionsUntil: newest), (groups().last?.date ?? 0) + 1)
  }

  /// Returns the heads and the contents from before a removal.
  func contents(
    of group: TrashGroup
  ) throws -> (heads: Set<ObjectID>, contents: [ObjectID: ContentCommit]) {
    let ends = try ends(of: group)
    return (Set(ends.map(\.head)), try chain.contents(endingWith: ends.compactMap(\.content)))
  }

  /// Returns the heads from before a removal, with their contents; `nil` for contents that were elsewhere.
  private func ends(
    of group: TrashGroup
  ) throws -> [(head: ObjectID, content: ContentCommit?)] {
    try group.targets.map { target in
      if Record.isRecord(try objects.repository.commit(target)) { return (target, nil) }
      let end = try objects.content(target)
      return (end.record, end)
    }
  }

  /// Returns the removals up to a time that may be dropped.
  ///
  /// A removal with a head that no present version descends from stays, because that head was lost, not
  /// removed.
  ///
  /// - Parameter limit: the time, in milliseconds since 1970.
  func removals(until limit: Int64) throws -> [TrashGroup] {
    let old = try groups().filter { $0.date <= limit }
    if old.isEmpty { return [] }
    let history = try objects.ancestry(of: heads.all().map(\.record.id))
    return try old.filter { try ends(of: $0).allSatisfy { history[$0.head] != nil } }
  }

  /// Returns the contents that are only in the trash, by their records.
  func removedContents() throws -> [ObjectID: ContentCommit] {
    let present = try chain.contents()
    return try groups().reduce(into: [:]) { removed, group in
      for (id, content) in try contents(of: group).contents where present[id] == nil {
        removed[id] = content
      }
    }
  }

  // MARK: Restoring

  /// Returns those records that nothing on the chain of a plan leads to.
  func unreachable(_ ids: Set<ObjectID>, by plan: ContentChain.Plan) throws -> Set<ObjectID> {
    let history = try objects.ancestry(of: heads.all().map(\.record.id))
    let attached = plan.attached.filter { history[$0.key] != nil }.values.joined()
    return ids.filter { history[$0] == nil }.subtracting(attached)
  }

  /// Returns the plan of the present chain with some contents restored from the trash.
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
    // If no content before a version is missing any more, they are not all removed.
    for (id, marks) in plan.marks where marks.isAllRemoved {
      let before = try objects.ancestry(of: objects.record(id).parents)
      if before.keys.allSatisfy(plan.kept.contains) { plan.marks[id]?.isAllRemoved = false }
    }
    return plan
  }

  /// Returns the plan of the chain from before a removal, with later contents and marks.
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
  /// Adds attached contents that this plan doesn't have.
  fileprivate mutating func attach(_ other: [ObjectID: [ObjectID]]) {
    let known = Set(attached.values.joined())
    for (host, attachments) in other {
      attached[host, default: []] += attachments.filter { !known.contains($0) }
    }
  }
}
