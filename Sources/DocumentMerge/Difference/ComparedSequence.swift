/// One of two compared sequences: its numbers, how often they occur in a part of it, and which are changed.
struct ComparedSequence {
  let numbers: [Int32]
  /// How often each number occurs in the part.
  private(set) var counts: [Int32]
  /// The last place of each number that occurs in the part.
  private(set) var lastPlaces: [Int32]
  /// Whether each element is changed, with one that is not before the first and one after the last.
  private var marks: [Bool]

  var count: Int { numbers.count }

  /// Creates a sequence of numbers below `limit`.
  init(_ numbers: [Int32], below limit: Int) {
    self.numbers = numbers
    counts = [Int32](repeating: 0, count: limit)
    lastPlaces = counts
    marks = [Bool](repeating: false, count: numbers.count + 2)
  }

  func isChanged(_ index: Int) -> Bool { marks[index + 1] }

  mutating func mark(_ places: some Sequence<Int>) {
    for place in places { marks[place + 1] = true }
  }

  /// Counts the numbers of a part.
  mutating func countNumbers(in part: Range<Int>) {
    for place in part {
      counts[Int(numbers[place])] += 1
      lastPlaces[Int(numbers[place])] = Int32(truncatingIfNeeded: place)
    }
  }

  /// Sets the counts of a part's numbers to 0.
  mutating func resetCounts(in part: Range<Int>) {
    for place in part { counts[Int(numbers[place])] = 0 }
  }

  // MARK: Searched elements

  /// The occurrences of elements in the other sequence.
  private struct Occurrences {
    let numbers: [Int32]
    /// How often each number occurs there.
    let counts: [Int32]
    /// The number of occurrences from which on an element is frequent.
    let limit: Int32

    func isNever(_ index: Int) -> Bool { counts[Int(numbers[index])] == 0 }
    func isOften(_ index: Int) -> Bool { counts[Int(numbers[index])] >= limit }
  }

  /// Returns the places of the elements to search in a range of the counted part, by their counts in the other
  /// sequence, and marks all others as changed.
  ///
  /// The others are elements that the other sequence doesn't have, and frequent elements that are surrounded
  /// by such elements.
  mutating func chooseSearched(
    in range: Range<Int>, of part: Range<Int>, beside other: ComparedSequence
  ) -> [Int] {
    let occurrences = Occurrences(
      numbers: numbers, counts: other.counts, limit: Int32(min(1024, part.count.roughRoot)))
    return range.filter { place in
      let isLeftOut =
        occurrences.isNever(place)
        || occurrences.isOften(place) && Self.isAmongOthers(place, of: range, occurrences)
      if isLeftOut { mark(CollectionOfOne(place)) }
      return !isLeftOut
    }
  }

  /// Returns whether a frequent element is between elements that the other sequence doesn't have, with few
  /// other frequent ones nearby.
  private static func isAmongOthers(
    _ index: Int, of range: Range<Int>, _ other: Occurrences
  ) -> Bool {
    // Elements further away don't count.
    let window = max(range.lowerBound, index - 100)...min(range.upperBound - 1, index + 100)
    func run(_ step: Int) -> (never: Int, often: Int) {
      var (never, often) = (0, 1)
      var place = index + step
      while window.contains(place) {
        if other.isNever(place) {
          never += 1
        } else if other.isOften(place) {
          often += 1
        } else {
          break
        }
        place += step
      }
      return (never, often)
    }
    let before = run(-1)
    guard before.never > 0 else { return false }
    let after = run(1)
    guard after.never > 0 else { return false }
    let (never, often) = (before.never + after.never, before.often + after.often)
    return often * 4 < often + never
  }

  // MARK: Places of changes

  /// Consecutive changed elements; between two unchanged elements, there is an empty group.
  private struct Group {
    var start: Int
    var end: Int
    var isEmpty: Bool { start == end }
  }

  /// Moves changes that have several possible places: next to a change of the other sequence, or else as late
  /// as possible.
  mutating func slide(beside other: ComparedSequence) {
    var group = firstGroup
    var otherGroup = other.firstGroup
    repeat {
      if !group.isEmpty { slide(&group, beside: other, &otherGroup) }
      guard goOn(&group) else { return }
    } while other.goOn(&otherGroup)
  }

  private mutating func slide(
    _ group: inout Group, beside other: ComparedSequence, _ otherGroup: inout Group
  ) {
    var earliest: Int
    var lastBeside: Int?
    var size: Int
    // A group that meets another one grows, and may move further.
    repeat {
      size = group.end - group.start
      lastBeside = nil
      while slideUp(&group) { _ = other.goBack(&otherGroup) }
      earliest = group.end
      if !otherGroup.isEmpty { lastBeside = group.end }
      while slideDown(&group) {
        _ = other.goOn(&otherGroup)
        if !otherGroup.isEmpty { lastBeside = group.end }
      }
    } while size != group.end - group.start
    guard group.end != earliest, lastBeside != nil else { return }
    while otherGroup.isEmpty, slideUp(&group) { _ = other.goBack(&otherGroup) }
  }

  private var firstGroup: Group {
    var end = 0
    while isChanged(end) { end += 1 }
    return Group(start: 0, end: end)
  }

  /// Advances to the next group; returns `false` at the end.
  private func goOn(_ group: inout Group) -> Bool {
    guard group.end < count else { return false }
    group.start = group.end + 1
    group.end = group.start
    while isChanged(group.end) { group.end += 1 }
    return true
  }

  /// Goes back to the previous group; returns `false` at the start.
  private func goBack(_ group: inout Group) -> Bool {
    guard group.start > 0 else { return false }
    group.end = group.start - 1
    group.start = group.end
    while isChanged(group.start - 1) { group.start -= 1 }
    return true
  }

  private mutating func slideDown(_ group: inout Group) -> Bool {
    guard group.end < count, numbers[group.start] == numbers[group.end] else { return false }
    marks[group.start + 1] = false
    marks[group.end + 1] = true
    group.start += 1
    group.end += 1
    while isChanged(group.end) { group.end += 1 }
    return true
  }

  private mutating func slideUp(_ group: inout Group) -> Bool {
    guard group.start > 0, numbers[group.start - 1] == numbers[group.end - 1] else { return false }
    group.start -= 1
    group.end -= 1
    marks[group.start + 1] = true
    marks[group.end + 1] = false
    while isChanged(group.start - 1) { group.start -= 1 }
    return true
  }
}
