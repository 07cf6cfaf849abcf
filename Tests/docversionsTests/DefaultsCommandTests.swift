internal import DocumentTestSupport
internal import Foundation
internal import Testing

/// `defaults`, as a person uses it.
@Suite(.blocks)
struct DefaultsCommandTests {
  private let program: Program

  init() throws {
    program = try Program()
    try program.run("container", "init")
  }

  @Test(arguments: [
    ("14", "14"), ("text", "text"), ("true", "true"), ("[1, \"a\"]", "[1,\"a\"]"), ("1.50", "1.5"),
    ("{\"a\": 1}", "{\"a\":1}"), ("two words", "two words"), ("\"14\"", "14"),
    ("12345678901234567890", "12345678901234567890"), ("1e300", "1e+300"),
    ("two\nlines", "two\nlines"),
  ])
  func `a value that is set is read`(typed: String, expected: String) throws {
    let set = try program.run("defaults", "set", "key", typed)
    #expect(set.exitCode == 0, "\(set.errorOutput)")
    #expect(try program.run("defaults", "get", "key").output == expected + "\n")
  }

  @Test func `values are listed and removed`() throws {
    try program.run("defaults", "set", "b", "2")
    try program.run("defaults", "set", "a", "1", "--string")
    #expect(try program.run("defaults", "list").output == "a  1\nb  2\n")
    let values = try program.json("defaults", "list")["values"] as? [String: Any]
    #expect(values?["a"] as? String == "1" && values?["b"] as? Int == 2)
    #expect(try program.run("defaults", "remove", "a").exitCode == 0)
    #expect(try program.run("defaults", "list").output == "b  2\n")
    #expect(try program.json("defaults", "get", "b")["value"] as? Int == 2)
  }

  @Test(arguments: [
    (["get", "nothing"], "no value", 3), (["remove", "nothing"], "no value", 3),
    (["set", "", "1"], "must not be empty", 5),
    (["set", String(repeating: "k", count: 65), "1"], "65 bytes", 5),
    (["get", "a", "--in", "nowhere"], "not a folder", 2),
  ])
  func `bad input is refused`(arguments: [String], reason: String, code: Int32) throws {
    let refused = try program.run(["defaults"] + arguments)
    #expect(refused.exitCode == code)
    #expect(refused.errorOutput.contains(reason))
    #expect(refused.output.isEmpty)
  }

  @Test func `settings that are damaged say so`() throws {
    try program.run("defaults", "set", "a", "1")
    try program.write("{\"a\": ", to: ".key-values.json")
    let refused = try program.run("defaults", "list")
    #expect(refused.exitCode == 6)
    #expect(refused.errorOutput.contains("“.key-values.json” can’t be read: they are no JSON"))
    #expect(!refused.errorOutput.contains("Swift"))
  }

  @Test func `where no documents are kept there are no settings`() throws {
    let program = try Program()
    let refused = try program.run("defaults", "list")
    #expect(refused.exitCode != 0)
    #expect(refused.errorOutput.contains("docversions container init"))
    #expect(!program.exists(".docversions"))
  }
}
