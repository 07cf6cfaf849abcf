/// A fingerprint of contents for comparing them: the number of bytes of each piece.
package struct ContentPrint: Sendable {
  /// The pieces with their hashes, in order.
  private var pieces: [(hash: UInt64, bytes: Int)] = []
  private let bytes: Int

  /// Creates the fingerprint of bytes from git's pieces: lines, or 64 bytes of a longer line.
  package init(_ bytes: [UInt8]) {
    self.init(pieces: Self.pieces(of: bytes))
  }

  /// Creates the fingerprint of contents that are already divided into pieces.
  /// - Parameter all: The hash of each piece, and its number of bytes.
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

  /// Returns how much both have in common, as a percentage of the larger one.
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
