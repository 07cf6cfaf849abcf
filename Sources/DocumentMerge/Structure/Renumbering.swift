/// Pairs members with those of an older list if a side gave their ids to other members.
///
/// Running numbers don't identify members after one was removed, inserted or moved, because all members after
/// it are renumbered. A renumbering is recognized by contents, without the ids, that now have the id of
/// another member.
struct Renumbering {
  /// The unique ids of each list.
  let oldIDs: [Int]
  let newIDs: [Int]
  /// Further names, as hashes, each of which distinguishes all old members, and all new ones.
  var names: [(old: [Int], new: [Int])] = []

  enum Outcome {
    /// No id belongs to another member now.
    case kept
    /// The old member of each new member; `nil` for added members.
    case pairs([Int?])
    /// Ids now belong to other members, and it isn't clear which members are the same.
    case doubtful
  }

  /// The maximum number of member pairs compared at once, because more would take too long.
  private static let pairLimit = 1 << 14

  /// Pairs the members by equality, and by the hashes of their parts without the ids.
  func outcome(
    isUnchanged: (_ old: Int, _ new: Int) -> Bool, oldParts: (Int) -> [Int],
    newParts: (Int) -> [Int], areAlike: (_ old: Int, _ new: Int) -> Bool
  ) -> Outcome {
    let oldPlaces = Dictionary(zip(oldIDs, oldIDs.indices), uniquingKeysWith: { first, _ in first })
    var pairs = [Int?](repeating: nil, count: newIDs.count)
    for (new, id) in newIDs.enumerated() {
      if let old = oldPlaces[id], isUnchanged(old, new) { pairs[new] = old }
    }
    let known = Set(pairs.compactMap(\.self))
    let (gone, come) = (
      oldIDs.indices.filter { !known.contains($0) }, newIDs.indices.filter { pairs[$0] == nil }
    )
    let oldSingles = Self.singles(gone, by: oldParts)
    let newSingles = Self.singles(come, by: newParts)
    let newSet = Set(newIDs)
    var isRenumbered = false
    for (rest, new) in newSingles {
      guard let old = oldSingles[rest], oldIDs[old] != newIDs[new] else { continue }
      pairs[new] = old
      let isTaken = oldPlaces[newIDs[new]] != nil || newSet.contains(oldIDs[old])
      isRenumbered = isRenumbered || isTaken
    }
    // If the ids are the same from the first one on, they are only positions.
    let arePlaces = zip(oldIDs, newIDs).allSatisfy(==)
    isRenumbered =
      isRenumbered
      || gone.count * come.count <= Self.pairLimit
        && come.contains { new in
          guard let own = oldPlaces[newIDs[new]], arePlaces || !areAlike(own, new) else {
            return false
          }
          return isOther(own, new, among: gone, oldParts, newParts, areAlike)
        }
    guard isRenumbered else { return .kept }
    if arePlaces { pairEqual(&pairs, oldParts, newParts) }
    pairNamed(&pairs, areAlike)
    return pairEdited(&pairs, areAlike) ? .pairs(pairs) : .doubtful
  }

  /// Returns whether a new member may be another old member than the one with its id.
  ///
  /// It must have contents of the other one that the old member with its id lacks, and share at least as many
  /// contents with it.
  private func isOther(
    _ own: Int, _ new: Int, among old: [Int], _ oldParts: (Int) -> [Int],
    _ newParts: (Int) -> [Int], _ areAlike: (Int, Int) -> Bool
  ) -> Bool {
    let parts = Set(newParts(new))
    let kept = parts.intersection(oldParts(own))
    return old.contains { other in
      guard other != own, areAlike(other, new) else { return false }
      let shared = parts.intersection(oldParts(other))
      return shared.count >= kept.count && !shared.isSubset(of: kept)
    }
  }

  /// Pairs members by their contents, in order and regardless of their ids, as far as there is only one
  /// possibility.
  private func pairEqual(
    _ pairs: inout [Int?], _ oldParts: (Int) -> [Int], _ newParts: (Int) -> [Int]
  ) {
    let (old, new) = (oldIDs.indices.map(oldParts), newIDs.indices.map(newParts))
    let singles = (
      Self.singles(Array(old.indices)) { old[$0] }, Self.singles(Array(new.indices)) { new[$0] }
    )
    pairs = new.map { _ in nil }
    for (rest, place) in singles.1 { pairs[place] = singles.0[rest] }
    for (oldGap, newGap) in pairs.gaps(oldCount: oldIDs.count) {
      let most = min(oldGap.count, newGap.count)
      let before = zip(oldGap, newGap).prefix { old[$0] == new[$1] }.count
      let after = zip(oldGap.reversed(), newGap.reversed()).prefix { old[$0] == new[$1] }.count
      let isSame = before == oldGap.count && before == newGap.count
      // A member that is equal from both ends may be part of either.
      for place in 0..<(isSame ? before : min(before, most - after)) {
        pairs[newGap[place]] = oldGap[place]
      }
      for place in 0..<(isSame ? 0 : min(after, most - before)) {
        pairs[newGap[newGap.count - 1 - place]] = oldGap[oldGap.count - 1 - place]
      }
    }
  }

  /// Pairs similar members with the same name, if all names agree and nothing was moved.
  private func pairNamed(_ pairs: inout [Int?], _ areAlike: (Int, Int) -> Bool) {
    var (named, isTaken) = (pairs, Set(pairs.compactMap(\.self)))
    for (oldNames, newNames) in names {
      let places = Dictionary(
        zip(oldNames, oldNames.indices), uniquingKeysWith: { first, _ in first })
      for (new, name) in newNames.enumerated() {
        guard let old = places[name], named[new] != old else { continue }
        guard named[new] == nil, isTaken.insert(old).inserted else { return }
        named[new] = old
      }
    }
    let found = named.indices.filter { pairs[$0] == nil }.compactMap { named[$0] }
    guard zip(found, found.dropFirst()).allSatisfy(<) else { return }
    for (new, old) in named.enumerated() where pairs[new] == nil {
      if let old, areAlike(old, new) { pairs[new] = old }
    }
  }

  /// Pairs edited members: the only similar ones in a gap between pairs.
  /// - Returns: Whether the result is clear.
  private func pairEdited(_ pairs: inout [Int?], _ areAlike: (Int, Int) -> Bool) -> Bool {
    for (old, new) in pairs.gaps(oldCount: oldIDs.count) {
      guard old.count * new.count <= Self.pairLimit else { return false }
      let alike = new.map { new in old.filter { areAlike($0, new) } }
      var last = -1
      for (new, candidates) in zip(new, alike) where !candidates.isEmpty {
        // A member that was both edited and moved may be a different one.
        guard candidates.count == 1, alike.count(where: { $0.contains(candidates[0]) }) == 1,
          candidates[0] > last
        else { return false }
        pairs[new] = candidates[0]
        last = candidates[0]
      }
    }
    return true
  }

  /// Returns the members with unique contents, by these.
  private static func singles(_ members: [Int], by parts: (Int) -> [Int]) -> [[Int]: Int] {
    var singles: [[Int]: Int?] = [:]
    for member in members {
      let parts = parts(member)
      singles[parts] = singles[parts] == nil ? .some(member) : .some(nil)
    }
    return singles.compactMapValues(\.self)
  }
}

extension [Int?] {
  /// Returns the unpaired old and new members after the same pair.
  func gaps(oldCount: Int) -> [(old: [Int], new: [Int])] {
    let known = Set(compactMap(\.self))
    var oldGaps: [Int: [Int]] = [:]
    var last = -1
    for old in 0..<oldCount {
      if known.contains(old) { last = old } else { oldGaps[last, default: []].append(old) }
    }
    var newGaps: [Int: [Int]] = [:]
    last = -1
    for (new, old) in enumerated() {
      if let old { last = old } else { newGaps[last, default: []].append(new) }
    }
    return oldGaps.compactMap { gap, old in newGaps[gap].map { (old, $0) } }
  }
}

extension MemberMatching {
  /// Matches members by the old ones that they came from, and members that both sides added.
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
