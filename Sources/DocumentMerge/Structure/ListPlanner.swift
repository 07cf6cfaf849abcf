/// Decides about the members of lists without names, which are aligned by their contents.
///
/// Changes of both sides in one place clash unless something shows which members correspond; so do adjacent numbers of
/// which each side changed some.
struct ListPlanner<Format: StructuredFormat>: DocumentsReader {
  typealias Plan = MemberSides
  typealias Step = MemberStep

  let documents: MergedDocuments<Format>
  let log: DecisionLog<Format>
  let matcher: MemberMatcher<Format>
  /// Decides about members that have names in one place of a list whose other members have none.
  let planner: MemberPlanner<Format>
  let leaves: LeafMerge<Format>

  private var comparison: MemberComparison<Format> { MemberComparison(documents: documents) }
  private var hasRulings: Bool {
    !planner.rulings.ours.isEmpty || !planner.rulings.theirs.isEmpty
  }

  /// Plans the members of a list, in the order of the result.
  func steps(base: [Int], ours: [Int], theirs: [Int]) throws -> [Step] {
    let list = ListChanges(documents, base: base, ours: ours, theirs: theirs)
    var added = MembersAddedByBoth(list)
    let doubts = ListDoubts(
      list: list, addedByBoth: added.contents, labels: log.options.labels
    ).byRegion()
    added.takeShared(of: list)
    return try list.regions.enumerated().flatMap { index, region -> [Step] in
      var members = list.members(of: region)
      if region.kind == .theirs {
        members.theirs = members.theirs.filter { !added.take($0, in: trees.theirs) }[...]
        if members.theirs.isEmpty, region.base.isEmpty { return [] }
      }
      return try steps(for: region, members, &added, doubts[index])
    }
  }

  private func steps(
    for region: TextRegion, _ members: RegionMembers, _ added: inout MembersAddedByBoth,
    _ doubt: MemberDoubt?
  ) throws -> [Step] {
    if region.kind == .clash, doubt == nil, let steps = try steps(inPlace: region, members) {
      return steps.filter { step in
        guard step.plan.base == nil, let member = step.plan.theirs else { return true }
        let isTwice = added.take(member, in: trees.theirs)
        return step.plan.ours != nil || !isTwice
      }
    }
    guard let kind = doubt == nil ? region.kind : .clash else {
      return unchanged(members, from: region.base.lowerBound)
    }
    func named(_ plans: [Plan], from start: Int) -> [Step] {
      plans.enumerated().map { index, plan in Step(plan, at: start + index) }
    }
    let ours = named(members.ours.map { Plan(ours: $0) }, from: region.ours.lowerBound)
    let theirs = named(members.theirs.map { Plan(theirs: $0) }, from: region.theirs.lowerBound)
    switch decision(about: region, kind, members, doubt) {
    case .theirs: return theirs
    case .base: return named(members.base.map { Plan(base: $0) }, from: region.base.lowerBound)
    case .both: return ours + theirs
    case .ours, .text: return ours
    }
  }

  /// Records the decision about a region, or asks.
  private func decision(
    about region: TextRegion, _ kind: MergeDecision.Kind, _ members: RegionMembers,
    _ doubt: MemberDoubt?
  ) -> MergeAnswer {
    let gap = region.base.lowerBound..<region.base.lowerBound + 1
    let own = kind == .theirs ? region.theirs : kind == .ours ? region.ours : gap
    return log.at(.positions(region.base.isEmpty ? own : region.base)) {
      guard kind == .clash else {
        log.record(kind, bytes(of: members))
        return kind == .theirs ? .theirs : .ours
      }
      let doubt = doubt ?? .place
      return log.ask(
        .members, bytes(of: members), choices: [.ours, .theirs, .both, .base],
        isPositional: doubt.isPositional, explanation: doubt.explanation)
    }
  }

  private func bytes(of members: RegionMembers) -> SideBytes {
    SideBytes(
      base: bytes(of: members.base, .base), ours: bytes(of: members.ours, .ours),
      theirs: bytes(of: members.theirs, .theirs))
  }

  /// Plans unchanged members, with those between the first and the last as one step, because there may be many.
  private func unchanged(_ members: RegionMembers, from start: Int) -> [Step] {
    func plan(_ offset: Int) -> Plan {
      func member(_ members: ArraySlice<Int>) -> Int { members[members.startIndex + offset] }
      return Plan(
        base: member(members.base), ours: member(members.ours), theirs: member(members.theirs))
    }
    let count = members.ours.count
    guard count > 3, !hasRulings else {
      return (0..<count).map { Step(plan($0), at: start + $0) }
    }
    return [
      Step(plan(0), at: start), Step(plan(1), at: start + 1, count: count - 2),
      Step(plan(count - 1), at: start + count - 1),
    ]
  }
}

/// Decides about places that both sides changed, if something shows which members correspond.
extension ListPlanner {
  /// Plans members that both sides changed or added, if the format knows more than their places.
  private func steps(inPlace region: TextRegion, _ members: RegionMembers) throws -> [Step]? {
    if let steps = steps(removedApart: region, members) { return steps }
    if format.hasIndependentMembers, let steps = steps(besideEqual: region, members) {
      return steps
    }
    if members.base.isEmpty { return combined(region, members) }
    if format.hasIndependentMembers, let steps = steps(named: region, members) { return steps }
    guard format.pairsInPlace || format.hasIndependentMembers,
      members.base.count == members.ours.count, members.base.count == members.theirs.count,
      format.pairsInPlace || !haveNumbers(members)
    else { return nil }
    let all = zip(members.base, zip(members.ours, members.theirs)).map {
      MergeSides<Int>(base: $0, ours: $1.0, theirs: $1.1)
    }
    let arePaired =
      try format.pairsInPlace
      ? all.allSatisfy(haveOneTag) : all.allSatisfy(areOneMember)
    guard arePaired, !hasExchanged(all) else { return nil }
    return all.enumerated().map { index, nodes in
      Step(plan(inPlace: nodes), at: region.base.lowerBound + index)
    }
  }

  /// Plans what is left of different members, if each side only removed others of them.
  private func steps(removedApart region: TextRegion, _ members: RegionMembers) -> [Step]? {
    let old = members.base.map { tree(.base).contentHash(ofMember: $0) }
    let ours = members.ours.map { trees.ours.contentHash(ofMember: $0) }
    let theirs = members.theirs.map { trees.theirs.contentHash(ofMember: $0) }
    let (ourSet, theirSet) = (Set(ours), Set(theirs))
    guard !haveNumbers(members), Set(old).count == old.count, ours == old.filter(ourSet.contains),
      theirs == old.filter(theirSet.contains), ourSet.union(theirSet).count == old.count
    else { return nil }
    log.at(.positions(region.base)) { log.record(.combined, bytes(of: members)) }
    return old.indices.compactMap { index in
      guard let own = ours.firstIndex(of: old[index]), let other = theirs.firstIndex(of: old[index])
      else { return nil }
      let plan = Plan(
        base: members.base[members.base.startIndex + index],
        ours: members.ours[members.ours.startIndex + own],
        theirs: members.theirs[members.theirs.startIndex + other])
      return Step(plan, at: region.base.lowerBound + index)
    }
  }

  /// Puts the additions of both sides one after the other, if their names allow it.
  private func combined(_ region: TextRegion, _ members: RegionMembers) -> [Step]? {
    guard members.ours.allSatisfy({ format.isCombined($0, in: trees.ours) }),
      members.theirs.allSatisfy({ format.isCombined($0, in: trees.theirs) })
    else { return nil }
    let known = Set(members.ours.map { trees.ours.contentHash(ofMember: $0) })
    let added = members.theirs.filter { !known.contains(trees.theirs.contentHash(ofMember: $0)) }
    let place = PathStep.positions(region.base.lowerBound..<region.base.lowerBound + 1)
    log.at(place) {
      log.record(
        .combined,
        SideBytes(
          base: nil, ours: bytes(of: members.ours, .ours),
          theirs: bytes(of: members.theirs, .theirs)))
    }
    return members.ours.map { Step(Plan(ours: $0), place) }
      + added.map { Step(Plan(theirs: $0), place) }
  }

  /// Plans a member: a change of one side is taken, and changes of both sides are merged.
  private func plan(inPlace nodes: MergeSides<Int>) -> Plan {
    guard !format.pairsInPlace else { return Plan(nodes) }
    switch map(nodes, { $0.contentHash(ofMember: $1) }).settled {
    case .theirs: return Plan(theirs: nodes.theirs)
    case nil: return Plan(nodes)
    default: return Plan(ours: nodes.ours)
    }
  }

  /// Plans members if both sides put equal members beside them, and only one changed anything else.
  private func steps(besideEqual region: TextRegion, _ members: RegionMembers) -> [Step]? {
    let (ours, theirs) = (members.ours, members.theirs)
    guard !haveNumbers(members) else { return nil }
    let old = members.base.map { tree(.base).contentHash(ofMember: $0) }
    let ourContents = ours.map { trees.ours.contentHash(ofMember: $0) }
    let theirContents = theirs.map { trees.theirs.contentHash(ofMember: $0) }
    let first = zip(ourContents, theirContents).prefix { $0 == $1 }.count
    let last = zip(
      ourContents.dropFirst(first).reversed(), theirContents.dropFirst(first).reversed()
    )
    .prefix { $0 == $1 }.count
    guard first + last > 0 else { return nil }
    // The members that one side left unchanged are those that the other changed, possibly none.
    func isOld(_ contents: [Int]) -> Bool {
      let rest = contents.dropFirst(first).dropLast(last)
      return rest.isEmpty ? old.count <= first + last : old.contains(run: rest)
    }
    let takesTheirs = isOld(ourContents)
    guard takesTheirs != isOld(theirContents) else { return nil }
    let positions = takesTheirs ? region.theirs : region.ours
    log.at(.positions(region.base.isEmpty ? positions : region.base)) {
      log.record(takesTheirs ? .theirs : .ours, bytes(of: members))
    }
    let taken = takesTheirs ? theirs : ours
    return taken.indices.map { index in
      let (before, behind) = (index - taken.startIndex, taken.endIndex - index)
      // Members that both put there belong to both.
      let other = takesTheirs ? ours : theirs
      let place =
        before < first
        ? other.startIndex + before : behind <= last ? other.endIndex - behind : nil
      let pair = (taken[index], place.map { other[$0] })
      return Step(
        takesTheirs ? Plan(ours: pair.1, theirs: pair.0) : Plan(ours: pair.0, theirs: pair.1),
        at: positions.lowerBound + before)
    }
  }

  /// Plans members that have names in this place, while others of the list have none.
  private func steps(named region: TextRegion, _ members: RegionMembers) -> [Step]? {
    let members = MergeSides(
      base: Array(members.base), ours: Array(members.ours), theirs: Array(members.theirs))
    guard let (matching, fields) = matcher.matching(inPlace: members) else { return nil }
    return planner.steps(
      members, matching, fields, in: MemberSides(), .list, from: region.base.lowerBound)
  }

  /// Returns whether a side may have put a member in another one's place: both places are changed, and one has as much
  /// of the other's former contents as of its own.
  private func hasExchanged(_ nodes: [MergeSides<Int>]) -> Bool {
    let parts = nodes.map { map($0) { $0.leafValues(of: $1) } }
    return [\MergeSides<Set<Int>>.ours, \.theirs].contains { side in
      let changed = parts.indices.filter { parts[$0].base != parts[$0][keyPath: side] }
      guard changed.count > 1, changed.count <= 64 else { return false }
      return changed.contains { place in
        let (own, new) = (parts[place].base ?? [], parts[place][keyPath: side])
        return changed.contains { other in
          let shared = new.intersection(parts[other].base ?? [])
          return other != place && shared.count >= own.intersection(new).count
            && !shared.isSubset(of: own)
        }
      }
    }
  }

  /// Returns whether members of one place are of one kind.
  private func haveOneTag(_ nodes: MergeSides<Int>) -> Bool {
    let tags = map(nodes) { tree, node in
      tree[node].kind == .record ? tree[node + 1].valueHash : 0
    }
    return tags.base == tags.ours && tags.base == tags.theirs
  }

  /// Returns whether members of one place certainly correspond: at least half is equal on all sides, and the changes
  /// are compatible.
  private func areOneMember(_ nodes: MergeSides<Int>) throws -> Bool {
    if map(nodes, { $0.contentHash(ofMember: $1) }).settled != nil { return true }
    let kinds = map(nodes) { $0[$1].kind }.all
    if kinds.allSatisfy(\.isMapping) {
      let parts = map(nodes, comparison.parts(of:_:))
      // An independent member is still there, between its neighbors.
      let areRecords = map(nodes) { format.isCombined($1, in: $0) }.all.allSatisfy(\.self)
      return comparison.areMostlyEqual(parts.all) || areRecords && comparison.changeApart(parts)
    }
    guard kinds.allSatisfy({ $0 == .leaf }) else { return false }
    let words = map(nodes) { tree, node in
      tree.bytes[tree[node].value].split { $0.isSpace }.map { MemberPart(name: Array($0)) }
    }
    return try words.all.allSatisfy { $0.count >= 5 } && comparison.areMostlyEqual(words.all)
      && leaves.merged(nodes) != nil
  }
}

/// Counts the equal members that both sides added to a list, so that the result gets each only once.
///
/// Members without contents, such as a rule between paragraphs, and more of those that base has, such as separators,
/// don't correspond in two places.
private struct MembersAddedByBoth {
  private var counts: [Int: Int]

  init<Format: StructuredFormat>(_ list: ListChanges<Format>) {
    let (base, ours, theirs) = (list.tree(.base), list.trees.ours, list.trees.theirs)
    var (ourAdded, theirAdded) = ([Int: Int](), [Int: Int]())
    for region in list.regions where region.kind != nil {
      for member in list.base[region.base] {
        let content = base.contentHash(ofMember: member)
        ourAdded[content, default: 0] -= 1
        theirAdded[content, default: 0] -= 1
      }
      // What takes the place of another member isn't an addition.
      let isLonger = (
        ours: region.ours.count > region.base.count, theirs: region.theirs.count > region.base.count
      )
      for member in list.ours[region.ours] where isLonger.ours && ours.saysAnything(member) {
        ourAdded[ours.contentHash(ofMember: member), default: 0] += 1
      }
      for member in list.theirs[region.theirs] where isLonger.theirs && theirs.saysAnything(member)
      {
        theirAdded[theirs.contentHash(ofMember: member), default: 0] += 1
      }
    }
    counts = ourAdded.reduce(into: [:]) { result, entry in
      let both = min(entry.value, theirAdded[entry.key] ?? 0)
      if both > 0 { result[entry.key] = both }
    }
    if !counts.isEmpty {
      for member in list.base { counts[base.contentHash(ofMember: member)] = nil }
    }
  }

  /// The contents of the members.
  var contents: Set<Int> { Set(counts.keys) }

  /// Removes the members that both sides added in one place, which are written once anyway.
  mutating func takeShared<Format: StructuredFormat>(of list: ListChanges<Format>) {
    guard !counts.isEmpty else { return }
    for region in list.regions where region.kind == .same {
      for member in list.ours[region.ours] {
        counts[list.trees.ours.contentHash(ofMember: member)]? -= 1
      }
    }
  }

  /// Removes a member that theirs added.
  ///
  /// Equal numbers mean nothing, and equal texts may belong to something else.
  /// - Returns: Whether the result already has the member, where ours added it.
  mutating func take(_ member: Int, in tree: StructureTree) -> Bool {
    let content = tree.contentHash(ofMember: member)
    guard let count = counts[content], count > 0, tree[member].kind != .leaf else { return false }
    counts[content] = count - 1
    return true
  }
}

extension [Int] {
  /// Returns whether some numbers occur in it consecutively.
  fileprivate func contains(run: ArraySlice<Int>) -> Bool {
    indices.contains { self[$0...].starts(with: run) }
  }
}

extension StructureTree {
  /// Returns the hashes of the leaves in a node.
  fileprivate func leafValues(of node: Int) -> Set<Int> {
    Set((node..<Int(self[node].next)).filter { self[$0].kind == .leaf }.map { self[$0].valueHash })
  }
}
