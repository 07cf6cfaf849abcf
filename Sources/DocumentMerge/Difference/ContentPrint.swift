/// A print of a content, by which two contents are compared: the number of bytes of each of its pieces.
package struct ContentPrint: Sendable {
  /// The pieces, by their hashes, in order.
  private var pieces: [(hash: UInt64, bytes: Int)] = []
  private let bytes: Int

  /// The print of bytes, whose pieces are lines, and 64 bytes of what has none: the pieces that git takes.
  package init(_ bytes: [UInt8]) {
    self.init(pieces: Self.pieces(of: bytes))
  }

  /// The print of a content that was taken apart already.
  /// - Parameter all: The hash of each piece, and its bytes.
  package init(pieces all: [(hash: UInt64, bytes: Int)]) {
    bytes = all.reduce(0) { $0 + $1.bytes }
    for piece in all.sorted(by: { $0.hash < $1.hash }) {
      if pieces.last?.hash == piece.hash {
        pieces[pieces.count - 1].bytes += piece.bytes
      } else {
        pieces.append(piece)
      }
    }
  }

  private static func pieces(of bytes: [UInt8]) -> [(hash: UInt64, bytes: Int)] {
    var pieces: [(hash: UInt64, bytes: Int)] = []
    // FNV-1a.
    var (hash, count): (UInt64, Int) = (0xCBF2_9CE4_8422_2325, 0)
    for byte in bytes {
      hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3
      count += 1
      if byte == UInt8(ascii: "\n") || count == 64 {
        pieces.append((hash, count))
        (hash, count) = (0xCBF2_9CE4_8422_2325, 0)
      }
    }
    return count == 0 ? pieces : pieces + [(hash, count)]
  }

  /// The share of the larger one that both have, in hundredths.
  package func similarity(to other: ContentPrint) -> Int {
    var common = 0
    var (index, place) = (0, 0)
    while index < pieces.count, place < other.pieces.count {
      let (left, right) = (pieces[index], other.pieces[place])
      if left.hash == right.hash { common += min(left.bytes, right.bytes) }
      if left.hash <= right.hash { index += 1 }
      if right.hash <= left.hash { place += 1 }
    }
    return common * 100 / max(1, bytes, other.bytes)
  }
}
