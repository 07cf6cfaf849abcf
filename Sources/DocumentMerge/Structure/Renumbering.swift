/// Pairs members with those of an older list where a side gave their ids to other members.
///
/// Ids that are running numbers do not identify anything once a member was removed, inserted or moved: all behind it get
/// other numbers. That shows in contents, without the ids, that stand under an id that was another member's.
struct Renumbering {
  /// The ids of a list, all different.
  let oldIDs: [Int]
  let newIDs: [Int]

  enum Outcome {
    /// No id went to another member.
    case kept
    /// The old member of each new one; `nil` for those that are new.
    case pairs([Int?])
    /// Ids went to other members, and it is not clear which of them are the same.
    case doubtful
  }

  /// The most pairs of members that are compared at once; more would take too long.
  private static let pairLimit = 1 << 14

  /// Pairs the members.
  /// - Parameters:
  ///   - isUnchanged: Returns whether an old and a new member of one id are equal.
  ///   - oldRest: The content of an old member without its id, by hash.
  ///   - newRest: The content of a new member without its id, by hash.
  ///   - areAlike: Returns whether an old and a new member have most of their contents in common.
  func outcome(
    isUnchanged: (_ old: Int, _ new: Int) -> Bool, oldRest: (Int) -> Int, newRest: (Int) -> Int,
    areAlike: (_ old: Int, _ new: Int) -> Bool
  ) -> Outcome {
    let oldPlaces = Dictionary(zip(oldIDs, oldIDs.indices), uniquingKeysWith: { first, _ in first })
    var pairs = [Int?](repeating: nil, count: newIDs.count)
    for (new, id) in newIDs.enumerated() {
      if let old = oldPlaces[id], isUnchanged(old, new) { pairs[new] = old }
    }
    let known = Set(pairs.compactMap(\.self))
    let oldSingles = Self.singles(oldIDs.indices.filter { !known.contains($0) }, by: oldRest)
    let newSingles = Self.singles(newIDs.indices.filter { pairs[$0] == nil }, by: newRest)
    let newSet = Set(newIDs)
    var isRenumbered = false
    for (rest, new) in newSingles {
      guard let old = oldSingles[rest], oldIDs[old] != newIDs[new] else { continue }
      pairs[new] = old
      let isTaken = oldPlaces[newIDs[new]] != nil || newSet.contains(oldIDs[old])
      isRenumbered = isRenumbered || isTaken
    }
    guard isRenumbered else { return .kept }
    return pairEdited(&pairs, areAlike) ? .pairs(pairs) : .doubtful
  }

  /// Pairs members that were edited, too: those that alone are alike in one gap between others.
  /// - Returns: Whether it is clear which they are.
  private func pairEdited(_ pairs: inout [Int?], _ areAlike: (Int, Int) -> Bool) -> Bool {
    let known = Set(pairs.compactMap(\.self))
    var oldGaps: [Int: [Int]] = [:]
    var last = -1
    for old in oldIDs.indices {
      if known.contains(old) { last = old } else { oldGaps[last, default: []].append(old) }
    }
    var newGaps: [Int: [Int]] = [:]
    last = -1
    for new in newIDs.indices {
      if let old = pairs[new] { last = old } else { newGaps[last, default: []].append(new) }
    }
    for (gap, old) in oldGaps {
      guard let new = newGaps[gap] else { continue }
      guard old.count * new.count <= Self.pairLimit else { return false }
      let alike = new.map { new in old.filter { areAlike($0, new) } }
      for (new, candidates) in zip(new, alike) where !candidates.isEmpty {
        guard candidates.count == 1, alike.count(where: { $0.contains(candidates[0]) }) == 1 else {
          return false
        }
        pairs[new] = candidates[0]
      }
    }
    return true
  }

  /// The members whose content no other one has, by that.
  private static func singles(_ members: [Int], by rest: (Int) -> Int) -> [Int: Int] {
    var singles: [Int: Int?] = [:]
    for member in members {
      let rest = rest(member)
      singles[rest] = singles[rest] == nil ? .some(member) : .some(nil)
    }
    return singles.compactMapValues(\.self)
  }
}

extension MemberMatching {
  /// Matches members by the old ones that they came from.
  /// - Parameters:
  ///   - ours: The old member of each of ours; `nil` for those that are new.
  ///   - theirs: The same for theirs.
  ///   - isSame: Returns whether both sides added a member.
  init(
    baseCount: Int, ours: [Int?], theirs: [Int?], isSame: (_ ours: Int, _ theirs: Int) -> Bool
  ) {
    var count = baseCount
    func next() -> Int {
      defer { count += 1 }
      return count
    }
    let ourNumbers = ours.map { $0 ?? next() }
    var added = ours.indices.filter { ours[$0] == nil }
    let theirNumbers = theirs.enumerated().map { index, old -> Int in
      if let old { return old }
      guard let place = added.firstIndex(where: { isSame($0, index) }) else { return next() }
      return ourNumbers[added.remove(at: place)]
    }
    self.init(
      numbers: MergeSides(
        base: Array(0..<baseCount), ours: ourNumbers, theirs: theirNumbers), count: count)
  }
}
