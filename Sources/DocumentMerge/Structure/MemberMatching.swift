/// The matching of three containers' members: which are the same one.
struct MemberMatching {
  /// For each side, in its order, a number for each member: the same for the same member, and on no
  /// side twice.
  let numbers: MergeSides<[Int]>
  /// The number of different members.
  let count: Int
}

extension MemberMatching {
  /// Matches by anything that can be compared.
  /// - Returns: `nil` if a side has one of them twice.
  init?<Name: Hashable>(_ names: MergeSides<[Name]>) {
    var known: [Name: Int] = [:]
    var isUnique = true
    let numbers = names.map { names in
      let numbers = names.map { name in
        let number = known[name] ?? known.count
        known[name] = number
        return number
      }
      isUnique = isUnique && Set(numbers).count == numbers.count
      return numbers
    }
    guard isUnique else { return nil }
    self.init(numbers: numbers, count: known.count)
  }

  /// Returns whether both sides removed a member, and then each added something else.
  /// - Parameter groups: What each member can be replaced by: those of its own group only, if given.
  func mayReplaceDifferently(in groups: MergeSides<[Int]>? = nil) -> Bool {
    guard let base = numbers.base.map(Set.init) else { return false }
    let (ours, theirs) = (Set(numbers.ours), Set(numbers.theirs))
    var groupOf = [Int](repeating: 0, count: count)
    for (numbers, groups) in zip(numbers.all, groups?.all ?? []) {
      for (number, group) in zip(numbers, groups) { groupOf[number] = group }
    }
    let removed = Set(base.subtracting(ours.union(theirs)).map { groupOf[$0] })
    guard !removed.isEmpty else { return false }
    func added(_ side: Set<Int>) -> Set<Int> {
      side.subtracting(base).filter { removed.contains(groupOf[$0]) }
    }
    let (ourAdded, theirAdded) = (added(ours), added(theirs))
    return !ourAdded.isSubset(of: theirAdded) && !theirAdded.isSubset(of: ourAdded)
  }

  /// The members that a side moved, among those that base has, too.
  func moved(by side: KeyPath<MergeSides<[Int]>, [Int]>) -> Set<Int> {
    guard let base = numbers.base else { return [] }
    let places = Dictionary(uniqueKeysWithValues: base.enumerated().map { ($1, $0) })
    let kept = numbers[keyPath: side].compactMap { number in places[number].map { (number, $0) } }
    // The most members that are in base's order stayed where they are.
    var ends: [Int] = []
    var previous = [Int?](repeating: nil, count: kept.count)
    for (index, (_, place)) in kept.enumerated() {
      let length = ends.partitioningIndex { kept[$0].1 > place }
      previous[index] = length > 0 ? ends[length - 1] : nil
      if length < ends.count { ends[length] = index } else { ends.append(index) }
    }
    var moved = Set(kept.map(\.0))
    var index = ends.last
    while let stayed = index {
      moved.remove(kept[stayed].0)
      index = previous[stayed]
    }
    return moved
  }

  /// Matches members that have a name each.
  ///
  /// Those of a doubled name are distinguished by their order if there are as many on all sides, and by their
  /// contents if one side left them as they were. If the order matters, equal ones are the same only if all sides
  /// have as many of them, and moved nothing.
  /// - Parameters:
  ///   - contents: What each member says.
  ///   - byOrder: Whether the order may tell members of one name apart.
  /// - Returns: `nil` if both sides changed what has a doubled name, or a side has equal ones, and others of them
  ///   than base: then it is not clear which is which.
  init?(
    keysOf sides: MergeSides<[[UInt8]]>, contents: @autoclosure () -> MergeSides<[Int]>,
    byOrder: Bool
  ) {
    struct Key: Hashable {
      let name: [UInt8]
      var content = 0
      var number = 0
      /// The first one that is equal.
      var first: Key { Key(name: name, content: content, number: 1) }
    }
    let counts = sides.map { $0.reduce(into: [:]) { $0[$1, default: 0] += 1 } }
    let doubled = Set(counts.all.flatMap { $0.filter { $0.value > 1 }.keys })
    let unclear = doubled.filter { name in
      !byOrder || Set(counts.all.map { $0[name] }).count > 1
    }
    let known = unclear.isEmpty ? nil : contents()
    if let known {
      func groups(_ names: [[UInt8]], _ contents: [Int]) -> [[UInt8]: [Int]] {
        zip(names, contents).reduce(into: [:]) { groups, member in
          if unclear.contains(member.0) { groups[member.0, default: []].append(member.1) }
        }
      }
      let base = sides.base.flatMap { names in known.base.map { groups(names, $0) } }
      let ours = groups(sides.ours, known.ours)
      let theirs = groups(sides.theirs, known.theirs)
      for name in unclear where ours[name] != theirs[name] {
        guard let base, base[name] == ours[name] || base[name] == theirs[name] else { return nil }
      }
    }
    func keys(_ names: [[UInt8]], _ contents: [Int]?) -> [Key] {
      var seen: [Key: Int] = [:]
      return names.enumerated().map { index, name in
        var key = Key(name: name, content: unclear.contains(name) ? contents?[index] ?? 0 : 0)
        seen[key, default: 0] += 1
        key.number = seen[key, default: 0]
        return key
      }
    }
    let numbered = MergeSides(
      base: sides.base.map { keys($0, known?.base) }, ours: keys(sides.ours, known?.ours),
      theirs: keys(sides.theirs, known?.theirs))
    self.init(numbered)
    let equal = Set(numbered.all.flatMap { $0.filter { $0.number > 1 } }.map { $0.first })
    guard !byOrder, !equal.isEmpty else { return }
    let kept = numbered.all.map { keys in Set(keys.filter { equal.contains($0.first) }) }
    guard kept.count == 3, Set(kept).count == 1, moved(by: \.ours).isEmpty,
      moved(by: \.theirs).isEmpty
    else { return nil }
  }

  /// Matches the members of a list that are texts, by what they say: the list is a set.
  ///
  /// It is none if a side added or removed a text that is in it twice, if each side put one beside something else,
  /// to which it may belong, as a flag to the value behind it, or if one moved what the other replaced.
  ///
  /// What has a version is called by the name before it. Without a key it is not clear what replaced what. So not
  /// if both sides removed the same one and some were added, unless one side made all the changes of the other, too,
  /// and put nothing in that place.
  init?(textsOf sides: MergeSides<[[UInt8]]>) {
    let known = VersionedNames(of: sides)
    let names = sides.map { $0.map { known.name(of: $0) } }
    guard let base = names.base else { return nil }
    let ours = SetChange(from: base, to: names.ours)
    let theirs = SetChange(from: base, to: names.theirs)
    let isAdded = !ours.added.isEmpty || !theirs.added.isEmpty
    let areBothRemoving = !ours.removed.isDisjoint(with: theirs.removed)
    guard !(isAdded && areBothRemoving) || ours.isPart(of: theirs) || theirs.isPart(of: ours)
    else { return nil }
    self.init(keysOf: names, contents: names.map { $0.map { _ in 0 } }, byOrder: false)
    guard !hasReplacedWhatWasRemoved, !hasMovedWhatWasReplaced,
      names.areSorted || !hasAddedApart && contestedPlaces().isEmpty
    else { return nil }
  }
}

/// The texts that were added to a set, and those that were removed.
private struct SetChange {
  let added: Set<[UInt8]>
  let removed: Set<[UInt8]>

  init(from old: [[UInt8]], to new: [[UInt8]]) {
    added = Set(new).subtracting(old)
    removed = Set(old).subtracting(new)
  }

  func isPart(of other: SetChange) -> Bool {
    added.isSubset(of: other.added) && removed.isSubset(of: other.removed)
  }
}

extension MergeSides<[[UInt8]]> {
  /// Whether the texts are in order on all sides, and more than a few, so that their places mean nothing.
  fileprivate var areSorted: Bool {
    guard let base, base.count >= 5 else { return false }
    return all.allSatisfy { texts in
      zip(texts, texts.dropFirst()).allSatisfy { !$1.lexicographicallyPrecedes($0) }
    }
  }
}
