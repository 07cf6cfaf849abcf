/// One of two sequences that are compared: its numbers, which of them are searched, and which are changed.
struct ComparedSequence {
  let numbers: [Int32]
  /// The numbers that are searched.
  private(set) var kept: [Int32] = []
  /// Their places in the sequence.
  private var places: [Int32] = []
  /// Whether each element is changed, with one that is not before the first and one after the last.
  private var marks: [Bool]

  var count: Int { numbers.count }

  init(_ numbers: [Int32]) {
    self.numbers = numbers
    marks = [Bool](repeating: false, count: numbers.count + 2)
  }

  func isChanged(_ index: Int) -> Bool { marks[index + 1] }

  mutating func markKept(_ index: Int) { marks[Int(places[index]) + 1] = true }

  /// Counts how often each number occurs.
  func counts(_ count: Int) -> [Int32] {
    var counts = [Int32](repeating: 0, count: count)
    for number in numbers { counts[Int(number)] += 1 }
    return counts
  }

  // MARK: What is searched

  /// The occurrences of elements in the other sequence.
  private struct Occurrences {
    let numbers: [Int32]
    /// The number of times that each number occurs there.
    let counts: [Int32]
    /// From how many on it is often.
    let limit: Int32

    func isNever(_ index: Int) -> Bool { counts[Int(numbers[index])] == 0 }
    func isOften(_ index: Int) -> Bool { counts[Int(numbers[index])] >= limit }
  }

  /// Chooses what is searched, and marks all else in the range as changed, by the counts in the other sequence.
  ///
  /// That is what is not in the other sequence at all, and what is there very often, if it stands among such.
  mutating func choose(_ range: Range<Int>, counts: [Int32]) {
    let other = Occurrences(
      numbers: numbers, counts: counts, limit: Int32(min(1024, count.roughRoot)))
    kept.reserveCapacity(range.count)
    places.reserveCapacity(range.count)
    for index in range {
      if other.isNever(index)
        || other.isOften(index) && Self.isAmongOthers(index, of: range, other)
      {
        marks[index + 1] = true
      } else {
        kept.append(numbers[index])
        places.append(Int32(truncatingIfNeeded: index))
      }
    }
  }

  /// Returns whether an element that occurs often stands between some that never do, and among few others like it.
  private static func isAmongOthers(
    _ index: Int, of range: Range<Int>, _ other: Occurrences
  ) -> Bool {
    // Further away does not count.
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

  // MARK: Where changes stand

  /// Changed elements in a row; between two that are not changed, there is an empty one.
  private struct Group {
    var start: Int
    var end: Int
    var isEmpty: Bool { start == end }
  }

  /// Moves changes that could as well stand elsewhere: beside a change of the other sequence, else as late as possible.
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
    // A group that meets another grows, and may go further.
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

  /// Goes to the next group; `false` at the end.
  private func goOn(_ group: inout Group) -> Bool {
    guard group.end < count else { return false }
    group.start = group.end + 1
    group.end = group.start
    while isChanged(group.end) { group.end += 1 }
    return true
  }

  /// Goes to the group before; `false` at the start.
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
