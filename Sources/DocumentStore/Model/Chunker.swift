/// Cuts a file at places that its own bytes determine.
///
/// An insertion moves the cuts along with the bytes, and all chunks except those around it stay the same.
///
/// A gear hash (each byte's random number, added to the hash shifted by one bit) covers the last 64 bytes; a
/// cut is where its upper bits are zero. Below the average size more bits must be zero, above it fewer, so
/// that sizes stay near the average: W. Xia et al., "FastCDC: a Fast and Efficient Content-Defined Chunking
/// Approach for Data Deduplication", USENIX ATC 2016.
///
/// The sizes and the table determine the chunks of a file. If one of them changes, new versions share no
/// chunks with those stored before.
enum Chunker {
  /// The shortest length of a chunk, except the last one of a file.
  static let shortest = 4 << 10
  /// The average length of a chunk, roughly.
  static let average = 16 << 10
  /// The greatest length of a chunk.
  static let longest = 64 << 10

  /// Returns the length of the first chunk of some bytes.
  ///
  /// - Parameter bytes: the bytes up to the end of the file, or at least ``longest`` of them.
  static func firstCut(in bytes: ArraySlice<UInt8>) -> Int {
    let end = min(bytes.count, longest)
    guard end > shortest else { return end }
    return bytes.withUnsafeBufferPointer { bytes in
      gear.withUnsafeBufferPointer { gear in
        var hash: UInt64 = 0
        var index = shortest
        let middle = min(end, average)
        while index < middle {
          hash = (hash << 1) &+ gear[Int(bytes[index])]
          index += 1
          if hash & strictMask == 0 { return index }
        }
        while index < end {
          hash = (hash << 1) &+ gear[Int(bytes[index])]
          index += 1
          if hash & looseMask == 0 { return index }
        }
        return end
      }
    }
  }

  // Two bits more and two fewer than the 14 that make 16 KiB: the second level of normalization.
  private static let strictMask: UInt64 = 0xFFFF << 48
  private static let looseMask: UInt64 = 0xFFF << 52

  /// A random number for each byte, from the generator SplitMix64.
  private static let gear: [UInt64] = {
    var state: UInt64 = 0x646F_6376_6572_7331
    return (0..<256).map { _ in
      state &+= 0x9E37_79B9_7F4A_7C15
      var mixed = state
      mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
      mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
      return mixed ^ (mixed >> 31)
    }
  }()
}
