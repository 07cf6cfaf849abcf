import DocumentGit
import Testing

@testable import DocumentStore

@Suite("Records from elsewhere")
struct ForeignRecordTests {
  private func facts(_ change: (inout Record.Facts) -> Void = { _ in }) -> Record.Facts {
    var facts = Record.Facts(
      document: String(repeating: "0", count: 32), kind: .save, path: "a.md", author: "A",
      device: "D", date: 1, modified: 1, note: nil)
    change(&facts)
    return facts
  }

  private func commit(message: String, tree: ObjectID = .emptyTree) -> Commit {
    let somebody = Commit.Signature(name: "A", seconds: 1)
    return Commit(
      tree: tree, parents: [], author: somebody, committer: somebody, message: message)
  }

  @Test("A record comes back as it was made")
  func roundTrip() throws {
    let made = facts {
      $0.note = "first\r\nsecond line"
      $0.path = "naïve/日本.md"
    }
    let (record, object) = try Record.make(made, parents: [.emptyTree])
    let commit = try Commit(decoding: object.bytes())
    #expect(Record.isRecord(commit))
    let read = try Record(id: record.id, decoding: commit)
    #expect(read.facts == made)
    #expect(read.parents == [.emptyTree])
  }

  @Test(
    "The marks of a content come back, whatever the note of its version says",
    arguments: [nil, "note", "", "\u{1}", "\n", "Removed: all", "\r\n\u{1}\nPinned: yes"])
  func marks(note: String?) throws {
    let record = try Record.make(facts { $0.note = note }, parents: []).record
    for marks in [
      ContentCommit.Marks(), ContentCommit.Marks(isPinned: true),
      ContentCommit.Marks(isDiscardable: true),
      ContentCommit.Marks(removed: [.emptyTree, record.id], isAllRemoved: true),
    ] {
      #expect(
        try ContentCommit.make(for: record, predecessors: [], marks: marks).content.marks == marks)
    }
  }

  @Test(
    "A commit that only resembles a record is none",
    arguments: [
      "", "x", "x\n", "x\n\n{}", "x\n\n{}\n\n", "x\n{}\n", "x\n\nRemoved: all\n", "x\r\n\r\n{}\r\n",
      "x\r\n\n{}\r\n", "\n\n\n\n",
    ])
  func noRecord(message: String) {
    let commit = commit(message: message)
    #expect(!Record.isRecord(commit) || message == "x\r\n\n{}\r\n")
    #expect(throws: GitError.self) { _ = try Record(id: .emptyTree, decoding: commit) }
  }

  @Test(
    "Impossible facts are refused",
    arguments: [
      #""date":9223372036854775807"#, #""date":-9223372036854775808"#, #""bytes":-1"#,
      #""files":-1"#,
      #""bytes":9223372036854775807"#, #""path":"""#, #""path":"../x""#, #""path":"/etc/passwd""#,
      #""path":"a/.docversions/x""#, #""path":".git/hooks/post-commit""#, #""path":"a/.Git/x""#,
      #""path":".g\u200Cit/x""#, #""path":"a//b""#, #""path":"a\u0000b""#, #""format":2"#,
      #""content":"x""#, #""date":"now""#, #""path":null"#,
    ])
  func impossible(fact: String) throws {
    let object = try Record.make(facts(), parents: []).object
    let message = try Commit(decoding: object.bytes()).message
    let key = fact.prefix { $0 != ":" }
    var fields = try #require(message.split(separator: "\n").last).dropFirst().dropLast()
      .split(separator: ",").filter { !$0.hasPrefix(key) }.map(String.init)
    fields.append(fact)
    let json = "{" + fields.joined(separator: ",") + "}"
    let error = #expect(throws: GitError.self) {
      _ = try Record(id: object.id, decoding: commit(message: "x\n\n\(json)\n"))
    }
    #expect(error?.message.utf8.allSatisfy { $0 >= 0x20 } == true)
  }

  @Test("A date that nothing can come after is not written")
  func latest() {
    #expect(throws: GitError.self) {
      _ = try Record.make(facts { $0.date = (1 << 53) + 1 }, parents: [])
    }
  }
}
