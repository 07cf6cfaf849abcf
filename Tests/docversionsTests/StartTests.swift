#if os(Linux)
import DocumentTestSupport
import Foundation
import Testing

@testable import docversions

@Suite("Starting")
struct StartTests {
  @Test("No command reads the system’s certificates, which only a connection needs")
  func certificates() throws {
    let program = try Program()
    try program.write("one\n", to: "a.md")
    let log = try program.run("save", "a.md", environment: ["LD_DEBUG": "bindings"]).errorOutput
    let bindings = log.split(separator: "\n").filter {
      $0.contains("/libgit2.so") && $0.contains("`mbedtls_x509_crt_parse_file'")
    }
    // A libgit2 with other TLS has no such function.
    guard log.contains("libmbedx509") else { return }
    #expect(!bindings.isEmpty)
    #expect(bindings.allSatisfy { $0.contains("to \(Program.path) ") }, "\(bindings)")
  }

  @Test(
    "What hashes no document does without libgit2",
    arguments: [
      ["--version"], ["log", "a.md"], ["conflicts"], ["show", "a.md"],
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
