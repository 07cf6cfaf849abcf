internal import CHash

/// The SHA-1 that ends packs and their indexes: a checksum of bytes as they stand in a file.
///
/// Where others can write, objects are named by libgit2's SHA-1, which notices bytes made to collide: see
/// ``ObjectCheck``.
@safe
final class Checksum {
  private var hash = docversions_sha1_begin()

  func update(_ bytes: UnsafeRawBufferPointer) {
    unsafe docversions_sha1_add(&hash, bytes.baseAddress, bytes.count)
  }

  /// The checksum of all that was seen.
  func finish() -> ObjectID {
    var hash = hash
    return ObjectID(
      bytes: unsafe Array(unsafeUninitializedCapacity: 20) { bytes, count in
        unsafe docversions_sha1_end(&hash, bytes.baseAddress)
        count = 20
      })
  }

  func update(_ bytes: [UInt8]) {
    unsafe bytes.withUnsafeBytes { unsafe update($0) }
  }

  /// The checksum of bytes.
  static func of(_ bytes: ArraySlice<UInt8>) -> ObjectID {
    let checksum = Checksum()
    unsafe bytes.withUnsafeBytes { unsafe checksum.update($0) }
    return checksum.finish()
  }
}
