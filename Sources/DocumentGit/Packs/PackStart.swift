/// A small pack that the next one begins with, so that new objects can stand in it as changes to those they resemble:
/// a version of a document then takes about as much room as what was changed.
///
/// Every entry keeps its place, so taking a pack over costs little more than reading it.
struct PackStart {
  let pack: OpenPack
  /// The entries as they stand in the pack, in their order.
  let bytes: [UInt8]
  let entries: [PackIndex.Entry]

  /// Reads a pack whole; nil where it is damaged: then it stays as it is.
  init?(_ pack: OpenPack) throws(GitError) {
    guard pack.size <= Self.largest, let bytes = try pack.readWhole(), bytes.count > 32,
      bytes.starts(with: Array("PACK".utf8) + [0, 0, 0, 2])
    else { return nil }
    do {
      let index = try PackIndex(decoding: pack.index.readWhole())
      guard Int(bytes.bigEndian(at: 8)) == index.entries.count,
        Checksum.of(bytes.dropLast(20)) == index.packChecksum
      else { return nil }
      entries = index.entries
    } catch { return nil }
    self.pack = pack
    self.bytes = Array(bytes[12..<(bytes.count - 20)])
  }

  /// The largest pack that is worth to be taken over by another one, in bytes.
  ///
  /// - Parameter size: what the objects come to that resemble some of it. To copy a byte takes a tenth of the time
  ///   that it takes to compress one.
  static func limit(for size: Int) -> Int {
    min(largest, max(64 << 10, 2 * size))
  }

  /// In bytes.
  static let largest = 1 << 20
  /// The index has to be made anew, too.
  static let mostObjects = 2_048
}
