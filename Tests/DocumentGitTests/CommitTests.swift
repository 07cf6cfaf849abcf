import DocumentTestSupport
import Foundation
import Testing

@testable import DocumentGit

@Suite("Commits")
struct CommitTests {
  private static let somebody = Commit.Signature(name: "Mira Ó", seconds: 1_795_262_400)

  private func commit(
    _ author: Commit.Signature = somebody, _ message: String = "Save\n", parents: [ObjectID] = []
  ) -> Commit {
    Commit(
      tree: .emptyTree, parents: parents, author: author, committer: Self.somebody, message: message
    )
  }

  @Test(
    "A name becomes one that git takes, and the bytes stay the same from then on",
    arguments: [
      ("Mira", "Mira"), ("Ægir Ølsen", "Ægir Ølsen"), ("日本", "日本"), ("", "unknown"),
      ("   ", "unknown"),
      ("<>", "unknown"), ("A <a@b>", "A a@b"), ("A\nB", "AB"), ("A\r\nB", "AB"), (" A  B ", "A B"),
      ("A\0B", "AB"), ("\u{301}", "\u{301}"),
    ])
  func names(given: String, written: String) throws {
    let store = try Store()
    let object = commit(Commit.Signature(name: given, seconds: 0)).encoded()
    let read = try Commit(decoding: object.bytes())
    #expect(read.author.name == written)
    #expect(try read.encoded().bytes() == object.bytes())
    try store.open().write([GitObject(.tree, []), object])
    #expect(try store.git(["log", "-1", "--format=%an", object.id.description]) == written)
    try store.expectSound()
  }

  @Test(
    "Times and zones come back, east and west",
    arguments: [0, 330, -30, -570, 840, -720, 1, -1], [0, 1, 253_402_300_799] as [Int64])
  func zones(minutes: Int, seconds: Int64) throws {
    let signature = Commit.Signature(name: "A", seconds: seconds, minutesFromGMT: minutes)
    let object = commit(signature).encoded()
    #expect(try Commit(decoding: object.bytes()).author == signature)
    #expect(try Commit(decoding: object.bytes()).encoded().bytes() == object.bytes())
  }

  @Test("Stock git reads the time and the zone")
  func zoneInGit() throws {
    let store = try Store()
    let object = commit(Commit.Signature(name: "A", seconds: 86_400, minutesFromGMT: -570))
      .encoded()
    try store.open().write([GitObject(.tree, []), object])
    #expect(
      try store.git(["log", "-1", "--format=%ad", "--date=iso", object.id.description])
        == "1970-01-01 14:30:00 -0930")
  }

  @Test(
    "Messages and parents come back byte for byte",
    arguments: [
      "", "\n", "a", "a\n\nb\n", "a\r\n\r\nb\r\n", "\n\ntree x\n", "日本語\n", "parent 1\n",
    ],
    [0, 1, 3])
  func messages(message: String, parentCount: Int) throws {
    let parents = (0..<parentCount).map { ObjectID(bytes: Array(repeating: UInt8($0), count: 20)) }
    let object = commit(parents: parents).encoded()
    let written = commit(Self.somebody, message, parents: parents).encoded()
    let read = try Commit(decoding: written.bytes())
    #expect(read.message == message)
    #expect(read.parents == parents)
    #expect(read.tree == .emptyTree)
    #expect(read.encoded().id == written.id)
    #expect(written.id != object.id)
  }

  @Test("A commit of stock git is read, with headers that are unknown here")
  func foreignCommit() throws {
    let store = try Store()
    try store.git(["hash-object", "-w", "-t", "tree", "--stdin"])
    let text = """
      tree \(ObjectID.emptyTree)
      author A B <a@b.c> 1 +0530
      committer C <c> 2 -0000
      encoding ISO-8859-1
      gpgsig -----BEGIN PGP SIGNATURE-----
       parent 0000000000000000000000000000000000000000
       -----END PGP SIGNATURE-----

      Hello\r\nworld

      """
    let id = try store.git(["hash-object", "-w", "-t", "commit", "--stdin"], input: text)
    let commit = try store.open().commit(try #require(ObjectID(hexadecimal: id)))
    #expect(commit.author == Commit.Signature(name: "A B", seconds: 1, minutesFromGMT: 330))
    #expect(commit.committer == Commit.Signature(name: "C", seconds: 2))
    #expect(commit.parents.isEmpty)
    #expect(commit.message == "Hello\r\nworld\n")
  }

  @Test(
    "A commit that is none is an error",
    arguments: [
      "", "\n", "\n\n", "tree", "tree x\n\n", "tree \(ObjectID.emptyTree)\n\nmessage",
      "tree \(ObjectID.emptyTree)\nauthor A <> 1 +0000\n\n",
      "tree \(ObjectID.emptyTree)\nauthor A <> 1 +0000\ncommitter A <> 1 +0000\n",
      "tree \(ObjectID.emptyTree)\nparent x\nauthor A <> 1 +0000\ncommitter A <> 1 +0000\n\n",
      "tree \(ObjectID.emptyTree)\nauthor A 1 +0000\ncommitter A <> 1 +0000\n\n",
      "tree \(ObjectID.emptyTree)\nauthor A <> 99999999999999999999 +0000\ncommitter A <> 1 +0000\n\n",
      "tree \(ObjectID.emptyTree)\nauthor A <> 1 -9223372036854775808\ncommitter A <> 1 +0000\n\n",
      "tree \(ObjectID.emptyTree)\nauthor >A< 1 +0000\ncommitter A <> 1 +0000\n\n",
    ])
  func malformed(text: String) {
    #expect(throws: GitError.self) { _ = try Commit(decoding: Array(text.utf8)) }
  }

  @Test("Random bytes are a commit or an error, never a trap", arguments: 0..<4)
  func random(seed: Int) throws {
    var generator = SeededGenerator(seed: seed)
    let sound = try commit(parents: [.emptyTree]).encoded().bytes()
    for number in 0..<3_000 {
      let bytes = number % 5 == 0 ? generator.bytes(0..<200) : generator.damaged(sound)
      do throws(GitError) {
        // A readable commit can be written.
        _ = try Commit(decoding: bytes).encoded()
      } catch {
        #expect(error.operation == "read", "seed \(seed), number \(number)")
      }
    }
  }
}
