import DocumentTestSupport
import Foundation
import Testing

/// Two devices that edit one document, and let sync merge what leaves no question.
@Suite("sync --merge", .blocks)
struct SyncMergeTests {
  private var program: Program
  private static let base = (1...9).map { "line \($0)\n" }.joined()

  init() throws {
    program = try Program()
    try program.write(Self.base, to: "mira/a.md")
    try run("save", "a.md", as: "mira")
    for name in ["mira", "tom"] {
      try FileManager.default.createDirectory(
        at: program.folder[name], withIntermediateDirectories: true)
      try program.run(
        "remote", "add", "stick", "file://\(program.folder["stick"].path)", "--in", name)
      try run("sync", as: name)
    }
  }

  @discardableResult
  private func run(_ arguments: String..., as name: String) throws -> Command.Result {
    var program = program
    (program.author, program.device, program.place) = (name.capitalized, "\(name)-laptop", name)
    return try program.run(arguments)
  }

  private func edit(_ line: Int, to text: String, as name: String) throws {
    let text = Self.base.replacing("line \(line)\n", with: text + "\n")
    try program.write(text, to: "\(name)/a.md")
  }

  @Test("What leaves no question is merged and sent, with what it says in words and in JSON")
  func merged() throws {
    try edit(2, to: "Mira’s", as: "mira")
    try edit(8, to: "Tom’s", as: "tom")
    try run("sync", "--save", as: "mira")
    let answer = try run("sync", "--save", "--merge", as: "tom")
    #expect(answer.exitCode == 0)
    #expect(answer.output.contains("Saved a.md.\n"), "\(answer.output)")
    #expect(answer.output.contains("Merged a.md; no question was left.\n"))
    #expect(!answer.output.contains("Look at the conflicts"))
    // Nothing that was there before is sent again.
    #expect(try run("sync", as: "mira").output.hasPrefix("a.md  2 received, 0 sent\n"))
    let expected = Self.base.replacing("line 2\n", with: "Mira’s\n")
      .replacing("line 8\n", with: "Tom’s\n")
    for name in ["mira", "tom"] {
      #expect(try program.read("\(name)/a.md") == expected)
      #expect(try run("conflicts", as: name).output == "No conflicts.\n")
    }
  }

  @Test("A question stays as it is, with its unsaved edits, whatever else is merged")
  func question() throws {
    try edit(2, to: "Mira’s", as: "mira")
    try run("sync", "--save", as: "mira")
    try edit(2, to: "Tom’s", as: "tom")
    let answer = try run("sync", "--save", "--merge", as: "tom")
    #expect(answer.exitCode == 0)
    #expect(!answer.output.contains("Merged"))
    #expect(answer.output.contains("1 unresolved conflict"))
    let versions = try program.versions(of: "tom/a.md").count
    try run("sync", "--merge", as: "tom")
    #expect(try program.versions(of: "tom/a.md").count == versions)
  }

  @Test("What takes a change back is a question on every device, until a person answers it")
  func takenBack() throws {
    try edit(2, to: "Tom’s", as: "tom")
    for name in ["tom", "mira"] { try run("sync", "--save", as: name) }
    let changed = try program.read("mira/a.md")
    try program.write(Self.base, to: "mira/a.md")
    #expect(try run("save", "a.md", as: "mira").output.contains("in conflict with that one"))
    for name in ["mira", "tom", "mira", "tom"] { try run("sync", "--merge", as: name) }
    for name in ["mira", "tom"] {
      #expect(try run("conflicts", "--exit-code", as: name).exitCode == 1)
      let texts = try Set(
        program.versions(of: "\(name)/a.md").map {
          try program.run("show", "\(name)/a.md", $0).output
        })
      #expect(texts == [Self.base, changed])
    }
    #expect(try run("resolve", "--merge", "a.md", as: "tom").exitCode == 1)
    #expect(try run("resolve", "--keep", "current", "a.md", as: "mira").exitCode == 0)
    for name in ["mira", "tom", "mira"] { try run("sync", as: name) }
    for name in ["mira", "tom"] {
      #expect(try program.read("\(name)/a.md") == Self.base)
      #expect(try run("conflicts", as: name).output == "No conflicts.\n")
    }
  }

  @Test("Edits that a sync itself saves, because something arrives, are not reported as unsaved")
  func savedMeanwhile() throws {
    try program.write("b", to: "tom/b.md")
    try run("save", "b.md", as: "tom")
    try edit(2, to: "Mira’s", as: "mira")
    try run("sync", "--save", as: "mira")
    try edit(8, to: "Tom’s", as: "tom")
    try program.write("b2", to: "tom/b.md")
    let answer = try run("sync", as: "tom")
    #expect(answer.output.contains("Edited and not saved: b.md. Save"), "\(answer.output)")
  }

  @Test("A sync says that it made the repository, also in place of one that is gone")
  func newRepository() throws {
    let line = "Made a new repository: \(program.folder["stick"].path)\n"
    #expect(try !run("sync", as: "mira").output.contains(line))
    try FileManager.default.removeItem(at: program.folder["stick"])
    let answer = try run("sync", as: "mira")
    #expect(answer.output.hasPrefix(line), "\(answer.output)")
    #expect(try !run("sync", as: "mira").output.contains(line))
  }

  @Test("A sync that goes on merges what arrives, and sends it", .timeLimit(.minutes(10)))
  func watched() throws {
    try edit(2, to: "Mira’s", as: "mira")
    try run("sync", "--save", as: "mira")
    try edit(8, to: "Tom’s", as: "tom")
    let place = program.folder["tom"].path
    let result = try program.shell(
      """
      cd '\(place)'; DOCVERSIONS_AUTHOR=Tom DOCVERSIONS_DEVICE=toms-laptop \
        '\(Program.path)' sync --watch --save --merge --interval 1 >../log & watch=$!
      for i in {1..3000}; do
        grep -q Merged ../log && grep -q 'Sent 1, received 0: a.md' ../log && break; sleep 0.1
      done
      kill $watch; wait $watch; true
      """)
    #expect(result.exitCode == 0)
    try run("sync", as: "mira")
    #expect(
      try program.read("mira/a.md")
        == Self.base.replacing("line 2\n", with: "Mira’s\n").replacing("line 8\n", with: "Tom’s\n"))
  }
}
