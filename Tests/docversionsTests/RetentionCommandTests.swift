internal import DocumentTestSupport
internal import Foundation
internal import Testing

/// Undoing, thinning, pinning and restoring: the built program, as a person uses it.
@Suite(.blocks)
struct RetentionCommandTests {
  @Test func `a resolution says how it is undone, and that opens the conflict again`() throws {
    let program = try ConflictedDocument.withoutQuestions()
    let resolved = try program.run("resolve", "--merge", "trip.md").output
    #expect(resolved.hasSuffix("Undo:  docversions undo trip.md\n"))
    let undone = try program.run("undo", "trip.md").output
    #expect(undone.hasPrefix("Undid the merge "))
    #expect(undone.contains("It has 1 unresolved conflict version again.\n"))
    #expect(undone.hasSuffix("Look at the conflict:  docversions conflicts trip.md\n"))
    let again = try program.run("undo", "trip.md")
    #expect(again.exitCode == 2)
    // The sides have their authors; it isn't known who opened the conflict again.
    #expect(again.errorOutput.contains("“trip.md” was undone already.\n"), "\(again.errorOutput)")
    let log = try program.run("log", "trip.md").output
    #expect(log.components(separatedBy: "open again\n").count == 3, "\(log)")
    #expect(
      again.errorOutput.contains(
        "Resolve the conflict again:  docversions resolve --ask trip.md"))
    try program.run("resolve", "--merge", "trip.md")
    let answer = try program.json("undo", "trip.md")
    #expect(
      answer.keys.sorted() == [
        "broughtBack", "conflicts", "document", "keptEdits", "undone", "version",
      ])
    #expect((answer["undone"] as? [String: Any])?["kind"] as? String == "merge")
  }

  @Test func `thinning lists what is kept and why, and is undone`() throws {
    let program = try Program()
    for day in 1...4 {
      try program.write("day \(day)", to: "trip.md")
      try program.run(
        "save", "trip.md", environment: ["DOCVERSIONS_NOW": "2026-03-0\(day)T12:00:00Z"])
    }
    let ids = try program.versions(of: "trip.md").map { String($0.prefix(7)) }
    #expect(try program.run("pin", "trip.md", ids[3]).output == "Pinned \(ids[3]) of trip.md.\n")
    #expect(try program.run("log", "trip.md").output.contains("pinned"))
    let plan = try program.run("thin", "trip.md", "--keep-daily", "2", "--dry-run").output
    #expect(plan.hasSuffix("Would thin trip.md: 3 versions kept, 1 removed from this device.\n"))
    let thinned = try program.run("thin", "trip.md", "--keep-within", "1d1h").output
    let lines = thinned.split(separator: "\n").map(String.init)
    #expect(lines.count == 6)
    #expect(lines[0].hasPrefix("keep    \(ids[0])  2026-03-04T12:00:00Z  Mira · mira-laptop  "))
    #expect(lines[0].hasSuffix("  current, shown, within 1d1h"))
    #expect(lines[1].hasSuffix("  within 1d1h"))
    #expect(lines[2].hasPrefix("remove  \(ids[2])  "))
    #expect(lines[3].hasSuffix("  pinned"))
    #expect(lines[4] == "Thinned trip.md: 3 versions kept, 1 removed from this device.")
    #expect(lines[5] == "Undo:  docversions undo trip.md")
    let refused = try program.run("remove", "trip.md", ids[3])
    #expect(refused.exitCode == 2)
    #expect(refused.errorOutput.contains("docversions unpin trip.md \(ids[3])"))
    #expect(
      try program.run("undo", "trip.md").output.hasSuffix("Brought back 1 version.\n"))
    #expect(try program.versions(of: "trip.md").count == 4)
  }

  @Test func `what was removed is listed, and brought back by its first digits`() throws {
    let program = try Program()
    for text in ["one", "two"] {
      try program.write(text, to: "trip.md")
      try program.run("save", "trip.md")
    }
    let id = try #require(try program.versions(of: "trip.md").last)
    try program.run("remove", "trip.md", "--others")
    let list = try program.run("undelete", "trip.md").output
    #expect(list.hasPrefix("\(id.prefix(7))  "))
    #expect(
      list.hasSuffix("Bring the newest back:  docversions undelete trip.md \(id.prefix(7))\n"))
    #expect(try program.run("undelete", "trip.md", "0000").exitCode == 3)
    let back = try program.run("undelete", "trip.md", String(id.prefix(5))).output
    #expect(back == "Brought back \(id.prefix(7)) of trip.md.\n")
    #expect(try program.versions(of: "trip.md").count == 2)
  }

  @Test func `thinning without a rule, or with one that is none, is refused`() throws {
    let program = try Program()
    for arguments in [[], ["--keep-last", "0"], ["--keep-last=-1"], ["--keep-within", "2w"]] {
      let result = try program.shell("docversions thin trip.md \(arguments.joined(separator: " "))")
      #expect(result.exitCode == 2)
    }
  }

  @Test func `removing says from where, and the line that it prints removes from every device`()
    throws
  {
    let program = try Program()
    for text in ["password", "clean", "more"] {
      try program.write(text, to: "trip.md")
      try program.run("save", "trip.md")
    }
    let ids = try program.versions(of: "trip.md")
    let removed = try program.run("remove", "trip.md", ids[2]).output
    #expect(removed.contains(" from this device"))
    let line = try #require(removed.split(separator: "\n").last?.split(separator: ":  ").last)
    let everywhere = try program.shell(String(line))
    #expect(everywhere.exitCode == 0, "\(everywhere.errorOutput)")
    #expect(everywhere.output.hasPrefix("Removed \(ids[2].prefix(7)) of trip.md from every device"))
    #expect(everywhere.output.contains("docversions collect trip.md --grace 0"))
    #expect(try program.run("log", "trip.md").output.contains("removed from every device"))
    #expect(try program.run("undelete", "trip.md", ids[2]).exitCode != 0)
    #expect(try program.run("remove", "trip.md", "--others", "--everywhere").exitCode == 2)
    let answer = try program.json("remove", "trip.md", ids[1], "--everywhere")
    #expect(answer["everywhere"] as? Bool == true)
  }
}
