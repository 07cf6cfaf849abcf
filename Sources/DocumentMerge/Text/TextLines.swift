internal import Foundation

/// A text divided into lines, each with its line feed; the last one may have none.
struct TextLines: Sendable, Equatable {
  /// The whole text.
  let bytes: [UInt8]
  /// The start of each line, and the end of the last one.
  private let bounds: [Int]

  /// Divides a text into lines.
  init(_ bytes: [UInt8] = []) {
    self.bytes = bytes
    bounds = bytes.withUnsafeBytes { buffer in
      var bounds = [0]
      bounds.reserveCapacity(buffer.count / 24 + 2)
      guard let start = buffer.baseAddress else { return bounds }
      var position = 0
      while let found = memchr(start + position, Int32(UInt8.lineFeed), buffer.count - position) {
        position = start.distance(to: UnsafeRawPointer(found)) + 1
        bounds.append(position)
      }
      if position < buffer.count { bounds.append(buffer.count) }
      return bounds
    }
  }

  /// Returns the range of a line, with its line feed.
  func place(of line: Int) -> Range<Int> { bounds[line]..<bounds[line + 1] }

  /// Returns the start of a line; the end of the text for the line after the last one.
  func start(of line: Int) -> Int { bounds[line] }

  /// The number of lines.
  var count: Int { bounds.count - 1 }

  /// The bytes of some lines.
  subscript(lines: Range<Int>) -> ArraySlice<UInt8> {
    bytes[bounds[lines.lowerBound]..<bounds[lines.upperBound]]
  }

  /// The bytes of a line, with its line feed.
  subscript(line: Int) -> ArraySlice<UInt8> { bytes[place(of: line)] }

  /// Returns a line as text, without its line break.
  func line(_ number: Int) -> Substring {
    Substring(decoding: self[number], as: UTF8.self).trimmingSuffix(while: \.isNewline)
  }

  /// The maximum length of a run of a conflict marker's character at the start of a line.
  var longestMarkerRun: Int {
    bounds.lazy.map { start in
      guard start < bytes.endIndex, "<|=>".utf8.contains(bytes[start]) else { return 0 }
      return bytes[start...].prefix { $0 == bytes[start] }.count
    }.max() ?? 0
  }
}

extension TextLines: Sequence {
  func makeIterator() -> some IteratorProtocol<ArraySlice<UInt8>> {
    (0..<count).lazy.map { self[$0] }.makeIterator()
  }
}
