import DocumentMerge
import Foundation
import Testing

@Suite("Paths inside a package")
struct PackagePathTests {
  @Test(
    "Names that no member can have are refused",
    arguments: ["", "/", "/a", "a/", "a//b", ".", "..", "a/../b", "a/.", "a\0b"])
  func refused(_ text: String) {
    let error = #expect(throws: MergeError.self) { try PackagePath(text) }
    #expect(error?.code == .invalidPath)
  }

  @Test("Names are bytes: two spellings of one letter are two names")
  func spellings() throws {
    #expect(try PackagePath("\u{E9}") != PackagePath("e\u{301}"))
    #expect(try PackagePath("a") < PackagePath("a/b"))
    #expect(try PackagePath([0xFE]) < PackagePath([0xFF]))
  }

  static let paths: [(bytes: [UInt8], description: String)] = [
    (Array("pages/1.txt".utf8), "pages/1.txt"),
    (Array("é 🍇...".utf8), "é 🍇..."),
    (Array("a\\b\nc".utf8), "a\\\\b\\x0ac"),
    (Array("\u{202E}x".utf8), "\\xe2\\x80\\xaex"),
    ([0x61, 0xFF, 0xE9, 0x5C], "a\\xff\\xe9\\\\"),
  ]

  @Test("What cannot be shown is escaped, and read back from its description", arguments: paths)
  func description(_ bytes: [UInt8], _ description: String) throws {
    let path = try PackagePath(bytes)
    #expect(path.description == description)
    let encoded = try JSONEncoder().encode([path])
    #expect(try JSONDecoder().decode([PackagePath].self, from: encoded) == [path])
  }

  @Test(
    "What leads out of the package, or is not how a path is written, cannot be decoded",
    arguments: [#"a/\\x2e\\x2e/b"#, #"a\\"#, #"a\\n"#, #"a\\x"#, #"a\\x4"#, #"a\\xzz"#, #"a\\x+1"#])
  func undecodable(_ text: String) {
    #expect(throws: MergeError.self) {
      try JSONDecoder().decode([PackagePath].self, from: Data("[\"\(text)\"]".utf8))
    }
  }
}
