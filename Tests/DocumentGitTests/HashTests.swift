import CHash
import DocumentTestSupport
import Foundation
import Testing

/// SHA-1 and SHA-256, with the library that computes them here.
@Suite("Hashes")
struct HashTests {
  private static func sha1(_ pieces: [ArraySlice<UInt8>]) -> String {
    var hash = docversions_sha1_begin()
    for piece in pieces {
      piece.withUnsafeBytes { docversions_sha1_add(&hash, $0.baseAddress, $0.count) }
    }
    var digest = [UInt8](repeating: 0, count: 20)
    docversions_sha1_end(&hash, &digest)
    return hexadecimal(digest)
  }

  private static func sha256(_ pieces: [ArraySlice<UInt8>]) -> String {
    var hash = docversions_sha256_begin()
    for piece in pieces {
      piece.withUnsafeBytes { docversions_sha256_add(&hash, $0.baseAddress, $0.count) }
    }
    var digest = [UInt8](repeating: 0, count: 32)
    docversions_sha256_end(&hash, &digest)
    return hexadecimal(digest)
  }

  private static func hexadecimal(_ bytes: [UInt8]) -> String {
    bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
  }

  @Test(
    "The examples of FIPS 180-4 give its digests",
    arguments: [
      (
        "", 1, "da39a3ee5e6b4b0d3255bfef95601890afd80709",
        "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"
      ),
      (
        "abc", 1, "a9993e364706816aba3e25717850c26c9cd0d89d",
        "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
      ),
      (
        "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq", 1,
        "84983e441c3bd26ebaae4aa1f95129e5e54670f1",
        "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
      ),
      (
        "a", 1_000_000, "34aa973cd4c4daa4f61eeb2bdbad27316534016f",
        "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0"
      ),
    ])
  func examples(text: String, times: Int, sha1: String, sha256: String) {
    let bytes = Array(repeating: Array(text.utf8), count: times).flatMap(\.self)
    #expect(Self.sha1([bytes[...]]) == sha1)
    #expect(Self.sha256([bytes[...]]) == sha256)
  }

  @Test("Bytes of every length, in pieces of any size, have the digests of the system’s programs")
  func lengthsAndPieces() throws {
    let scratch = try ScratchFolder(isInMemory: true)
    var random = SeededGenerator(seed: 180_4)
    let all = (0..<400).map { _ in UInt8.random(in: 0...255, using: &random) }
    let names = (0...all.count).map { "\($0)" }
    for name in names {
      try Data(all.prefix(Int(name) ?? 0)).write(to: scratch[name])
    }
    for (program, hash) in [("sha1sum", Self.sha1), ("sha256sum", Self.sha256)] {
      let printed = try Command.run(program, names, in: scratch.url).output
      let expected = printed.split(separator: "\n").map { String($0.prefix { $0 != " " }) }
      try #require(expected.count == names.count)
      for (length, digest) in expected.enumerated() {
        var pieces: [ArraySlice<UInt8>] = []
        var rest = all.prefix(length)
        while !rest.isEmpty {
          pieces.append(rest.prefix(Int.random(in: 0...150, using: &random)))
          rest = rest.dropFirst(pieces.last?.count ?? 0)
        }
        #expect(hash(pieces) == digest, "\(length) bytes, as \(pieces.map(\.count))")
      }
    }
  }
}
