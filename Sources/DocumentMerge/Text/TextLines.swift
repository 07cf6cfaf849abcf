/// A text cut into lines, each with its line feed.
struct TextLines: Sendable, Equatable {
  /// The whole text.
  let bytes: [UInt8]
  /// Where each line starts, and where the last one ends.
  private let bounds: [Int]

  /// Cuts a text, which is empty or ends with a line feed.
  init(_ bytes: [UInt8] = []) {
    self.bytes = bytes
    bounds = [0] + bytes.indices.filter { bytes[$0] == .lineFeed }.map { $0 + 1 }
  }

  /// How many lines there are.
  var count: Int { bounds.count - 1 }

  /// The bytes of some lines.
  subscript(lines: Range<Int>) -> ArraySlice<UInt8> {
    bytes[bounds[lines.lowerBound]..<bounds[lines.upperBound]]
  }

  /// The length of the longest run of a conflict marker's character at the start of a line.
  var longestMarkerRun: Int {
    bounds.lazy.map { start in
      guard start < bytes.endIndex, "<|=>".utf8.contains(bytes[start]) else { return 0 }
      return bytes[start...].prefix { $0 == bytes[start] }.count
    }.max() ?? 0
  }
}

extension LineTools {
  /// The changes between two texts, checked: between them both texts must be equal.
  func checkedChanges(from old: TextLines, to new: TextLines) throws -> [LineChange] {
    let changes = try changes(from: old.bytes, to: new.bytes)
    let end = LineChange(old: old.count..<old.count, new: new.count..<new.count)
    var (oldEnd, newEnd) = (0, 0)
    for change in changes + [end] {
      guard
        oldEnd <= change.old.lowerBound, change.old.upperBound <= old.count,
        newEnd <= change.new.lowerBound, change.new.upperBound <= new.count,
        old[oldEnd..<change.old.lowerBound] == new[newEnd..<change.new.lowerBound]
      else {
        throw MergeError(
          .invalidChanges, "The line changes do not lead from one text to the other.")
      }
      (oldEnd, newEnd) = (change.old.upperBound, change.new.upperBound)
    }
    return changes
  }
}

extension UInt8 {
  static let lineFeed = UInt8(ascii: "\n")
  static let carriageReturn = UInt8(ascii: "\r")
}
