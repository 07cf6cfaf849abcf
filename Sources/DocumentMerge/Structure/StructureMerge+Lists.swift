extension StructureMerge {
  /// Matches the members of lists by the first of the format's identities that fits all of them.
  func identityMatching(
    _ sides: MergeSides<(StructureTree, [Int])>,
    where isWanted: (MemberIdentity) -> Bool = { _ in true }
  ) -> (MemberMatching, MemberIdentity?)? {
    guard sides.all.contains(where: { !$0.1.isEmpty }) else { return nil }
    for fields in format.identities where isWanted(fields) {
      var isKnown = true
      let identities = sides.map { tree, members in
        members.compactMap { member in
          let identity = isKnown ? tree.identity(of: member, by: fields, format) : nil
          isKnown = identity != nil
          return identity
        }
      }
      guard isKnown else { continue }
      let groups = fields.isReplaceable ? self.groups(sides, fields) : nil
      let names = groups.map { groups in paired(identities, in: groups) } ?? identities
      if let matching = MemberMatching(names),
        !fields.isReplaceable || !matching.mayReplaceDifferently(in: groups)
      {
        return (matching, fields)
      }
    }
    return nil
  }

  /// What the first field alone says about members, which have it all.
  private func groups(
    _ sides: MergeSides<(StructureTree, [Int])>, _ fields: MemberIdentity
  ) -> MergeSides<[Int]> {
    sides.map { tree, members in
      members.map { tree.identity(of: $0, by: fields.leading, format) ?? 0 }
    }
  }

  /// Identities of members, where those that are alone in their group on all sides are known by that.
  private func paired(
    _ identities: MergeSides<[Int]>, in groups: MergeSides<[Int]>
  ) -> MergeSides<[Int]> {
    var shared: Set<Int> = []
    for groups in groups.all {
      var seen: Set<Int> = []
      for group in groups where !seen.insert(group).inserted { shared.insert(group) }
    }
    func names(_ identities: [Int], _ groups: [Int]) -> [Int] {
      zip(identities, groups).map { shared.contains($0.1) ? $0.0 : $0.1 }
    }
    return MergeSides(
      base: identities.base.flatMap { base in groups.base.map { names(base, $0) } },
      ours: names(identities.ours, groups.ours), theirs: names(identities.theirs, groups.theirs))
  }

  /// What becomes of members that have no name: they are aligned by what is in them.
  ///
  /// What both sides changed in one place is a clash, unless something tells which member is which; so are numbers
  /// next to each other, of which each side changed some.
  mutating func plans(
    base: [Int], ours: [Int], theirs: [Int]
  ) throws -> [Step] {
    let areNumbers = haveNumbers(base: base[...], ours: ours[...], theirs: theirs[...])
    let regions = numbers(MergeSides(base: base, ours: ours, theirs: theirs))
      .regions(ofMembers: !areNumbers && format.hasIndependentMembers)
    var twice = addedByBoth(regions, base: base, ours: ours, theirs: theirs)
    let doubts = doubts(about: regions, twice, base: base, ours: ours, theirs: theirs)
    for region in regions where region.kind == .same && !twice.isEmpty {
      for member in ours[region.ours] {
        twice[trees.ours.contentHash(ofMember: member)]? -= 1
      }
    }
    return try regions.enumerated().flatMap { index, region -> [Step] in
      var added = theirs[region.theirs]
      if region.kind == .theirs {
        added = added.filter { !isTwice($0, &twice) }[...]
        if added.isEmpty, region.base.isEmpty { return [] }
      }
      return try plans(
        for: region, base: base[region.base], ours: ours[region.ours], theirs: added, &twice,
        doubts[index])
    }
  }

  /// Numbers the members of lists: equal ones for equal contents.
  private func numbers(_ members: MergeSides<[Int]>) -> NumberedSides {
    func contents(_ members: [Int], _ side: Side) -> MemberContents {
      MemberContents(members: members, tree: tree(side))
    }
    var known = MemberNumbers()
    let base = contents(members.base ?? [], .base)
    let old = known.numbers(of: base, like: ([], base))
    let sides = MergeSides(
      base: members.base.map { _ in old },
      ours: known.numbers(of: contents(members.ours, .ours), like: (old, base)),
      theirs: known.numbers(of: contents(members.theirs, .theirs), like: (old, base)))
    return NumberedSides(sides, count: known.count)
  }

  /// How many equal members both sides added, by their contents.
  private func addedByBoth(
    _ regions: [TextRegion], base: [Int], ours: [Int], theirs: [Int]
  ) -> [Int: Int] {
    var (ourAdded, theirAdded) = ([Int: Int](), [Int: Int]())
    for region in regions where region.kind != nil {
      for member in base[region.base] {
        let content = tree(.base).contentHash(ofMember: member)
        ourAdded[content, default: 0] -= 1
        theirAdded[content, default: 0] -= 1
      }
      for member in ours[region.ours] {
        ourAdded[trees.ours.contentHash(ofMember: member), default: 0] += 1
      }
      for member in theirs[region.theirs] {
        theirAdded[trees.theirs.contentHash(ofMember: member), default: 0] += 1
      }
    }
    return ourAdded.reduce(into: [:]) { result, entry in
      let both = min(entry.value, theirAdded[entry.key] ?? 0)
      if both > 0 { result[entry.key] = both }
    }
  }

  /// The regions that one side alone changed, or of which something is known, and that are asked about all the same.
  private func doubts(
    about regions: [TextRegion], _ twice: [Int: Int], base: [Int], ours: [Int], theirs: [Int]
  ) -> [Int: MemberDoubt] {
    var doubts: [Int: MemberDoubt] = [:]
    for region in regionsWithTextsOfBoth(regions, twice, ours, theirs) { doubts[region] = .place }
    let removed = regions.removedByEach { tree(.base).contentHash(ofMember: base[$0]) }
    for region in removed { doubts[region] = .removal }
    let moved = regionsOfMoved(regions, base: base, ours: ours, theirs: theirs)
    let changed = regionsOfMovedAndChanged(regions, base: base, ours: ours, theirs: theirs)
    return doubts.merging(moved) { $1 }.merging(changed) { $1 }
  }

  /// The regions in which a side adds a text that the other one added in a region before, or where both clash.
  ///
  /// It may belong to what is around it, so nobody knows whether it is the same.
  private func regionsWithTextsOfBoth(
    _ regions: [TextRegion], _ twice: [Int: Int], _ ours: [Int], _ theirs: [Int]
  ) -> Set<Int> {
    guard !twice.isEmpty else { return [] }
    func texts(_ region: TextRegion, of side: Side) -> [Int] {
      let members = side == .ours ? ours[region.ours] : theirs[region.theirs]
      return members.filter { tree(side)[$0].kind == .leaf && !isNumber($0, side) }
        .map { tree(side).contentHash(ofMember: $0) }.filter { twice[$0] != nil }
    }
    let clashes = regions.filter { $0.kind == .clash }
    var ourTexts = Set(clashes.flatMap { texts($0, of: .ours) })
    var theirTexts = Set(clashes.flatMap { texts($0, of: .theirs) })
    var doubtful: Set<Int> = []
    for (index, region) in regions.enumerated() {
      switch region.kind {
      case .ours:
        let added = texts(region, of: .ours)
        if !theirTexts.isDisjoint(with: added) { doubtful.insert(index) }
        ourTexts.formUnion(added)
      case .theirs:
        let added = texts(region, of: .theirs)
        if !ourTexts.isDisjoint(with: added) { doubtful.insert(index) }
        theirTexts.formUnion(added)
      default: break
      }
    }
    return doubtful
  }

  /// Whether a member that theirs added stands in the result already, where ours added it.
  ///
  /// Equal numbers mean nothing, and equal texts may belong to something else.
  private func isTwice(_ member: Int, _ twice: inout [Int: Int]) -> Bool {
    let content = trees.theirs.contentHash(ofMember: member)
    guard let count = twice[content], count > 0, trees.theirs[member].kind != .leaf else {
      return false
    }
    twice[content] = count - 1
    return true
  }

  /// Whether there are numbers, which may belong together, such as those of a place.
  func haveNumbers(
    base: ArraySlice<Int>, ours: ArraySlice<Int>, theirs: ArraySlice<Int>
  ) -> Bool {
    base.contains { isNumber($0, .base) } || ours.contains { isNumber($0, .ours) }
      || theirs.contains { isNumber($0, .theirs) }
  }

  /// Whether a member is a value that is no text.
  func isNumber(_ member: Int, _ side: Side) -> Bool {
    let tree = tree(side)
    return tree[member].kind == .leaf && format.text(ofLeaf: tree.bytes[tree[member].value]) == nil
  }

  private mutating func plans(
    for region: TextRegion, base: ArraySlice<Int>, ours: ArraySlice<Int>,
    theirs: ArraySlice<Int>, _ twice: inout [Int: Int], _ doubt: MemberDoubt?
  ) throws -> [Step] {
    func named(_ plans: [Plan], from start: Int) -> [Step] {
      plans.enumerated().map { index, plan in Step(plan, at: start + index) }
    }
    if region.kind == .clash, doubt == nil,
      let steps = try plans(inPlace: region, base, ours, theirs)
    {
      return steps.filter { step in
        guard step.plan.base == nil, let added = step.plan.theirs else { return true }
        let isTwice = isTwice(added, &twice)
        return step.plan.ours != nil || !isTwice
      }
    }
    guard let kind = doubt == nil ? region.kind : .clash else {
      return unchanged(
        MergeSides(base: base, ours: ours, theirs: theirs), from: region.base.lowerBound)
    }
    let gap = region.base.lowerBound..<region.base.lowerBound + 1
    let own = kind == .theirs ? region.theirs : kind == .ours ? region.ours : gap
    path.append(.positions(region.base.isEmpty ? own : region.base))
    let bytes = SideBytes(
      base: bytes(of: base, .base), ours: bytes(of: ours, .ours), theirs: bytes(of: theirs, .theirs)
    )
    var answer: MergeAnswer = kind == .theirs ? .theirs : .ours
    if kind == .clash {
      let doubt = doubt ?? .place
      answer = ask(
        .members, bytes, choices: [.ours, .theirs, .both, .base],
        isPositional: doubt.isPositional, explanation: doubt.explanation)
    } else {
      note(kind, bytes)
    }
    path.removeLast()
    let ourPlans = named(ours.map { Plan(ours: $0) }, from: region.ours.lowerBound)
    let theirPlans = named(theirs.map { Plan(theirs: $0) }, from: region.theirs.lowerBound)
    switch answer {
    case .theirs: return theirPlans
    case .base: return named(base.map { Plan(base: $0) }, from: region.base.lowerBound)
    case .both: return ourPlans + theirPlans
    case .ours, .text: return ourPlans
    }
  }

  /// Members that nobody changed: those between the first and the last are one step, as there may be many.
  private func unchanged(_ members: MergeSides<ArraySlice<Int>>, from start: Int) -> [Step] {
    func plan(_ offset: Int) -> Plan {
      Plan(members.map { $0[$0.startIndex + offset] })
    }
    let count = members.ours.count
    guard count > 3, rulings.ours.isEmpty, rulings.theirs.isEmpty else {
      return (0..<count).map { Step(plan($0), at: start + $0) }
    }
    return [
      Step(plan(0), at: start), Step(plan(1), at: start + 1, count: count - 2),
      Step(plan(count - 1), at: start + count - 1),
    ]
  }

  /// The bytes of some members in a row.
  func bytes(of members: ArraySlice<Int>, _ side: Side) -> ArraySlice<UInt8>? {
    guard let first = members.first, let last = members.last else { return nil }
    let tree = tree(side)
    return tree.bytes[tree[first].key.lowerBound..<tree[last].value.upperBound]
  }
}

/// What the members of a list say, by hashes.
private struct MemberContents {
  let members: [Int]
  let tree: StructureTree

  subscript(index: Int) -> Int { tree.contentHash(ofMember: members[index]) }
}

/// Numbers for members: equal ones for equal contents.
private struct MemberNumbers {
  private var known: [Int: Int32] = [:]

  var count: Int { known.count }

  /// - Parameter old: The numbers of another list, which are the same at the start and the end of this one.
  mutating func numbers(
    of contents: MemberContents, like old: (numbers: [Int32], contents: MemberContents)
  ) -> [Int32] {
    let (count, oldCount) = (contents.members.count, old.numbers.count)
    let common = min(count, oldCount)
    let start = (0..<common).first { contents[$0] != old.contents[$0] } ?? common
    let end =
      (0..<common - start).first {
        contents[count - 1 - $0] != old.contents[oldCount - 1 - $0]
      } ?? common - start
    known.reserveCapacity(count - start - end)
    let changed = (start..<count - end).map { index in
      known.withDefault(Int32(known.count), for: contents[index])
    }
    return old.numbers.prefix(start) + changed + old.numbers.suffix(end)
  }
}

extension [Int: Int32] {
  /// The value for a key, which is added if there is none.
  fileprivate mutating func withDefault(_ value: Int32, for key: Int) -> Int32 {
    func same(_ value: inout Int32) -> Int32 { value }
    return same(&self[key, default: value])
  }
}
