import DocumentTestSupport

@testable import DocumentMerge

extension [UInt8] {
  /// Returns the bytes with a few of them changed or removed.
  func damaged(_ random: inout SeededGenerator) -> [UInt8] {
    var bytes = self
    for _ in 0..<Int.random(in: 1...3, using: &random) where !bytes.isEmpty {
      let index = Int.random(in: bytes.indices, using: &random)
      if Bool.random(using: &random) {
        bytes[index] = UInt8.random(in: .min ... .max, using: &random)
      } else {
        bytes.removeSubrange(index..<Swift.min(bytes.count, index + 5))
      }
    }
    return bytes
  }

  /// Returns the bytes with a part of them in another place, or missing.
  func withMovedPart(_ random: inout SeededGenerator) -> [UInt8] {
    guard !isEmpty else { return self }
    var bytes = self
    let start = Int.random(in: bytes.indices, using: &random)
    let part = start..<Swift.min(bytes.count, start + Int.random(in: 1...60, using: &random))
    let moved = bytes[part]
    bytes.removeSubrange(part)
    if Bool.random(using: &random) {
      bytes.insert(contentsOf: moved, at: Int.random(in: 0...bytes.count, using: &random))
    }
    return bytes
  }

  /// Returns the lines with one or two removed, doubled, moved, or changed in a letter or digit.
  func withEditedLines(_ random: inout SeededGenerator) -> [UInt8] {
    var lines = split(separator: .lineFeed, omittingEmptySubsequences: false).map { Array($0) }
    for _ in 0..<Int.random(in: 1...2, using: &random) {
      let index = Int.random(in: lines.indices, using: &random)
      switch Int.random(in: 0..<6, using: &random) {
      case 0: if lines.count > 3 { lines.remove(at: index) }
      case 1: lines.insert(lines[index], at: index)
      case 2: lines.swapAt(index, Int.random(in: lines.indices, using: &random))
      default:
        let letters = lines[index].indices.filter {
          (UInt8(ascii: "0")...UInt8(ascii: "z")).contains(lines[index][$0])
        }
        if let letter = letters.randomElement(using: &random) {
          lines[index][letter] = UInt8.random(
            in: UInt8(ascii: "a")...UInt8(ascii: "d"), using: &random)
        }
      }
    }
    return Array(lines.joined(separator: [.lineFeed]))
  }
}
