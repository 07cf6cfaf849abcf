internal import Foundation

/// The part of two texts that remains without the equal whole lines at their start and end.
///
/// Most edits are at one place, so work that takes time for each line is done only for this part.
package struct DifferingPart {
  /// The range in the first text, in bytes, from the start of a line to the end of one.
  package let old: Range<Int>
  /// The range in the second text.
  package let new: Range<Int>

  /// Compares two texts.
  package init(from old: [UInt8], to new: [UInt8]) {
    let (start, end) = old.withUnsafeBytes { old in
      new.withUnsafeBytes { new in
        let start = Self.lineStart(Self.commonStart(old, new), in: old)
        return (start, Self.commonEnd(old, new, from: start))
      }
    }
    self.old = start..<old.count - end
    self.new = start..<new.count - end
  }

  /// Returns the changes between the texts line by line, with lines counted from the start of the whole
  /// texts.
  package func changes(from old: [UInt8], to new: [UInt8]) -> [LineChange] {
    guard !self.old.isEmpty || !self.new.isEmpty else { return [] }
    let before = old[..<self.old.lowerBound].withUnsafeBytes { bytes in
      bytes.reduce(0) { $0 + ($1 == .lineFeed ? 1 : 0) }
    }
    return LineDifference.changes(from: Array(old[self.old]), to: Array(new[self.new]))
      .map { $0.shifted(by: before) }
  }

  private static func commonStart(
    _ old: UnsafeRawBufferPointer, _ new: UnsafeRawBufferPointer
  ) -> Int {
    let most = min(old.count, new.count)
    guard let first = old.baseAddress, let second = new.baseAddress else { return 0 }
    var start = 0
    while start + block <= most, memcmp(first + start, second + start, block) == 0 {
      start += block
    }
    while start < most, old[start] == new[start] { start += 1 }
    return start
  }

  private static func commonEnd(
    _ old: UnsafeRawBufferPointer, _ new: UnsafeRawBufferPointer, from start: Int
  ) -> Int {
    let most = min(old.count, new.count) - start
    guard let first = old.baseAddress, let second = new.baseAddress else { return 0 }
    var end = 0
    while end + block <= most,
      memcmp(first + (old.count - end - block), second + (new.count - end - block), block) == 0
    {
      end += block
    }
    while end < most, old[old.count - 1 - end] == new[new.count - 1 - end] { end += 1 }
    // Both parts end at the end of a line or of the text.
    while end > 0, !isLineStart(old.count - end, in: old) || !isLineStart(new.count - end, in: new)
    {
      end -= 1
    }
    return end
  }

  private static func lineStart(_ position: Int, in text: UnsafeRawBufferPointer) -> Int {
    var position = position
    while !isLineStart(position, in: text) { position -= 1 }
    return position
  }

  private static func isLineStart(_ position: Int, in text: UnsafeRawBufferPointer) -> Bool {
    position == 0 || text[position - 1] == .lineFeed
  }

  private static let block = 512
}
