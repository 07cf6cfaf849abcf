#if canImport(CryptoKit)
internal import CryptoKit
#else
internal import CCrypto
#endif

/// A SHA-256 of a document's content, independent of git's own hashes.
///
/// Of a file: of its bytes, what `sha256sum` prints. Of a package: of its members' kinds, names and
/// digests, folder by folder.
struct ContentDigest: Hashable, Sendable, CustomStringConvertible {
  let bytes: [UInt8]

  /// The digest of bytes.
  init(of bytes: [UInt8]) {
    var hasher = Hasher()
    hasher.add(bytes[...])
    self = hasher.digest()
  }

  /// The digest of a folder with these members.
  init(ofMembers members: [(kind: String, name: [UInt8], digest: ContentDigest)]) {
    var listing: [UInt8] = []
    for member in members.sorted(by: { $0.name.lexicographicallyPrecedes($1.name) }) {
      listing += Array(member.kind.utf8) + [0] + member.name + [0] + member.digest.bytes
    }
    self.init(of: listing)
  }

  /// 64 hexadecimal digits.
  var description: String {
    bytes.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
  }

  private init(bytes: [UInt8]) {
    self.bytes = bytes
  }
}

extension ContentDigest {
  /// Makes the digest of bytes that come piece by piece.
  struct Hasher: ~Copyable {
    #if canImport(CryptoKit)
    private var hash = SHA256()

    /// Takes the next bytes.
    mutating func add(_ bytes: ArraySlice<UInt8>) {
      bytes.withUnsafeBytes { hash.update(bufferPointer: $0) }
    }

    /// The digest of all bytes that were added.
    consuming func digest() -> ContentDigest {
      ContentDigest(bytes: Array(hash.finalize()))
    }
    #else
    private let context = EVP_MD_CTX_new()

    init() {
      EVP_DigestInit_ex(context, EVP_sha256(), nil)
    }

    deinit {
      EVP_MD_CTX_free(context)
    }

    /// Takes the next bytes.
    mutating func add(_ bytes: ArraySlice<UInt8>) {
      _ = bytes.withUnsafeBytes { EVP_DigestUpdate(context, $0.baseAddress, $0.count) }
    }

    /// The digest of all bytes that were added.
    consuming func digest() -> ContentDigest {
      var bytes = [UInt8](repeating: 0, count: 32)
      var count: UInt32 = 0
      EVP_DigestFinal_ex(context, &bytes, &count)
      return ContentDigest(bytes: bytes)
    }
    #endif
  }
}
