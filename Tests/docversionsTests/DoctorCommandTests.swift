internal import DocumentTestSupport
internal import Foundation
internal import Testing

/// Repairing stores: the built program, as a person uses it.
@Suite(.blocks)
struct DoctorCommandTests {
  private let program: Program

  init() throws {
    program = try Program.withThreeVersions()
  }

  @Test func `a whole store has nothing to repair`() throws {
    let before = try program.storeFiles()
    for arguments in [["trip.md"], ["--repair"]] {
      let result = try program.shell("docversions doctor \(arguments.joined(separator: " "))")
      #expect(result.exitCode == 0)
      #expect(result.output == "trip.md  nothing to repair\n")
    }
    #expect(try program.storeFiles() == before)
  }

  @Test func `without --repair, nothing is repaired`() throws {
    let current = try #require(try program.versions(of: "trip.md").first).prefix(7)
    try program.removeFromStore("refs/heads/main")
    let before = try program.storeFiles()
    let result = try program.run("doctor", "trip.md")
    #expect(result.exitCode == 1)
    #expect(
      result.output == """
        trip.md  1 step would be done
          Make the reference to version \(current) again.
          Do it:  docversions doctor --repair trip.md

        """)
    #expect(try program.storeFiles() == before)
  }

  @Test(arguments: [false, true])
  func `a lost reference is made again, and what was before is kept`(isLedgerGone: Bool) throws {
    let versions = try program.versions(of: "trip.md")
    try program.removeFromStore("refs/heads/main")
    if isLedgerGone { try program.removeFromStore("ledger") }
    let head = try String(contentsOf: program.store.appending(path: "HEAD"), encoding: .utf8)
    let document = try program.documentStatus()
    let result = try program.run("doctor", "trip.md", "--repair")
    #expect(result.exitCode == 0, "\(result.output)")
    let line = try #require(
      result.output.split(separator: "\n").first { $0.contains("As it was before:  ") })
    let backup = URL(filePath: String(line.components(separatedBy: ":  ")[1]))
    #expect(backup.path.hasPrefix(program.store.path + "/backup/"))
    #expect(try String(contentsOf: backup.appending(path: "HEAD"), encoding: .utf8) == head)
    #expect(try program.versions(of: "trip.md") == versions)
    #expect(try program.documentStatus() == document)
    #expect(try program.run("verify").exitCode == 0)
    #expect(try program.run("doctor", "--repair").output == "trip.md  nothing to repair\n")
    #expect(try program.run("save", "trip.md").exitCode == 0)
  }

  /// A store as left by tools that sync a folder file by file.
  @Test(arguments: ["main 2", "main-LAPTOP", "main (conflicted copy 2026-11-23)"], [false, true])
  func `a version that only a copied reference leads to is put beside the others`(
    name: String, isLedgerOfOther: Bool
  ) throws {
    let versions = try program.versions(of: "trip.md")
    // Another device makes a version of the same one.
    let other = program.folder["other"]
    try FileManager.default.createDirectory(at: other, withIntermediateDirectories: false)
    for item in ["trip.md", ".docversions"] {
      try FileManager.default.copyItem(
        at: program.folder[item], to: other.appending(path: item))
    }
    try program.write("theirs\n", to: "other/trip.md")
    #expect(try program.run("save", "other/trip.md").exitCode == 0)
    let theirs = try #require(try program.versions(of: "other/trip.md").first)
    let store = other.appending(path: ".docversions/documents/trip.md.git")
    try program.write("ours\n", to: "trip.md")
    #expect(try program.run("save", "trip.md").exitCode == 0)
    for pack in try FileManager.default.contentsOfDirectory(
      at: store.appending(path: "objects/pack"), includingPropertiesForKeys: nil)
    {
      let place = program.store.appending(path: "objects/pack/\(pack.lastPathComponent)")
      if !FileManager.default.fileExists(atPath: place.path) {
        try FileManager.default.copyItem(at: pack, to: place)
      }
    }
    try FileManager.default.copyItem(
      at: store.appending(path: "refs/heads/main"),
      to: program.store.appending(path: "refs/heads/\(name)"))
    if isLedgerOfOther {
      try program.removeFromStore("ledger")
      try FileManager.default.copyItem(
        at: store.appending(path: "ledger"), to: program.store.appending(path: "ledger"))
    }
    #expect(
      try program.run("verify", "trip.md").output.contains("refs/heads/\(name)") || isLedgerOfOther)
    let preview = try program.run("doctor", "trip.md")
    #expect(preview.exitCode == 1)
    let result = try program.run("doctor", "trip.md", "--repair")
    #expect(result.exitCode == 0, "\(result.output)")
    let now = try program.versions(of: "trip.md")
    #expect(now.count == versions.count + 2)
    #expect(now.contains(theirs))
    #expect(try program.run("status", "trip.md").output.contains("1 unresolved conflict"))
    #expect(try program.run("verify", "trip.md").exitCode == 0)
    #expect(
      try program.run("doctor", "--repair", "trip.md").output == "trip.md  nothing to repair\n")
    #expect(try program.run("save", "trip.md").exitCode == 0)
  }

  @Test(arguments: [[], ["--find-lost"]])
  func `a version of another document stays where it is`(options: [String]) throws {
    let versions = try program.versions(of: "trip.md")
    try program.write("other\n", to: "other.md")
    #expect(try program.run("save", "other.md").exitCode == 0)
    let other = program.folder[".docversions/documents/other.md.git"]
    for pack in try FileManager.default.contentsOfDirectory(
      at: other.appending(path: "objects/pack"), includingPropertiesForKeys: nil)
    {
      try FileManager.default.copyItem(
        at: pack, to: program.store.appending(path: "objects/pack/\(pack.lastPathComponent)"))
    }
    try FileManager.default.copyItem(
      at: other.appending(path: "refs/heads/main"),
      to: program.store.appending(path: "refs/heads/main 2"))
    #expect(try program.run(["doctor", "--repair", "trip.md"] + options).exitCode == 0)
    #expect(try program.versions(of: "trip.md") == versions)
    #expect(try program.run("save", "trip.md").exitCode == 0)
  }

  @Test func `what is gone is reported as lost, every time, and the rest is kept`() throws {
    let versions = try program.versions(of: "trip.md")
    try program.flipByteInOldestPack()
    let document = try program.documentStatus()
    #expect(try program.run("doctor").exitCode == 1)
    let result = try program.run("doctor", "--repair")
    #expect(result.exitCode == 6)
    #expect(result.output.contains("  lost: "))
    #expect(
      result.output.hasSuffix("  To take it from there, add --from and the folder for exchange.\n"))
    #expect(try program.documentStatus() == document)
    // The damaged pack is no longer used, but still exists.
    #expect(try program.storeFiles().contains { $0.key.hasPrefix("quarantine/") })
    let again = try program.run("doctor", "--repair")
    #expect(again.exitCode == 6)
    #expect(again.output.hasPrefix("trip.md  can’t be repaired from here\n  lost: "))
    #expect(try program.run("verify").exitCode == 1)
    #expect(try program.versions(of: "trip.md") == versions)
    for version in versions.dropLast() {
      #expect(try program.run("show", "trip.md", version).exitCode == 0)
    }
    #expect(try program.run("show", "trip.md", versions[2]).exitCode == 6)
  }

  @Test func `what is lost here is taken from a folder for exchange`() throws {
    let folder = try ScratchFolder()
    let cloud = folder.url.path
    try #require(try program.run("exchange", cloud).exitCode == 0)
    let before = try program.contents()
    try program.flipByteInOldestPack()
    let plan = try program.run("doctor", "--from", cloud, "trip.md")
    #expect(plan.exitCode == 1)
    #expect(plan.output.contains("from the folder for exchange."))
    #expect(
      plan.output.hasSuffix("  Do it:  docversions doctor --repair --from \(cloud) trip.md\n"))
    let lines = plan.output.split(separator: "\n")
    #expect(Set(lines).count == lines.count)
    #expect(try program.run("doctor", "--repair", "--from", cloud, "trip.md").exitCode == 0)
    #expect(try program.contents() == before)
    #expect(try program.run("verify").exitCode == 0)
    #expect(try program.run("doctor").output == "trip.md  nothing to repair\n")
    #expect(try program.run("doctor", "--from", "nowhere").exitCode == 3)
  }

  @Test func `versions that nothing leads to are looked for where that is wanted`() throws {
    let versions = try program.versions(of: "trip.md")
    let main = program.store.appending(path: "refs/heads/main")
    let content = try String(contentsOf: main, encoding: .utf8)
    // As an old copy of the reference, restored with the ledger that belongs to it.
    let result = try Command.run(
      "git", ["-C", program.store.path, "rev-parse", "\(content.prefix(40))^1"],
      environment: [
        "GIT_CONFIG_COUNT": "1", "GIT_CONFIG_KEY_0": "safe.directory", "GIT_CONFIG_VALUE_0": "*",
      ])
    try #require(result.exitCode == 0, "\(result.errorOutput)")
    try Data(result.output.utf8).write(to: main)
    try program.removeFromStore("ledger")
    #expect(try program.versions(of: "trip.md") == Array(versions.dropFirst()))
    let verified = try program.run("verify")
    #expect(verified.output.contains("Nothing leads to version \(versions[0].prefix(7))"))
    let plan = try program.run("doctor", "--find-lost")
    #expect(plan.exitCode == 1)
    #expect(plan.output.hasSuffix("  Do it:  docversions doctor --repair --find-lost trip.md\n"))
    #expect(try program.run("doctor", "--find-lost", "--repair").exitCode == 0)
    #expect(try program.versions(of: "trip.md") == versions)
    #expect(try program.run("doctor", "--find-lost").output == "trip.md  nothing to repair\n")
  }

  @Test func `the answer for programs has steps and losses`() throws {
    try program.flipByteInOldestPack()
    for arguments in [["doctor"], ["doctor", "--repair"]] {
      let answer = try #require(try program.json(arguments)["documents"] as? [[String: Any]])
      let isDone = arguments.count == 2
      #expect(
        answer[0].keys.sorted() == ["backup", "document", "losses", "repaired", "steps"])
      #expect(answer[0]["document"] as? String == program.folder["trip.md"].path)
      #expect(answer[0]["repaired"] as? Bool == isDone)
      #expect((answer[0]["backup"] is NSNull) == !isDone)
      let steps = try #require(answer[0]["steps"] as? [[String: Any]])
      #expect(steps.first?.keys.sorted() == ["code", "file", "message"])
      #expect(steps.first?["code"] as? String == "pack")
      #expect((answer[0]["losses"] as? [[String: Any]])?.isEmpty == !isDone)
    }
  }

  @Test func `a document without versions has nothing to repair it with`() throws {
    try program.write("new", to: "new.md")
    let result = try program.run("doctor", "new.md", "--repair")
    #expect(result.exitCode == 3)
    #expect(result.errorOutput.contains("docversions save new.md"))
  }

  @Test func `the self-test says what it tried, and leaves nothing`() throws {
    let before = try FileManager.default.subpathsOfDirectory(atPath: program.folder.url.path)
    for path in [".", "trip.md"] {
      let result = try program.run("doctor", "--self-test", path)
      #expect(result.exitCode == 0, "\(result.output) \(result.errorOutput)")
      let lines = result.output.split(separator: "\n")
      #expect(lines.count == 5)
      #expect(lines.allSatisfy { $0.hasPrefix("ok  ") })
    }
    let checks = try program.json("doctor", "--self-test")["checks"] as? [[String: Any]]
    #expect(checks?.count == 5)
    #expect(checks?.first?.keys.sorted() == ["detail", "name", "passed"])
    #expect(
      try FileManager.default.subpathsOfDirectory(atPath: program.folder.url.path) == before)
  }

  @Test func `interrupted, it says that what was done stands`() throws {
    try program.removeFromStore("refs/heads/main")
    let lock = program.store.appending(path: "lock").path
    let result = try program.shell(
      """
      \(Program.holding(lock, seconds: Program.untilEnded)); holder=$!
      '\(Program.path)' doctor --repair & \(Program.waiting(for: lock)); kill -INT $!
      wait $!; code=$?; kill $holder; exit $code
      """)
    #expect(result.exitCode == 130)
    #expect(try program.run("doctor", "--repair").exitCode == 0)
    #expect(try program.run("verify").exitCode == 0)
  }
}
