internal import DocumentFiles
internal import DocumentGit
internal import Foundation

/// The place of a version in the list of a document that is in no conflict.
struct ListedPlace {
  /// The first version of the list.
  let head: ObjectID
  let wanted: Wanted

  enum Wanted {
    /// A number of versions before the head, each made only from the one before it.
    case steps(Int)
    /// The newest that was saved by then, on the same line.
    case date(Date)
    /// The only one whose identifier begins with these hexadecimal digits.
    case identifier([UInt8])
  }
}

extension VersionIndex {
  /// The version at a place; `nil` if the file does not say, or is of another state.
  func version(at place: ListedPlace, state: ReferenceDigest) throws -> ListedVersion? {
    guard let file = try AppendOnlyFile.open(path),
      let (head, end) = try Self.read(
        file, endingAt: file.size,
        { part throws(VersionIndexPart.Absence) in try part.head(of: state) }),
      // A version that no head was made from may be newer than all heads: the line is elsewhere.
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
    // Beside the line there may be others: only the whole history says which comes next.
    guard let found, head.count - found.count <= head.line else { return nil }
    return found.version
  }

  /// The newest entry of which something holds that then holds of all older ones.
  ///
  /// Halves the part that may have it until it is small, so of a long list little is read.
  private func newest(
    in file: borrowing AppendOnlyFile.Parts, endingAt end: Int,
    where holds: (EntryStart) -> Bool
  ) throws -> VersionIndexEntry? {
    // It ends after the lower of the two, and does not begin after the upper one.
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

  /// The part of the file that is searched for one entry, in bytes.
  private static let window = 8 << 10
}
