/// A small pack that the next pack begins with, so that new objects can be deltas of objects in it and a version takes
/// about as much space as its changes.
///
/// Every entry keeps its position, so copying a pack costs little more than reading it.
struct PackStart {
  let pack: OpenPack
  /// The entries in the order of the pack, unchanged.
  let bytes: [UInt8]
  let entries: [PackIndex.Entry]

  /// Reads a whole pack; `nil` if it is damaged, in which case it stays unchanged.
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

  /// Returns the largest size of a pack, in bytes, that is worth copying into another one.
  ///
  /// - Parameter size: the total size of the new objects that resemble some of its objects. Copying a byte takes a
  ///   tenth of the time of compressing one.
  static func limit(for size: Int) -> Int {
    min(largest, max(64 << 10, 2 * size))
  }

  /// The maximum size in bytes.
  static let largest = 1 << 20
  /// The maximum number of objects, because the index has to be rebuilt.
  static let mostObjects = 2_048
}
