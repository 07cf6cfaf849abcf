/// The order of members that both sides added, removed and moved.
struct MemberOrder {
  /// The numbers of all members of both sides, in a common order.
  let numbers: [Int]
  /// True if both sides reordered members differently.
  let isContradictory: Bool

  /// Merges the orders of two sides.
  ///
  /// A side that moved nothing follows the side that did. A member of only one side stays after its
  /// predecessor there, or at the place of the member that it replaced. At one place, the members of ours
  /// come first.
  /// - Parameter prefersTheirs: Whether the order of theirs is used if both sides moved members.
  init(_ sides: MergeSides<[Int]>, prefersTheirs: Bool = false) {
    let (base, ours, theirs) = (sides.base ?? [], sides.ours, sides.theirs)
    let (ourSet, theirSet) = (Set(ours), Set(theirs))
    let known = Set(base)
    /// Returns the members of base that a side still has, in its order.
    func old(_ side: [Int]) -> [Int] { side.filter(known.contains) }
    let oursMoved = old(ours) != base.filter(ourSet.contains)
    let theirsMoved = old(theirs) != base.filter(theirSet.contains)
    isContradictory =
      oursMoved && theirsMoved
      && old(ours).filter(theirSet.contains) != old(theirs).filter(ourSet.contains)
    let followsTheirs = theirsMoved && (prefersTheirs || !oursMoved)
    let (leader, follower) = followsTheirs ? (theirs, ours) : (ours, theirs)

    // A member that a side removed still shows where the other side's members belong. Its replacement comes
    // before members that were added after it, and after those that were added before it.
    let leading = leader.restored(from: base)
    let following = follower.reversed().restored(from: base.reversed()).reversed()
    let additions = Additions(
      of: Array(following), to: Set(leading), removed: known.subtracting(follower))
    var result: [Int] = []
    var pending = additions.behind[nil] ?? []
    let shared = Set(following)
    // At one place, ours comes before theirs, regardless of the leading side.
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

  /// The members of only one side, by their neighbors.
  private struct Additions {
    /// The members after one that the side has; `nil` is the start.
    var behind: [Int?: [Int]] = [:]
    /// The replacements of a member that the side removed.
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
  /// Returns the numbers with the removed ones, each after its predecessor.
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
