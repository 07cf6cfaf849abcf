internal import DocumentTestSupport
internal import Foundation
internal import Testing

/// Looking closely at stores: the built program, as a person uses it.
@Suite(.blocks)
struct VerifyCommandTests {
  private let program: Program

  init() throws {
    program = try Program.withThreeVersions()
  }

  @Test func `a whole store is reported with what was read`() throws {
    let result = try program.run("verify", "trip.md")
    #expect(result.exitCode == 0)
    #expect(result.output.hasPrefix("trip.md  whole · 3 versions, "))
    #expect(result.output.split(separator: "\n").count == 1)
    #expect(try program.run("verify").output == result.output)
  }

  @Test func `a flipped byte is damage, and the way to the doctor is shown`() throws {
    try program.flipByteInOldestPack()
    let before = try program.storeFiles()
    let result = try program.run("verify")
    #expect(result.exitCode == 1)
    #expect(result.output.hasPrefix("trip.md  DAMAGED · "))
    #expect(result.output.contains("  A pack is damaged: "))
    #expect(
      result.output.hasSuffix("  See what can be repaired:  docversions doctor trip.md\n"))
    #expect(try program.storeFiles() == before)
  }

  @Test(arguments: [false, true])
  func `a lost reference is damage, also with the ledger gone`(isLedgerGone: Bool) throws {
    let current = try #require(try program.versions(of: "trip.md").first)
    try program.removeFromStore("refs/heads/main")
    if isLedgerGone { try program.removeFromStore("ledger") }
    let result = try program.run("verify", "trip.md")
    #expect(result.exitCode == 1)
    #expect(result.output.contains(current.prefix(7)))
    #expect(result.output.contains("docversions doctor trip.md"))
  }

  @Test func `the answer for programs has findings and counts`() throws {
    let whole = try program.json("verify", "trip.md")
    let documents = try #require(whole["documents"] as? [[String: Any]])
    #expect(documents.count == 1)
    #expect(
      documents[0].keys.sorted() == [
        "bytes", "document", "findings", "objects", "versions", "whole",
      ])
    #expect(documents[0]["document"] as? String == program.folder["trip.md"].path)
    #expect(documents[0]["whole"] as? Bool == true)
    #expect(documents[0]["versions"] as? Int == 3)
    #expect((documents[0]["findings"] as? [Any])?.isEmpty == true)

    let current = try #require(try program.versions(of: "trip.md").first)
    try program.removeFromStore("refs/heads/main")
    let damaged = try #require(try program.json("verify")["documents"] as? [[String: Any]])
    #expect(damaged[0]["whole"] as? Bool == false)
    let findings = try #require(damaged[0]["findings"] as? [[String: Any]])
    let finding = try #require(findings.first)
    #expect(finding.keys.sorted() == ["code", "file", "message", "severity", "versions"])
    #expect(finding["code"] as? String == "lost-reference")
    #expect(finding["severity"] as? String == "damage")
    #expect(finding["versions"] as? [String] == [current])
    #expect(finding["file"] is NSNull)
  }

  @Test func `what can’t be read can’t be verified`() throws {
    try program.write("new", to: "new.md")
    for arguments in [["verify", "missing.md"], ["verify", "new.md"]] {
      let result = try program.shell("docversions \(arguments.joined(separator: " "))")
      #expect(result.exitCode == 2)
      #expect(result.errorOutput.hasPrefix("error: "))
      #expect(result.output.isEmpty)
    }
    let other = try Program()
    let empty = try other.run("verify")
    #expect(empty.exitCode == 2)
    #expect(empty.output.hasPrefix("No document here has versions.\n"))
    #expect(try other.json("verify")["documents"] as? [String] == [])
  }

  @Test(.enabled(if: geteuid() == 0, "only root can become another user"))
  func `a store that can’t be read is reported, and the others are verified`() throws {
    try program.write("b", to: "b.md")
    try program.run("save", "b.md")
    let packs = program.store.appending(path: "objects/pack")
    let result = try program.shell(
      """
      chown -R 65534:65534 . && chmod 0 '\(packs.path)'
      setpriv --reuid=65534 --regid=65534 --clear-groups '\(Program.path)' verify
      """)
    #expect(result.exitCode == 2, "\(result.output)")
    #expect(result.output.hasPrefix("b.md  whole"))
    #expect(result.errorOutput.contains("trip.md"))
  }
}
