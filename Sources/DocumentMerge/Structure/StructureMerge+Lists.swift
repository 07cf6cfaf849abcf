extension StructureMerge {
  /// Matches the members of lists by the first of the format's identities that fits all of them.
  func identityMatching(
    _ sides: MergeSides<(StructureTree, [Int])>
  ) -> (MemberMatching, MemberIdentity?)? {
    guard sides.all.contains(where: { !$0.1.isEmpty }) else { return nil }
    for fields in format.identities {
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
  /// What both sides changed in one place, or in places next to each other, is a clash: nobody knows
  /// which member is which.
  mutating func plans(
    base: [Int], ours: [Int], theirs: [Int]
  ) throws -> [Step] {
    var known: [Int: Int32] = [:]
    func numbers(_ members: [Int], _ side: Side) -> [Int32] {
      members.map { member in
        let number = known[tree(side).contentHash(ofMember: member), default: Int32(known.count)]
        known[tree(side).contentHash(ofMember: member)] = number
        return number
      }
    }
    let sides = MergeSides(
      base: numbers(base, .base), ours: numbers(ours, .ours), theirs: numbers(theirs, .theirs))
    let regions = NumberedSides(sides, count: known.count).regions()
    var twice = addedByBoth(base: base, ours: ours, theirs: theirs)
    for region in regions where region.kind == .same {
      for member in ours[region.ours] {
        twice[trees.ours.contentHash(ofMember: member)]? -= 1
      }
    }
    return regions.flatMap { region -> [Step] in
      var added = theirs[region.theirs]
      if region.kind == .theirs {
        added = added.filter { !isTwice($0, &twice) }[...]
        if added.isEmpty, region.base.isEmpty { return [] }
      }
      return plans(for: region, base: base[region.base], ours: ours[region.ours], theirs: added)
    }
  }

  /// How many equal members both sides added, by their contents.
  private func addedByBoth(base: [Int], ours: [Int], theirs: [Int]) -> [Int: Int] {
    func counts(_ members: [Int], _ side: Side) -> [Int: Int] {
      members.reduce(into: [:]) { $0[tree(side).contentHash(ofMember: $1), default: 0] += 1 }
    }
    let (old, other) = (counts(base, .base), counts(theirs, .theirs))
    return counts(ours, .ours).reduce(into: [:]) { result, entry in
      let known = old[entry.key] ?? 0
      let both = min(entry.value - known, (other[entry.key] ?? 0) - known)
      if both > 0 { result[entry.key] = both }
    }
  }

  /// Whether a member that theirs added stands in the result already, where ours added it.
  ///
  /// Equal numbers mean nothing.
  private func isTwice(_ member: Int, _ twice: inout [Int: Int]) -> Bool {
    let content = trees.theirs.contentHash(ofMember: member)
    let bytes = trees.theirs.bytes[trees.theirs[member].value]
    let isNumber = trees.theirs[member].kind == .leaf && format.text(ofLeaf: bytes) == nil
    guard let count = twice[content], count > 0, !isNumber else { return false }
    twice[content] = count - 1
    return true
  }

  private mutating func plans(
    for region: TextRegion, base: ArraySlice<Int>, ours: ArraySlice<Int>, theirs: ArraySlice<Int>
  ) -> [Step] {
    func named(_ plans: [Plan], from start: Int) -> [Step] {
      plans.enumerated().map { index, plan in
        (plan, .positions(start + index..<start + index + 1))
      }
    }
    if region.kind == .clash, let steps = plans(inPlace: region, base, ours, theirs) {
      return steps
    }
    guard let kind = region.kind else {
      return named(
        zip(base, zip(ours, theirs)).map { Plan(base: $0, ours: $1.0, theirs: $1.1) },
        from: region.base.lowerBound)
    }
    let gap = region.base.lowerBound..<region.base.lowerBound + 1
    let own = kind == .theirs ? region.theirs : kind == .ours ? region.ours : gap
    path.append(.positions(region.base.isEmpty ? own : region.base))
    let bytes = SideBytes(
      base: bytes(of: base, .base), ours: bytes(of: ours, .ours), theirs: bytes(of: theirs, .theirs)
    )
    var answer: MergeAnswer = kind == .theirs ? .theirs : .ours
    if kind == .clash {
      answer = ask(
        .members, bytes, choices: [.ours, .theirs, .both, .base], isPositional: true,
        explanation:
          "Both sides changed the list in this place, differently, and nothing tells its members apart."
      )
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

  /// What becomes of members that both sides changed, or added, where the format knows more than their places.
  private mutating func plans(
    inPlace region: TextRegion, _ base: ArraySlice<Int>, _ ours: ArraySlice<Int>,
    _ theirs: ArraySlice<Int>
  ) -> [Step]? {
    if base.isEmpty {
      let names =
        ours.map { trees.ours.name(of: $0, format) }
        + theirs.map { trees.theirs.name(of: $0, format) }
      guard names.allSatisfy({ format.isCombined($0) }) else { return nil }
      let known = Set(ours.map { trees.ours.contentHash(ofMember: $0) })
      let added = theirs.filter { !known.contains(trees.theirs.contentHash(ofMember: $0)) }
      let place = PathStep.positions(region.base.lowerBound..<region.base.lowerBound + 1)
      path.append(place)
      let bytes = SideBytes(
        base: nil, ours: bytes(of: ours, .ours), theirs: bytes(of: theirs, .theirs))
      note(.combined, bytes)
      path.removeLast()
      return ours.map { (Plan(ours: $0), place) } + added.map { (Plan(theirs: $0), place) }
    }
    guard format.pairsInPlace, base.count == ours.count, base.count == theirs.count else {
      return nil
    }
    func tag(_ node: Int, _ tree: StructureTree) -> Int {
      tree[node].kind == .record ? tree[node + 1].valueHash : 0
    }
    let all = zip(base, zip(ours, theirs)).map { ($0, $1.0, $1.1) }
    let old = tree(.base)
    guard
      all.allSatisfy({
        tag($0, old) == tag($1, trees.ours) && tag($0, old) == tag($2, trees.theirs)
      })
    else { return nil }
    return all.enumerated().map { index, nodes in
      let place = region.base.lowerBound + index
      return (
        Plan(base: nodes.0, ours: nodes.1, theirs: nodes.2), .positions(place..<place + 1)
      )
    }
  }

  /// The bytes of some members in a row.
  private func bytes(of members: ArraySlice<Int>, _ side: Side) -> ArraySlice<UInt8>? {
    guard let first = members.first, let last = members.last else { return nil }
    let tree = tree(side)
    return tree.bytes[tree[first].key.lowerBound..<tree[last].value.upperBound]
  }
}
