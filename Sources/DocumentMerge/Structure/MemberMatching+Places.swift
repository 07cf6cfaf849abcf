/// The places of members, and the doubts about correspondences that they leave.
extension MemberMatching {
  /// The place of a member, between two members that all sides have, if they exist.
  struct Place: Hashable {
    fileprivate(set) var before: Int?
    fileprivate(set) var behind: Int?
  }

  /// Returns the places of members on a side.
  /// - Parameter side: The numbers of all members on the side.
  func places(of members: Set<Int>, in side: [Int]) -> [Int: Place] {
    let (ours, theirs) = (Set(numbers.ours), Set(numbers.theirs))
    let shared = Set(numbers.base ?? []).intersection(ours).intersection(theirs)
    var places: [Int: Place] = [:]
    var before: Int?
    var open: [Int] = []
    for number in side {
      if shared.contains(number) {
        for member in open { places[member]?.behind = number }
        (before, open) = (number, [])
      } else if members.contains(number) {
        places[number] = Place(before: before)
        open.append(number)
      }
    }
    return places
  }

  /// The members that both sides removed.
  var removedByBoth: Set<Int> {
    Set(numbers.base ?? []).subtracting(numbers.ours).subtracting(numbers.theirs)
  }

  /// Returns the members that only one side added.
  func added(by side: KeyPath<MergeSides<[Int]>, [Int]>) -> Set<Int> {
    let other = side == \.ours ? numbers.theirs : numbers.ours
    return Set(numbers[keyPath: side]).subtracting(numbers.base ?? []).subtracting(other)
  }

  /// The members that both sides added.
  var addedByBoth: Set<Int> {
    Set(numbers.ours).intersection(numbers.theirs).subtracting(numbers.base ?? [])
  }

  /// Returns the members that only one side removed.
  func removed(by side: KeyPath<MergeSides<[Int]>, [Int]>) -> Set<Int> {
    let other = side == \.ours ? numbers.theirs : numbers.ours
    return Set(numbers.base ?? []).intersection(other).subtracting(numbers[keyPath: side])
  }

  /// True if one side added a member at the place of one that both sides removed, which it may have changed
  /// instead.
  ///
  /// The members that only that side removed there are considered replaced first.
  var hasReplacedWhatWasRemoved: Bool {
    let removed = removedByBoth
    guard let base = numbers.base, !removed.isEmpty else { return false }
    let old = Set(places(of: removed, in: base).values)
    return [\MergeSides<[Int]>.ours, \.theirs].contains { side in
      let own = places(of: self.removed(by: side), in: base).values
      let new = places(of: added(by: side), in: numbers[keyPath: side]).values
      return old.contains { place in
        new.count { $0 == place } > own.count { $0 == place }
      }
    }
  }

  /// True if both sides added a member at different places, or beside different members to which it may
  /// belong.
  var hasAddedApart: Bool {
    let base = Set(numbers.base ?? [])
    func added(_ side: [Int]) -> [Int] { side.filter { !base.contains($0) } }
    let (ours, theirs) = (added(numbers.ours), added(numbers.theirs))
    let both = Set(ours).intersection(theirs)
    guard !both.isEmpty else { return false }
    let ourPlaces = places(of: Set(ours), in: numbers.ours)
    let theirPlaces = places(of: Set(theirs), in: numbers.theirs)
    /// Returns the places where a side added something else.
    func others(_ added: [Int], _ places: [Int: Place]) -> Set<Place> {
      Set(added.compactMap { both.contains($0) ? nil : places[$0] })
    }
    let apart = others(ours, ourPlaces).intersection(others(theirs, theirPlaces))
    return ours.filter(both.contains) != theirs.filter(both.contains)
      || both.contains { number in
        ourPlaces[number] != theirPlaces[number] || ourPlaces[number].map(apart.contains) ?? false
      }
  }

  /// True if both sides put the same member in the places of different ones.
  var hasReplacedDifferentByOne: Bool {
    guard numbers.ours != numbers.base, numbers.theirs != numbers.base else { return false }
    let both = addedByBoth
    guard !both.isEmpty else { return false }
    /// Returns the members that were in the places of those that both added.
    func replaced(by side: KeyPath<MergeSides<[Int]>, [Int]>) -> [Int: ArraySlice<Int>] {
      let (base, new) = (numbers.base ?? [], numbers[keyPath: side])
      var replaced: [Int: ArraySlice<Int>] = [:]
      for change in changes(by: side) where change.old.count >= change.new.count {
        for number in new[change.new] where both.contains(number) {
          replaced[number] = base[change.old]
        }
      }
      return replaced
    }
    let theirs = replaced(by: \.theirs)
    return replaced(by: \.ours).contains { number, old in
      theirs[number].map { Set(old).isDisjoint(with: $0) } ?? false
    }
  }

  /// True if one side added members where the other side replaced some, so that their place isn't clear.
  var hasUnclearPlaces: Bool {
    guard let base = numbers.base else { return false }
    let shared = Set(base).intersection(numbers.ours).intersection(numbers.theirs)
    /// Returns the members that not all sides have, by the number of common members before them.
    func others(_ numbers: [Int]) -> [Int: Set<Int>] {
      var count = 0
      return numbers.reduce(into: [:]) { others, number in
        if shared.contains(number) {
          count += 1
        } else {
          others[count, default: []].insert(number)
        }
      }
    }
    let (old, ours, theirs) = (others(base), others(numbers.ours), others(numbers.theirs))
    return old.keys.contains { place in
      let ourAdded = (ours[place] ?? []).subtracting(base)
      let theirAdded = (theirs[place] ?? []).subtracting(base)
      return !ourAdded.isSubset(of: theirAdded) && !theirAdded.isSubset(of: ourAdded)
    }
  }

  /// True if a side moved a member that the other side replaced, because the replacement may belong at the
  /// new place.
  var hasMovedWhatWasReplaced: Bool {
    guard let base = numbers.base else { return false }
    // Of two exchanged members, either may be the moved one; from the end, it is the other one.
    let mirrored = MemberMatching(numbers: numbers.map { $0.reversed() }, count: count)
    func isReplaced(
      _ mover: KeyPath<MergeSides<[Int]>, [Int]>, by side: KeyPath<MergeSides<[Int]>, [Int]>
    ) -> Bool {
      let new = numbers[keyPath: side]
      let old = Set(base)
      let gone = moved(by: mover).union(mirrored.moved(by: mover)).subtracting(new)
      return !gone.isEmpty
        && changes(by: side).contains { change in
          !gone.isDisjoint(with: base[change.old]) && !old.isSuperset(of: new[change.new])
        }
    }
    return isReplaced(\.ours, by: \.theirs) || isReplaced(\.theirs, by: \.ours)
  }

  /// A place where both sides replaced members differently.
  struct ContestedPlace {
    /// The ranges of the old members, and of their replacements on each side.
    private(set) var base: Range<Int>
    private(set) var ours: Range<Int>
    private(set) var theirs: Range<Int>
    /// The members that each side put there.
    private var put: (ours: Set<Int>, theirs: Set<Int>)

    fileprivate init(
      _ own: LineChange, _ other: LineChange, added: (ours: Set<Int>, theirs: Set<Int>)
    ) {
      let start = min(own.old.lowerBound, other.old.lowerBound)
      base = start..<max(own.old.upperBound, other.old.upperBound)
      (ours, theirs, put) = (own.new, other.new, added)
    }

    /// The members that only ours put there, and those that only theirs put there.
    var added: (ours: Set<Int>, theirs: Set<Int>) {
      (put.ours.subtracting(put.theirs), put.theirs.subtracting(put.ours))
    }

    /// Absorbs the next place if a change of one side is part of both; returns whether it is.
    fileprivate mutating func absorb(_ next: ContestedPlace) -> Bool {
      let isOneOfOurs = ours.upperBound == next.ours.upperBound
      guard isOneOfOurs || theirs.upperBound == next.theirs.upperBound else { return false }
      base = base.lowerBound..<max(base.upperBound, next.base.upperBound)
      ours = ours.lowerBound..<next.ours.upperBound
      theirs = theirs.lowerBound..<next.theirs.upperBound
      if isOneOfOurs {
        put.theirs.formUnion(next.put.theirs)
      } else {
        put.ours.formUnion(next.put.ours)
      }
      return true
    }
  }

  /// Returns the places where both sides replaced members, so that the order isn't clear.
  /// - Parameter known: Members that already have a question.
  func contestedPlaces(except known: Set<Int> = []) -> [ContestedPlace] {
    guard let base = numbers.base else { return [] }
    let old = known.union(base)
    func added(_ changes: [LineChange], _ numbers: [Int]) -> [(change: LineChange, added: Set<Int>)]
    {
      changes.map { ($0, Set(numbers[$0.new].filter { !old.contains($0) })) }
    }
    var places: [ContestedPlace] = []
    var others = added(changes(by: \.theirs), numbers.theirs)[...]
    for (own, ours) in added(changes(by: \.ours), numbers.ours) {
      others = others.drop { $0.change.old.upperBound < own.old.lowerBound }
      for (other, theirs) in others.prefix(while: { $0.change.old.lowerBound < own.old.upperBound })
      where own.old.lowerBound < other.old.upperBound {
        guard !ours.isSubset(of: theirs), !theirs.isSubset(of: ours) else { continue }
        let place = ContestedPlace(own, other, added: (ours, theirs))
        if places.isEmpty || !places[places.count - 1].absorb(place) { places.append(place) }
      }
    }
    return places
  }

  /// Returns the changes of a side, with moved members as removed and added elsewhere.
  private func changes(by side: KeyPath<MergeSides<[Int]>, [Int]>) -> [LineChange] {
    let (base, new) = (numbers.base ?? [], numbers[keyPath: side])
    let stayed = Set(base).intersection(new).subtracting(moved(by: side))
    var changes: [LineChange] = []
    var (oldStart, newStart) = (0, 0)
    func add(upTo oldEnd: Int, _ newEnd: Int) {
      if oldStart < oldEnd || newStart < newEnd {
        changes.append(LineChange(old: oldStart..<oldEnd, new: newStart..<newEnd))
      }
      (oldStart, newStart) = (oldEnd + 1, newEnd + 1)
    }
    let oldPlaces = base.indices.filter { stayed.contains(base[$0]) }
    let newPlaces = new.indices.filter { stayed.contains(new[$0]) }
    for (oldPlace, newPlace) in zip(oldPlaces, newPlaces) { add(upTo: oldPlace, newPlace) }
    add(upTo: base.count, new.count)
    return changes
  }
}
