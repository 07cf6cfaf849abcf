/// Divides lists of unnamed members into regions, by the changes of two sides.
extension TextRegion {
  /// Divides three lists of members into regions.
  ///
  /// Changes that overlap belong to one region. Changes that only touch stay separate if the order of their
  /// results is clear. It isn't if both add more members than they replace. The order is also unclear if one
  /// side removed the neighbors of members that the other side replaced, which may have become part of the
  /// replacement.
  static func regions(
    ofMembers count: Int, oursChanges: [LineChange], theirsChanges: [LineChange],
    isSame: (_ ours: Range<Int>, _ theirs: Range<Int>) -> Bool
  ) -> [TextRegion] {
    var groups: [ChangeGroup] = []
    let changes = oursChanges.map { ($0, true) } + theirsChanges.map { ($0, false) }
    // An insertion before members comes before their replacement.
    let sorted = changes.sorted { one, other in
      (one.0.old.lowerBound, one.0.old.upperBound)
        < (other.0.old.lowerBound, other.0.old.upperBound)
    }
    for (change, isOurs) in sorted {
      if let last = groups.indices.last, groups[last].holds(change, isOurs: isOurs) {
        groups[last].add(change, isOurs: isOurs)
      } else {
        groups.append(ChangeGroup(change, isOurs: isOurs))
      }
    }
    return regions(groups, baseCount: count, isSame)
  }

  private static func regions(
    _ groups: [ChangeGroup], baseCount: Int,
    _ isSame: (_ ours: Range<Int>, _ theirs: Range<Int>) -> Bool
  ) -> [TextRegion] {
    var regions: [TextRegion] = []
    var (base, ours, theirs) = (0, 0, 0)
    func append(_ kind: MergeDecision.Kind?, _ count: Int, _ growth: (ours: Int, theirs: Int)) {
      let ends = (ours + count + growth.ours, theirs + count + growth.theirs)
      var kind = kind
      if kind == .clash, isSame(ours..<ends.0, theirs..<ends.1) { kind = .same }
      regions.append(
        TextRegion(
          kind: kind, base: base..<base + count, ours: ours..<ends.0, theirs: theirs..<ends.1))
      (base, ours, theirs) = (base + count, ends.0, ends.1)
    }
    for group in groups {
      if group.old.lowerBound > base { append(nil, group.old.lowerBound - base, (0, 0)) }
      append(group.kind, group.old.count, group.growth)
    }
    if base < baseCount { append(nil, baseCount - base, (0, 0)) }
    return regions
  }
}

/// Changes of one or both sides that belong together.
private struct ChangeGroup {
  private(set) var old: Range<Int>
  private(set) var growth: (ours: Int, theirs: Int) = (0, 0)
  private var hasOurs = false
  private var hasTheirs = false
  /// The changes that reach the end.
  private var lastChanges: [LineChange] = []

  init(_ change: LineChange, isOurs: Bool) {
    old = change.old
    add(change, isOurs: isOurs)
  }

  var kind: MergeDecision.Kind { hasOurs && hasTheirs ? .clash : hasOurs ? .ours : .theirs }

  func holds(_ change: LineChange, isOurs: Bool) -> Bool {
    if change.old.lowerBound < old.upperBound { return true }
    return change.old.lowerBound == old.upperBound
      && lastChanges.contains { last in
        last.grows && change.grows || last.removes && change.replaces
          || last.replaces && change.removes
      }
  }

  mutating func add(_ change: LineChange, isOurs: Bool) {
    if change.old.upperBound > old.upperBound {
      lastChanges = []
      old = old.lowerBound..<change.old.upperBound
    }
    if change.old.upperBound == old.upperBound { lastChanges.append(change) }
    let added = change.new.count - change.old.count
    if isOurs { (hasOurs, growth.ours) = (true, growth.ours + added) }
    if !isOurs { (hasTheirs, growth.theirs) = (true, growth.theirs + added) }
  }
}

extension LineChange {
  /// True if the change adds more than it replaces.
  fileprivate var grows: Bool { new.count > old.count }
  /// True if the change only removes.
  fileprivate var removes: Bool { new.isEmpty }
  /// True if the change replaces.
  fileprivate var replaces: Bool { !new.isEmpty && !old.isEmpty }
}
