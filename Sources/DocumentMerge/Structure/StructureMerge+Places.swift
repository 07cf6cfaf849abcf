/// Places in lists that both sides changed, where something tells which members are the same after all.
extension StructureMerge {
  /// What becomes of members that both sides changed, or added, where the format knows more than their places.
  mutating func plans(
    inPlace region: TextRegion, _ base: ArraySlice<Int>, _ ours: ArraySlice<Int>,
    _ theirs: ArraySlice<Int>
  ) throws -> [Step]? {
    if format.hasIndependentMembers,
      let steps = plans(besideEqual: region, base, ours, theirs)
    {
      return steps
    }
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
      return ours.map { Step(Plan(ours: $0), place) } + added.map { Step(Plan(theirs: $0), place) }
    }
    if format.hasIndependentMembers, let steps = plans(named: region, base, ours, theirs) {
      return steps
    }
    guard format.pairsInPlace || format.hasIndependentMembers, base.count == ours.count,
      base.count == theirs.count,
      format.pairsInPlace || !haveNumbers(base: base, ours: ours, theirs: theirs)
    else { return nil }
    let all = zip(base, zip(ours, theirs)).map {
      MergeSides<Int>(base: $0, ours: $1.0, theirs: $1.1)
    }
    let arePaired =
      try format.pairsInPlace ? all.allSatisfy(haveOneTag) : all.allSatisfy(areOneMember)
    guard arePaired else { return nil }
    return all.enumerated().map { index, nodes in
      Step(plan(inPlace: nodes), at: region.base.lowerBound + index)
    }
  }

  /// A member that one side changed is taken as it is; one that both changed is merged.
  private func plan(inPlace nodes: MergeSides<Int>) -> Plan {
    guard !format.pairsInPlace else { return Plan(nodes) }
    switch map(nodes, { $0.contentHash(ofMember: $1) }).settled {
    case .theirs: return Plan(theirs: nodes.theirs)
    case nil: return Plan(nodes)
    default: return Plan(ours: nodes.ours)
    }
  }

  /// What becomes of members if both sides put the same ones beside them, and only one changed anything else.
  private mutating func plans(
    besideEqual region: TextRegion, _ base: ArraySlice<Int>, _ ours: ArraySlice<Int>,
    _ theirs: ArraySlice<Int>
  ) -> [Step]? {
    guard !haveNumbers(base: base, ours: ours, theirs: theirs) else { return nil }
    let old = base.map { tree(.base).contentHash(ofMember: $0) }
    let ourContents = ours.map { trees.ours.contentHash(ofMember: $0) }
    let theirContents = theirs.map { trees.theirs.contentHash(ofMember: $0) }
    let first = zip(ourContents, theirContents).prefix { $0 == $1 }.count
    let last = zip(
      ourContents.dropFirst(first).reversed(), theirContents.dropFirst(first).reversed()
    )
    .prefix { $0 == $1 }.count
    guard first + last > 0 else { return nil }
    // What one side left as it was is what the other one changed; nothing, if that was all.
    func isOld(_ contents: [Int]) -> Bool {
      let rest = contents.dropFirst(first).dropLast(last)
      return rest.isEmpty ? old.count <= first + last : old.contains(run: rest)
    }
    let takesTheirs = isOld(ourContents)
    guard takesTheirs != isOld(theirContents) else { return nil }
    let positions = takesTheirs ? region.theirs : region.ours
    path.append(.positions(region.base.isEmpty ? positions : region.base))
    note(
      takesTheirs ? .theirs : .ours,
      SideBytes(
        base: bytes(of: base, .base), ours: bytes(of: ours, .ours),
        theirs: bytes(of: theirs, .theirs)))
    path.removeLast()
    let taken = takesTheirs ? theirs : ours
    return taken.indices.map { index in
      let (before, behind) = (index - taken.startIndex, taken.endIndex - index)
      // What both put there is of both.
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

  /// What becomes of members that have names in this place, while others of the list have none.
  private mutating func plans(
    named region: TextRegion, _ base: ArraySlice<Int>, _ ours: ArraySlice<Int>,
    _ theirs: ArraySlice<Int>
  ) -> [Step]? {
    let members = MergeSides(base: Array(base), ours: Array(ours), theirs: Array(theirs))
    guard let (matching, fields) = matching(inPlace: members) else { return nil }
    return plans(
      members, matching, fields, MemberSides(), .list, from: region.base.lowerBound)
  }

  /// Asks about the places where both sides put something else instead of members that have names.
  /// - Returns: The numbers of the members that are gone with the answers.
  mutating func askAboutPlaces(
    _ matching: MemberMatching, _ members: MergeSides<[Int]>, _ renames: Renames,
    from start: Int
  ) -> Set<Int> {
    let asked = renames.ofBoth.values.flatMap { [$0.ours, $0.theirs].compactMap { $0 } }
    return matching.contestedPlaces(except: Set(asked)).reduce(into: []) { dropped, place in
      path.append(.positions(start + place.base.lowerBound..<start + place.base.upperBound))
      let texts = SideBytes(
        base: members.base.flatMap { bytes(of: $0[place.base], .base) },
        ours: bytes(of: members.ours[place.ours], .ours),
        theirs: bytes(of: members.theirs[place.theirs], .theirs))
      let answer = ask(
        .members, texts, choices: [.ours, .theirs, .both], isPositional: true,
        explanation: "Both sides put something else in this place, differently.")
      path.removeLast()
      switch answer {
      case .theirs: dropped.formUnion(place.added.ours)
      case .both: break
      case .ours, .base, .text: dropped.formUnion(place.added.theirs)
      }
    }
  }

  /// Whether members of one place are of one kind.
  private func haveOneTag(_ nodes: MergeSides<Int>) -> Bool {
    let tags = map(nodes) { tree, node in
      tree[node].kind == .record ? tree[node + 1].valueHash : 0
    }
    return tags.base == tags.ours && tags.base == tags.theirs
  }

  /// Whether members of one place are surely the same one: half of it or more is the same on all sides, so that it is in
  /// the result, and what was changed goes together.
  private func areOneMember(_ nodes: MergeSides<Int>) throws -> Bool {
    if map(nodes, { $0.contentHash(ofMember: $1) }).settled != nil { return true }
    let kinds = map(nodes) { $0[$1].kind }.all
    if kinds.allSatisfy(\.isMapping) { return areMostlyEqual(map(nodes, parts(of:_:)).all) }
    guard kinds.allSatisfy({ $0 == .leaf }) else { return false }
    let words = map(nodes) { tree, node in
      tree.bytes[tree[node].value].split { $0.isSpace }.map { MemberPart(name: Array($0)) }
    }
    return try words.all.allSatisfy { $0.count >= 5 } && areMostlyEqual(words.all)
      && mergedLeaf(nodes) != nil
  }
}

extension [Int] {
  /// Whether some numbers stand in it, one after the other.
  fileprivate func contains(run: ArraySlice<Int>) -> Bool {
    indices.contains { self[$0...].starts(with: run) }
  }
}
