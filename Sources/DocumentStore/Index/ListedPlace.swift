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

  mutating func pass(_ entry: EntryStart, endingAt end: Int) {
    // A version that no head was made from may be newer than all heads: the line is elsewhere.
    guard passed > 0 || entry.id == place.head else { return isOver = true }
    switch place.wanted {
    case .steps(passed): finish(end)
    case .date(let date) where Date(milliseconds: entry.date) <= date: finish(end)
    case .identifier(let digits):
      guard entry.id.begins(with: digits) else { break }
      if found == nil { found = end } else { finish(nil) }
    // Beside the line there may be others: only the whole history tells which comes next.
    default: if entry.parents != nil { finish(nil) }
    }
    passed += 1
  }

  private mutating func finish(_ end: Int?) {
    found = end
    isOver = true
  }
}
