/// A reason to ask about a place in a list that only one side changed.
struct MemberDoubt {
  /// A sentence for people.
  let explanation: String
  /// True if the doubt is only about the position, so that a merge by lines may be better.
  let isPositional: Bool

  /// The members there may belong to those around them.
  static let place = MemberDoubt(
    explanation:
      "Both sides changed the list in this place, differently, and nothing tells its members apart.",
    isPositional: true)
  /// Both sides removed a member and added a similar one elsewhere.
  static let move = MemberDoubt(
    explanation: "Both sides moved or changed a member, differently, and nothing tells which.",
    isPositional: false)

  /// One side removed a member that the other side added elsewhere, perhaps changed.
  static func move(by side: String, removedBy other: String) -> MemberDoubt {
    MemberDoubt(
      explanation: "Perhaps moved by \(side) what was removed by \(other).", isPositional: false)
  }

  /// One side moved a member that the other side changed at its old place.
  static func move(by side: String, changedBy other: String) -> MemberDoubt {
    MemberDoubt(explanation: "Moved by \(side), changed by \(other).", isPositional: false)
  }

  /// Each side kept a member that the other side removed.
  static let removal = MemberDoubt(
    explanation: "Each side removed another one of equal members.", isPositional: false)
}

extension [TextRegion] {
  /// Returns the regions in which a side only removed members that the other side removed elsewhere.
  ///
  /// Both sides still have one of two equal members, which may be the one that the other side removed.
  /// - Parameter content: The content of an element of base, as a hash.
  func removedByEach(_ content: (_ element: Int) -> Int) -> Set<Int> {
    func removed(by kind: MergeDecision.Kind) -> [(region: Int, contents: Set<Int>)] {
      indices.filter { self[$0].kind == kind && self[$0].shrinks }
        .map { ($0, Set(self[$0].base.map(content))) }
    }
    let (ours, theirs) = (removed(by: .ours), removed(by: .theirs))
    guard !ours.isEmpty, !theirs.isEmpty else { return [] }
    func all(_ regions: [(region: Int, contents: Set<Int>)]) -> Set<Int> {
      regions.reduce(into: []) { $0.formUnion($1.contents) }
    }
    let (byOurs, byTheirs) = (all(ours), all(theirs))
    return Set(
      ours.filter { $0.contents.isSubset(of: byTheirs) }.map(\.region)
        + theirs.filter { $0.contents.isSubset(of: byOurs) }.map(\.region))
  }
}

extension TextRegion {
  /// True if the side that changed the region has fewer members there than base.
  fileprivate var shrinks: Bool { (kind == .theirs ? theirs : ours).count < base.count }
  /// The members that only one side added there.
  fileprivate var added: Range<Int> { kind == .ours ? ours : kind == .theirs ? theirs : 0..<0 }
}

/// Finds the regions of a list that need a question although only one side changed them, or a rule could
/// decide.
struct ListDoubts<Format: StructuredFormat>: DocumentsReader {
  let list: ListChanges<Format>
  /// The contents of members that both sides added.
  let addedByBoth: Set<Int>
  let labels: MergeLabels

  var documents: MergedDocuments<Format> { list.documents }

  /// Returns the doubts by the number of the region.
  func byRegion() -> [Int: MemberDoubt] {
    var doubts: [Int: MemberDoubt] = [:]
    for region in withTextsOfBoth() { doubts[region] = .place }
    let removed = list.regions.removedByEach { tree(.base).contentHash(ofMember: list.base[$0]) }
    for region in removed { doubts[region] = .removal }
    for region in withMovedAmongAdded() { doubts[region] = .place }
    return doubts.merging(ofMoved()) { $1 }.merging(ofMovedAndChanged()) { $1 }
  }

  /// Returns the regions in which a side adds a text that the other side added in an earlier region or in a
  /// clash.
  ///
  /// The text may belong to its neighbors, so it isn't clear whether it is the same.
  private func withTextsOfBoth() -> Set<Int> {
    guard !addedByBoth.isEmpty else { return [] }
    func texts(_ region: TextRegion, of side: Side) -> [Int] {
      let members = side == .ours ? list.ours[region.ours] : list.theirs[region.theirs]
      return members.filter { tree(side)[$0].kind == .leaf && !isNumber($0, side) }
        .map { tree(side).contentHash(ofMember: $0) }.filter(addedByBoth.contains)
    }
    let clashes = list.regions.filter { $0.kind == .clash }
    var ourTexts = Set(clashes.flatMap { texts($0, of: .ours) })
    var theirTexts = Set(clashes.flatMap { texts($0, of: .theirs) })
    var doubtful: Set<Int> = []
    for (index, region) in list.regions.enumerated() {
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

  /// Returns the regions where both sides only added members, and one of them is an old member that the other side
  /// removed or changed.
  private func withMovedAmongAdded() -> [Int] {
    let places = list.regions.indices.filter {
      list.regions[$0].kind == .clash && list.regions[$0].base.isEmpty
    }
    guard !places.isEmpty else { return [] }
    func contents(_ members: some Sequence<Int>, _ side: Side) -> Set<Int> {
      Set(members.map { tree(side).contentHash(ofMember: $0) })
    }
    let kept = contents(list.ours, .ours).intersection(contents(list.theirs, .theirs))
    let lost = contents(list.base, .base).subtracting(kept)
    return places.filter { place in
      let region = list.regions[place]
      return !lost.isDisjoint(with: contents(list.ours[region.ours], .ours))
        || !lost.isDisjoint(with: contents(list.theirs[region.theirs], .theirs))
    }
  }

  /// Returns the regions to which a side may have moved a member.
  ///
  /// Both sides removed the member at its old place, and it is elsewhere, unchanged or changed.
  private func ofMoved() -> [Int: MemberDoubt] {
    let regions = list.regions
    let gone = regions.filter { $0.kind == .same && $0.shrinks }
      .flatMap { list.base[$0.base] }.filter { !isNumber($0, .base) }
    guard !gone.isEmpty else { return [:] }
    // After many removals and additions, nothing shows what replaced what, and comparing everything would
    // take too long.
    let isComparable = gone.count * regions.reduce(0) { $0 + $1.added.count } <= 1 << 14
    func placed(_ members: [Int], _ side: Side) -> PlacedMembers {
      PlacedMembers(regions, side, members, tree(side)) { member in
        isComparable ? tree(side).parts(ofMoved: member, format) : nil
      }
    }
    let (ours, theirs) = (placed(list.ours, .ours), placed(list.theirs, .theirs))
    var doubts: [Int: MemberDoubt] = [:]
    for member in gone {
      let content = tree(.base).contentHash(ofMember: member)
      let parts = isComparable ? tree(.base).parts(ofMoved: member, format) : nil
      let (own, other) = (ours.like(content, parts), theirs.like(content, parts))
      switch (own, other) {
      case (let own?, let other?) where own.content != other.content:
        (doubts[own.region], doubts[other.region]) = (.move, .move)
      case (let own?, nil):
        doubts[own.region] = .move(by: labels.ours, removedBy: labels.theirs)
      case (nil, let other?):
        doubts[other.region] = .move(by: labels.theirs, removedBy: labels.ours)
      default: break
      }
    }
    return doubts
  }

  /// Returns the regions in which one side changed a member that the other side moved unchanged.
  private func ofMovedAndChanged() -> [Int: MemberDoubt] {
    let regions = list.regions
    let clashes = regions.indices.filter { regions[$0].kind == .clash && !regions[$0].base.isEmpty }
    guard !clashes.isEmpty else { return [:] }
    // The comments around a member aren't part of it, because they may belong to another one.
    func contents(_ members: [Int], _ side: Side) -> [Int] {
      members.map { tree(side).contentHash(of: $0) }
    }
    let old = contents(list.base, .base)
    let byOurs = MovedContents(from: old, to: contents(list.ours, .ours))
    let byTheirs = MovedContents(from: old, to: contents(list.theirs, .theirs))
    return clashes.reduce(into: [:]) { doubts, index in
      for place in regions[index].base where !isNumber(list.base[place], .base) {
        if byOurs.moved.contains(old[place]), byTheirs.lost.contains(old[place]) {
          doubts[index] = .move(by: labels.ours, changedBy: labels.theirs)
        } else if byTheirs.moved.contains(old[place]), byOurs.lost.contains(old[place]) {
          doubts[index] = .move(by: labels.theirs, changedBy: labels.ours)
        }
      }
    }
  }
}

/// The contents of a list that one side moved or removed.
private struct MovedContents {
  /// The contents that have changed places with others; both of two exchanged ones.
  private(set) var moved: Set<Int> = []
  /// The contents that are missing, or occur less often.
  let lost: Set<Int>

  init(from old: [Int], to new: [Int]) {
    var places: [Int: [Int]] = [:]
    for place in old.indices.reversed() { places[old[place], default: []].append(place) }
    let kept = new.compactMap { places[$0]?.popLast() }
    lost = Set(places.filter { !$0.value.isEmpty }.keys)
    var end = 0
    for place in kept {
      if place < end { moved.insert(old[place]) }
      end = max(end, place)
    }
    var start = old.count
    for place in kept.reversed() {
      if place > start { moved.insert(old[place]) }
      start = min(start, place)
    }
  }
}

/// The members that only one side added to a list.
private struct PlacedMembers {
  struct Member {
    /// The region where the side put it.
    let region: Int
    let content: Int
    let parts: Set<MemberPart>?
  }

  private let members: [Member]
  private let places: [Int: Int]

  init(
    _ regions: [TextRegion], _ side: MergeSide, _ members: [Int], _ tree: StructureTree,
    parts: (_ member: Int) -> Set<MemberPart>?
  ) {
    let kind: MergeDecision.Kind = side == .ours ? .ours : .theirs
    self.members = regions.indices.filter { regions[$0].kind == kind }.flatMap { region in
      members[regions[region].added].map { member in
        Member(
          region: region, content: tree.contentHash(ofMember: member), parts: parts(member))
      }
    }
    places = Dictionary(
      self.members.enumerated().map { ($1.content, $0) }, uniquingKeysWith: { first, _ in first })
  }

  /// Returns the member with the same contents, or else the one with most of the same parts, which must be at
  /// least half of them.
  func like(_ content: Int, _ parts: Set<MemberPart>?) -> Member? {
    if let place = places[content] { return members[place] }
    guard let parts else { return nil }
    var (best, found): (Int, Member?) = (0, nil)
    for member in members {
      guard let others = member.parts else { continue }
      let same = parts.intersection(others).count
      if same > best, 2 * same >= max(parts.count, others.count) { (best, found) = (same, member) }
    }
    return found
  }
}

extension StructureTree {
  /// Returns the parts that distinguish a node from others of its name: the members of a mapping, or an
  /// element's attributes and contents; `nil` if it has none.
  fileprivate func parts(
    ofMoved node: Int, _ format: some StructuredFormat
  ) -> Set<MemberPart>? {
    let kind = self[node].kind
    guard kind.isMapping || kind == .record else { return nil }
    var parts = members(of: node)[...]
    // The tag must be the same, or everything is different.
    let tag = kind == .record ? parts.popFirst().map { self[$0].valueHash } ?? 0 : 0
    if kind == .record {
      parts = parts.flatMap { self[$0].kind == .leaf ? [$0] : members(of: $0) }[...]
    }
    return Set(
      parts.map { part in
        MemberPart(name: name(of: part, format), value: mixed(self[part].valueHash, tag))
      })
  }
}
