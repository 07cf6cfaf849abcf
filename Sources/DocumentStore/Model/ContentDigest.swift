internal import CHash

/// A SHA-256 of a document's content, independent of git's own hashes.
///
/// The digest of a file covers its bytes, as `sha256sum` prints it. The digest of a package covers its
/// members' kinds, names and digests, folder by folder.
struct ContentDigest: Hashable, Sendable, CustomStringConvertible {
  /// The 32 bytes as big-endian numbers, because digests are copied frequently.
  private let numbers: (UInt64, UInt64, UInt64, UInt64)

  /// Creates the digest of bytes.
  init(of bytes: [UInt8]) {
    self.init(of: bytes[...])
  }

  /// Creates the digest of bytes.
  init(of bytes: ArraySlice<UInt8>) {
    var hasher = Hasher()
    hasher.add(bytes)
    self = hasher.digest()
  }

  /// Reads a stored digest.
  init(thirtyTwo bytes: UnsafeRawBufferPointer) {
    func number(_ index: Int) -> UInt64 {
      UInt64(bigEndian: bytes.loadUnaligned(fromByteOffset: index * 8, as: UInt64.self))
    }
    numbers = (number(0), number(1), number(2), number(3))
  }

  /// Creates the digest of a folder with these members.
  init(ofMembers members: [(kind: String, name: [UInt8], digest: ContentDigest)]) {
    var listing: [UInt8] = []
    for member in members.sorted(by: { $0.name.lexicographicallyPrecedes($1.name) }) {
      listing.append(contentsOf: member.kind.utf8)
      listing.append(0)
      listing.append(contentsOf: member.name)
      listing.append(0)
      listing.append(member.digest)
    }
    self.init(of: listing)
  }

  /// The first eight bytes, for uses in which they are enough to distinguish digests.
  var prefix: UInt64 { numbers.0 }

  /// The digest as 64 hexadecimal digits.
  var description: String {
    var bytes: [UInt8] = []
    bytes.append(self)
    let digits = Array("0123456789abcdef".utf8)
    var text: [UInt8] = []
    text.reserveCapacity(64)
    for byte in bytes {
      text.append(digits[Int(byte >> 4)])
      text.append(digits[Int(byte & 15)])
    }
    return String(decoding: text, as: UTF8.self)
  }

  static func == (left: ContentDigest, right: ContentDigest) -> Bool {
    left.numbers == right.numbers
  }

  func hash(into hasher: inout Swift.Hasher) {
    hasher.combine(numbers.0)
  }

  fileprivate func append(to bytes: inout [UInt8]) {
    func append(_ number: UInt64) {
      Swift.withUnsafeBytes(of: number.bigEndian) { bytes.append(contentsOf: $0) }
    }
    append(numbers.0)
    append(numbers.1)
    append(numbers.2)
    append(numbers.3)
  }
}

extension [UInt8] {
  /// Appends the 32 bytes of a digest.
  mutating func append(_ digest: ContentDigest) {
    digest.append(to: &self)
  }
}

extension ContentDigest {
  /// Computes the digest of bytes that arrive in pieces.
  struct Hasher: ~Copyable {
    private var hash = docversions_sha256_begin()

    /// Adds the next bytes.
    mutating func add(_ bytes: ArraySlice<UInt8>) {
      bytes.withUnsafeBytes { docversions_sha256_add(&hash, $0.baseAddress, $0.count) }
    }

    /// Returns the digest of all added bytes.
    consuming func digest() -> ContentDigest {
      withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 32) { digest in
        docversions_sha256_end(&hash, digest.baseAddress)
        return ContentDigest(thirtyTwo: UnsafeRawBufferPointer(digest))
      }
    }
  }
}
