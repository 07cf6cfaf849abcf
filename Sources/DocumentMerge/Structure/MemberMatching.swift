/// The matching of corresponding members in three containers.
struct MemberMatching {
  /// For each side, in its order, the members' numbers, which are equal for corresponding members, and unique on each
  /// side.
  let numbers: MergeSides<[Int]>
  /// The number of different members.
  let count: Int
}

extension MemberMatching {
  /// Matches members by hashable names.
  /// - Returns: The matching; `nil` if a side has a name twice.
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
  /// - Parameter groups: The groups within which members can replace each other, if any.
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

  /// Returns the members of base that a side moved.
  func moved(by side: KeyPath<MergeSides<[Int]>, [Int]>) -> Set<Int> {
    guard let base = numbers.base else { return [] }
    let places = Dictionary(uniqueKeysWithValues: base.enumerated().map { ($1, $0) })
    let kept = numbers[keyPath: side].compactMap { number in places[number].map { (number, $0) } }
    // The longest sequence of members in base's order counts as unmoved.
    return Set(kept.map(\.0)).subtracting(kept.longestRise(by: \.1).map(\.0))
  }

  /// Matches members with names.
  ///
  /// Members with a duplicate name are distinguished by their order if all sides have equally many, and by their
  /// contents if one side left them unchanged. If the order matters, equal members correspond only if all sides have
  /// equally many, and moved none.
  /// - Parameters:
  ///   - contents: The contents of each member.
  ///   - byOrder: Whether the order may distinguish members with the same name.
  /// - Returns: The matching; `nil` if both sides changed members with a duplicate name, or a side's equal members
  ///   differ from base's, so that the correspondence isn't clear.
  init?(
    keysOf sides: MergeSides<[[UInt8]]>, contents: @autoclosure () -> MergeSides<[Int]>,
    byOrder: Bool
  ) {
    struct Key: Hashable {
      let name: [UInt8]
      var content = 0
      var number = 0
      /// The key of the first equal member.
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
      for name in unclear {
        // Members that both sides added are one if they are equal, unless there are several of them anyway.
        guard let base else {
          guard ours[name] == theirs[name] else { return nil }
          continue
        }
        guard base[name] == ours[name] || base[name] == theirs[name] else { return nil }
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

  /// Matches the members of a list of texts as a set.
  ///
  /// The list isn't a set if a side added or removed a text that occurs twice, if the sides put a text beside different
  /// members, to which it may belong like a flag to its value, or if one side moved a text that the other replaced.
  ///
  /// A text with a version is identified by the name before it. Without a key, it isn't clear what replaced what, so
  /// there is no matching if both sides removed the same text and texts were added, unless one side also made all
  /// changes of the other and put nothing in that place.
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

/// The texts that were added to and removed from a set.
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
  /// True if there are more than a few texts and all sides have them sorted, so that their positions have no
  /// meaning.
  fileprivate var areSorted: Bool {
    guard let base, base.count >= 5 else { return false }
    return all.allSatisfy { texts in
      zip(texts, texts.dropFirst()).allSatisfy { !$1.lexicographicallyPrecedes($0) }
    }
  }
}
