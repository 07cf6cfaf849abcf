/// Which members of three containers are the same one.
struct MemberMatching {
  /// For each side, in its order, a number for each member: the same for the same member, and on no
  /// side twice.
  let numbers: MergeSides<[Int]>
  /// How many different members there are.
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

  /// Whether both sides removed a member, and then each added something else.
  var mayReplaceDifferently: Bool {
    guard let base = numbers.base.map(Set.init) else { return false }
    let (ours, theirs) = (Set(numbers.ours), Set(numbers.theirs))
    let isRemovedByBoth = !base.isSubset(of: ours.union(theirs))
    return isRemovedByBoth && !ours.subtracting(base).isSubset(of: theirs)
      && !theirs.subtracting(base).isSubset(of: ours)
  }

  /// Matches the members of a mapping by key, and doubled keys by their order.
  /// - Returns: `nil` if a key is doubled, and not equally often on all sides: then nobody knows
  ///   which is which.
  init?(keysOf sides: MergeSides<[[UInt8]]>) {
    struct Key: Hashable {
      let name: [UInt8]
      let number: Int
    }
    var counts: [[[UInt8]: Int]] = []
    let keys = sides.map { names in
      var count: [[UInt8]: Int] = [:]
      let keys = names.map { name in
        count[name, default: 0] += 1
        return Key(name: name, number: count[name, default: 1])
      }
      counts.append(count)
      return keys
    }
    let isDoubled = zip(sides.all, counts).contains { $0.count != $1.count }
    if isDoubled {
      let doubled = Set(counts.flatMap { $0.filter { $0.value > 1 }.keys })
      guard doubled.allSatisfy({ name in Set(counts.map { $0[name] }).count == 1 }) else {
        return nil
      }
    }
    self.init(keys)
  }

  /// Matches the members of a list that are texts, by what they say: the list is a set.
  ///
  /// Without a key nobody knows what replaced what. So not if both sides removed some and some were
  /// added, unless one side made all the changes of the other, too.
  init?(textsOf sides: MergeSides<[[UInt8]]>) {
    guard let base = sides.base else { return nil }
    let ours = SetChange(from: base, to: sides.ours)
    let theirs = SetChange(from: base, to: sides.theirs)
    let isAdded = !ours.added.isEmpty || !theirs.added.isEmpty
    let areBothRemoving = !ours.removed.isEmpty && !theirs.removed.isEmpty
    guard !(isAdded && areBothRemoving) || ours.isPart(of: theirs) || theirs.isPart(of: ours)
    else { return nil }
    self.init(sides)
  }
}

/// What was added to a set, and what removed.
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

/// The order of members after both sides added, removed and moved some.
struct MemberOrder {
  /// The numbers of all members of both sides, in one order.
  let numbers: [Int]
  /// Whether both sides put members into an order, and not the same.
  let isContradictory: Bool

  /// Merges the orders of two sides.
  ///
  /// A side that moved nothing follows the one that did. What only one side has stays behind what it
  /// stands behind there; at one place, ours comes first.
  /// - Parameter prefersTheirs: Whose order it is if both sides moved something.
  init(_ sides: MergeSides<[Int]>, prefersTheirs: Bool = false) {
    func common(_ one: [Int], _ others: [Int]...) -> [Int] {
      let sets = others.map(Set.init)
      return one.filter { number in sets.allSatisfy { $0.contains(number) } }
    }
    let (base, ours, theirs) = (sides.base ?? [], sides.ours, sides.theirs)
    let old = common(base, ours, theirs)
    let oursMoved = common(ours, base, theirs) != old
    let theirsMoved = common(theirs, base, ours) != old
    isContradictory =
      oursMoved && theirsMoved && common(ours, base, theirs) != common(theirs, base, ours)
    let followsTheirs = theirsMoved && (prefersTheirs || !oursMoved)
    let (leader, follower) = followsTheirs ? (theirs, ours) : (ours, theirs)

    // What the follower alone has, by the member it stands behind; nil is the start.
    let known = Set(leader)
    var behind: [Int?: [Int]] = [:]
    var previous: Int?
    for number in follower {
      if known.contains(number) {
        previous = number
      } else {
        behind[previous, default: []].append(number)
      }
    }
    var result: [Int] = []
    var pending = behind[nil] ?? []
    let shared = Set(follower)
    // At one place, ours comes before theirs: whose side leads makes no difference to that.
    if followsTheirs { (result, pending) = (pending, []) }
    for number in leader {
      if shared.contains(number) {
        result += pending
        pending = []
      }
      result.append(number)
      guard let added = behind[number] else { continue }
      if followsTheirs { result += added } else { pending = added }
    }
    numbers = result + pending
  }
}
