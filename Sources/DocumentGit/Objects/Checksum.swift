internal import CHash

/// The SHA-1 at the end of packs and their indexes, a checksum of the file's bytes.
///
/// In places where others can write, objects are named by libgit2's SHA-1, which detects deliberate
/// collisions; see ``ObjectCheck``.
@safe
final class Checksum {
  private var hash = docversions_sha1_begin()

  func update(_ bytes: UnsafeRawBufferPointer) {
    unsafe docversions_sha1_add(&hash, bytes.baseAddress, bytes.count)
  }

  /// Returns the checksum of all added bytes.
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

  /// Returns the checksum of bytes.
  static func of(_ bytes: ArraySlice<UInt8>) -> ObjectID {
    let checksum = Checksum()
    unsafe bytes.withUnsafeBytes { unsafe checksum.update($0) }
    return checksum.finish()
  }
}
