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
    #if canImport(CryptoKit)
    self.bytes = Array(SHA256.hash(data: bytes))
    #else
    var digest = [UInt8](repeating: 0, count: 32)
    var length: UInt32 = 0
    EVP_Digest(bytes, bytes.count, &digest, &length, EVP_sha256(), nil)
    self.bytes = digest
    #endif
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
}
