internal import DocumentGit

/// How caches of fixed-size entries are read and written.
extension UnsafeRawBufferPointer {
  /// A number of eight bytes, the lowest first.
  func number(at place: Int) -> UInt64 {
    UInt64(littleEndian: loadUnaligned(fromByteOffset: place, as: UInt64.self))
  }

  func identifier(at place: Int) -> ObjectID {
    ObjectID(twenty: UnsafeRawBufferPointer(rebasing: self[place..<place + 20]))
  }

  func digest(at place: Int) -> ContentDigest {
    ContentDigest(thirtyTwo: UnsafeRawBufferPointer(rebasing: self[place..<place + 32]))
  }
}

extension [UInt8] {
  mutating func append(number: UInt64) {
    // One by one: there are half a million bytes of this in a large package.
    for shift in stride(from: UInt64(0), to: 64, by: 8) {
      append(UInt8(truncatingIfNeeded: number >> shift))
    }
  }
}
