/// The order of members after both sides added, removed and moved some.
struct MemberOrder {
  /// The numbers of all members of both sides, in one order.
  let numbers: [Int]
  /// Whether both sides put members into an order, and not the same.
  let isContradictory: Bool

  /// Merges the orders of two sides.
  ///
  /// A side that moved nothing follows the one that did. What only one side has stays behind what it stands behind
  /// there, or where what it replaced is; at one place, ours comes first.
  /// - Parameter prefersTheirs: Whose order it is if both sides moved something.
  init(_ sides: MergeSides<[Int]>, prefersTheirs: Bool = false) {
    let (base, ours, theirs) = (sides.base ?? [], sides.ours, sides.theirs)
    let (ourSet, theirSet) = (Set(ours), Set(theirs))
    let known = Set(base)
    /// The members of base that a side has, too, in its order.
    func old(_ side: [Int]) -> [Int] { side.filter(known.contains) }
    let oursMoved = old(ours) != base.filter(ourSet.contains)
    let theirsMoved = old(theirs) != base.filter(theirSet.contains)
    isContradictory =
      oursMoved && theirsMoved
      && old(ours).filter(theirSet.contains) != old(theirs).filter(ourSet.contains)
    let followsTheirs = theirsMoved && (prefersTheirs || !oursMoved)
    let (leader, follower) = followsTheirs ? (theirs, ours) : (ours, theirs)

    // What a side removed still shows where the other one's members stand. What replaced it comes before what was
    // added behind it, and behind what was added before it.
    let leading = leader.restored(from: base)
    let following = follower.reversed().restored(from: base.reversed()).reversed()
    let additions = Additions(
      of: Array(following), to: Set(leading), removed: known.subtracting(follower))
    var result: [Int] = []
    var pending = additions.behind[nil] ?? []
    let shared = Set(following)
    // At one place, ours comes before theirs: whose side leads makes no difference to that.
    if followsTheirs { (result, pending) = (pending, []) }
    for number in leading {
      if shared.contains(number) {
        result += pending
        pending = []
      }
      result.append(number)
      result += additions.instead[number] ?? []
      guard let added = additions.behind[number] else { continue }
      if followsTheirs { result += added } else { pending = added }
    }
    let present = ourSet.union(theirSet)
    numbers = (result + pending).filter(present.contains)
  }

  /// The members that one side alone has, by those that they stand beside.
  private struct Additions {
    /// The members behind one that the side has; nil is the start.
    var behind: [Int?: [Int]] = [:]
    /// The members instead of one that the side removed.
    var instead: [Int: [Int]] = [:]

    init(of side: [Int], to known: Set<Int>, removed: Set<Int>) {
      var previous: Int?
      var added: [Int] = []
      for number in side {
        guard known.contains(number) else {
          added.append(number)
          continue
        }
        if removed.contains(number), !added.isEmpty {
          instead[number] = added
        } else if !added.isEmpty {
          behind[previous] = added
        }
        (previous, added) = (number, [])
      }
      if !added.isEmpty { behind[previous] = added }
    }
  }
}

extension [Int] {
  /// The numbers with those that were removed, each behind what it stood behind.
  fileprivate func restored(from base: [Int]) -> [Int] {
    let known = Set(self)
    var removed: [Int?: [Int]] = [:]
    var previous: Int?
    for number in base {
      if known.contains(number) {
        previous = number
      } else {
        removed[previous, default: []].append(number)
      }
    }
    guard !removed.isEmpty else { return self }
    return (removed[nil] ?? []) + flatMap { [$0] + (removed[$0] ?? []) }
  }
}
