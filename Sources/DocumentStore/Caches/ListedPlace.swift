internal import DocumentFiles
internal import DocumentGit
internal import Foundation

/// The place of a version in the list of a document that is not in conflict.
struct ListedPlace {
  /// The first version of the list.
  let head: ObjectID
  let wanted: Wanted

  enum Wanted {
    /// The version a number of steps before the head, if each version on the way has only one parent.
    case steps(Int)
    /// The newest version on the same line that was saved by a date.
    case date(Date)
    /// The only version whose identifier begins with these hexadecimal digits.
    case identifier([UInt8])
  }
}

extension VersionIndex {
  /// Returns the version at a place; `nil` if the index belongs to another state, or doesn't have the answer.
  func version(at place: ListedPlace, state: ReferenceDigest) throws -> ListedVersion? {
    guard let file = try AppendOnlyFile.open(path),
      let (head, end) = try Self.read(
        file, endingAt: file.size,
        { part throws(VersionIndexPart.Absence) in try part.head(of: state) }),
      // A version that no head descends from may be newer than all heads; the line is elsewhere.
      head.id == place.head
    else { return nil }
    let found: VersionIndexEntry?
    switch place.wanted {
    case .identifier(let digits):
      return try Self.read(file, endingAt: end, reach: end) {
        part throws(VersionIndexPart.Absence) in try part.only { $0.id.begins(with: digits) }
      }??.version
    case .steps(let count):
      guard count <= head.line else { return nil }
      found = try newest(in: file, endingAt: end) { $0.count <= head.count - count }
    case .date(let date):
      found = try newest(in: file, endingAt: end) { Date(milliseconds: $0.date) <= date }
    }
    // Other lines may run beside this one, and only the whole history gives the order.
    guard let found, head.count - found.count <= head.line else { return nil }
    return found.version
  }

  /// Returns the newest entry that satisfies a condition that all older entries also satisfy.
  ///
  /// This is a binary search, so it reads little of a long list.
  private func newest(
    in file: borrowing AppendOnlyFile.Parts, endingAt end: Int,
    where holds: (EntryStart) -> Bool
  ) throws -> VersionIndexEntry? {
    // The entry ends after the lower bound, and doesn't begin after the upper one.
    var (lower, upper) = (0, end)
    while upper - lower > 2 * Self.window {
      let middle = (lower + upper) / 2
      let range = middle - Self.window / 2..<middle + Self.window / 2
      let part = VersionIndexPart(try file.bytes(range), at: range.lowerBound)
      guard let (entry, place) = part.lastEntry() else { return nil }
      if holds(entry) { lower = place.upperBound } else { upper = place.lowerBound }
    }
    return try Self.read(file, endingAt: upper, reach: upper - lower) {
      part throws(VersionIndexPart.Absence) in try part.newest(where: holds)
    }
  }

  /// The size of the part of the file in which one entry is searched for, in bytes.
  private static let window = 8 << 10
}
