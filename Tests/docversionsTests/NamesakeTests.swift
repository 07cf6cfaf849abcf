import DocumentTestSupport
import Foundation
import Testing

/// Documents with one name on several devices, as sync reports them.
@Suite("Namesakes", .blocks)
struct NamesakeTests {
  private let program: Program

  init() throws {
    program = try Program()
    for name in ["mira", "tom", "ida"] {
      try program.write("\(name)’s\n", to: "\(name)/a.md")
      try run("save", "a.md", as: name)
      try run("remote", "add", "stick", "file://\(program.folder["stick"].path)", as: name)
    }
  }

  @discardableResult
  private func run(_ arguments: String..., as name: String) throws -> Command.Result {
    var program = program
    (program.author, program.device, program.place) = (name.capitalized, "\(name)-laptop", name)
    let result = try program.run(arguments)
    #expect(result.exitCode == 0, "\(result.errorOutput)")
    return result
  }

  private func lines(_ first: String, _ second: String, isFromHere: Bool) -> String {
    """
    Two documents without contents in common are called \(first): the one \
    \(isFromHere ? "from here" : "that arrived") is “\(second)” now.
    If they are one:  docversions join \(first) '\(second)'

    """
  }

  @Test("Of several that arrive together, each is named once, with the name that it has at the end")
  func together() throws {
    for name in ["mira", "tom"] { try run("sync", as: name) }
    let answer = try run("sync", as: "ida").output
    #expect(answer.contains(lines("a.md", "a 2.md", isFromHere: false)), "\(answer)")
    #expect(answer.contains(lines("a.md", "a 3.md", isFromHere: true)), "\(answer)")
    #expect(answer.components(separatedBy: "Two documents").count == 3, "\(answer)")
  }

  @Test("Names that differ in case are told apart, on both sides, and both documents are in step")
  func spelledApart() throws {
    for (name, document) in [("mira", "Case.md"), ("tom", "case.md")] {
      try program.write("\(name)’s case\n", to: "\(name)/\(document)")
      try run("save", document, as: name)
      try run("rename", "a.md", "\(name).md", as: name)
      try run("sync", as: name)
    }
    let tom = try run("sync", as: "tom").output
    let status = try run("status", as: "tom").output
    #expect(!status.contains("not exchanged yet"), "\(tom)\(status)")
    let mira = try run("sync", as: "mira").output
    #expect(mira.contains(lines("Case.md", "case 2.md", isFromHere: false)), "\(mira)")
    try run("join", "Case.md", "case 2.md", as: "mira")
  }

  @Test("Two that exchange their numbers are no namesakes of each other")
  func exchangedNumbers() throws {
    try run("sync", as: "mira")
    let first = try run("sync", as: "ida").output
    #expect(first.contains(lines("a.md", "a 2.md", isFromHere: true)), "\(first)")
    // An edited document keeps its place until it is saved.
    try program.write("edited\n", to: "ida/a 2.md")
    for name in ["tom", "ida"] { try run("sync", as: name) }
    #expect(try program.read("ida/a 3.md") == "tom’s\n")
    let answer = try run("sync", "--save", as: "ida").output
    #expect(answer.contains("a 2.md is a 3.md now.\n"), "\(answer)")
    #expect(answer.contains("a 3.md is a 2.md now.\n"), "\(answer)")
    #expect(!answer.contains("Two documents"), "\(answer)")
    #expect(try program.read("ida/a 2.md") == "tom’s\n")
    #expect(try program.read("ida/a 3.md") == "edited\n")
  }
}
