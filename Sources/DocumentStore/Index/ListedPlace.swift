internal import DocumentGit
internal import Foundation

/// Where a version stands in the list of a document that is in no conflict.
struct ListedPlace {
  /// What the list begins with.
  let head: ObjectID
  let wanted: Wanted

  enum Wanted {
    /// So many versions before the head, each made only from the one before it.
    case steps(Int)
    /// The newest that was saved by then, on the same line.
    case date(Date)
    /// The only one whose identifier begins with these hexadecimal digits.
    case identifier([UInt8])
  }

  /// How many bytes of the index are likely to hold it.
  var probableReach: Int {
    switch wanted {
    case .steps(let count): count < 1 << 20 ? count * 128 : 1 << 27
    case .date: 1 << 16
    case .identifier: 1 << 27
    }
  }
}

/// Looks for a place among entries that are passed by, from the newest on.
struct PlaceSearch {
  private let place: ListedPlace
  private var passed = 0
  /// Where the entry that was looked for ends in the index; nil as long as there is none, or more than one.
  private(set) var found: Int?
  /// Whether nothing that comes can change what was found.
  private(set) var isOver = false

  init(for place: ListedPlace) {
    self.place = place
  }

  /// Looks at the next entry.
  mutating func pass(_ range: Range<Int>, of bytes: [UInt8], endingAt end: Int) {
    // Of most entries a glance is enough.
    var entry: EntryStart? { EntryStart(bytes, range) }
    // A version that no head was made from may be newer than all heads: the line is elsewhere.
    guard passed > 0 || entry?.id == place.head else { return finish(nil) }
    switch place.wanted {
    case .steps(let count):
      if count == passed { return finish(end) }
    case .date(let date):
      guard let entry else { return finish(nil) }
      if Date(milliseconds: entry.date) <= date { return finish(end) }
    case .identifier(let digits):
      guard let entry else { return finish(nil) }
      guard entry.id.begins(with: digits) else { break }
      guard found == nil else { return finish(nil) }
      found = end
    }
    passed += 1
    if case .identifier = place.wanted { return }
    // Beside the line there may be others: only the whole history tells which comes next.
    if !EntryStart.followsFormer(bytes, range) { finish(nil) }
  }

  private mutating func finish(_ end: Int?) {
    found = end
    isOver = true
  }
}
