#if os(Linux)
import DocumentTestSupport
import Foundation
import Testing

@testable import docversions

@Suite("Starting", .blocks)
struct StartTests {
  @Test(
    "No libgit2 is loaded for what does not need it",
    arguments: [
      ["--version"], ["log", "a.md"], ["conflicts"], ["show", "a.md"], ["save", "a.md"], ["status"],
    ])
  func lazily(_ arguments: [String]) throws {
    let program = try Program()
    try program.write("one\n", to: "a.md")
    try program.run("save", "a.md")
    try program.write("two\n", to: "a.md")
    let log = try Command.run(
      Program.path, arguments, in: program.folder[""], environment: ["LD_DEBUG": "files"]
    ).errorOutput
    #expect(log.contains("libc.so"))
    #expect(!log.contains("libgit2.so"))
  }
}
#endif
