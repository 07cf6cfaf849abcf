internal import DocumentTestSupport
internal import DocumentVersions
internal import Foundation
internal import Testing

/// The counts of changes in a log, which are the same whether they were cached or not.
@Suite(.blocks)
struct LogCountsTests {
  private let program: Program

  init() throws {
    program = try Program()
  }

  private func cache(of name: String) -> URL {
    program.folder[".docversions/documents/\(name).git/change-counts"]
  }

  /// Compares lists with the cached counts and without them; counts of earlier lists are kept for later ones.
  private func check(
    _ name: String = "a.md", of program: Program? = nil,
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    let program = program ?? self.program
    let cache = program.folder["\(program.place)/.docversions/documents/\(name).git/change-counts"]
    for arguments in [["-n", "2"], []] {
      func log() throws -> String {
        let log = try program.run(["log", name] + arguments)
        #expect(log.exitCode == 0, sourceLocation: sourceLocation)
        return log.output
      }
      let first = try log()
      #expect(try log() == first, sourceLocation: sourceLocation)
      let counted = FileManager.default.contents(atPath: cache.path)
      if counted != nil { try FileManager.default.removeItem(at: cache) }
      #expect(try log() == first, sourceLocation: sourceLocation)
      try counted?.write(to: cache)
    }
  }

  /// Returns the counts beside the versions, newest first.
  private func counts(_ name: String = "a.md") throws -> [String] {
    try program.run("log", name).output.split(separator: "\n").map { line in
      let cells = line.split(separator: "  ")
      return cells.count > 3 ? String(cells[3]).trimmingCharacters(in: .whitespaces) : ""
    }
  }

  private func save(_ text: String, as name: String = "a.md") throws {
    try program.write(text, to: name)
    try program.run("save", name)
  }

  @Test func `of a file: lines, whatever else became of it`() throws {
    for text in ["one\n", "one\ntwo\n", "three\n", "a\0", "text\n", ""] {
      try save(text)
      try check()
    }
    #expect(try counts() == ["−1", "", "", "+1 −2", "+1", "+1"])
    _ = chmod(program.folder["a.md"].path, 0o755)
    try program.run("save", "a.md")
    try check()
    try save(String(repeating: "long line\n", count: 110_000))
    try check()
    try program.run("restore", "a.md", "~3")
    try check()
    try program.run("rename", "a.md", "b.md")
    try check("b.md")
    try program.run("delete", "b.md")
    try check("b.md")
    try program.run("undo", "b.md")
    try check("b.md")
  }

  @Test func `of a package: members`() throws {
    for number in 1...4 { try program.write("page \(number)\n", to: "p.pkg/pages/\(number).txt") }
    try program.run("save", "p.pkg")
    try check("p.pkg")
    try program.write("new\n", to: "p.pkg/new.txt")
    try program.write("edited\n", to: "p.pkg/pages/1.txt")
    try FileManager.default.removeItem(at: program.folder["p.pkg/pages/2.txt"])
    try program.run("save", "p.pkg")
    try check("p.pkg")
    try FileManager.default.moveItem(
      at: program.folder["p.pkg/pages"], to: program.folder["p.pkg/sheets"])
    try program.run("save", "p.pkg")
    try check("p.pkg")
    _ = chmod(program.folder["p.pkg/new.txt"].path, 0o755)
    try program.run("save", "p.pkg")
    try check("p.pkg")
    #expect(
      try counts("p.pkg") == ["~1 member", "→3 members", "+1 −1 ~1 members", "+4 members"])
    try FileManager.default.removeItem(at: program.folder["p.pkg"])
    try save("flat\n", as: "p.pkg")
    try check("p.pkg")
    #expect(try !program.run("log", "-n", "1", "p.pkg").output.contains("member"))
  }

  @Test func `of versions some of which were removed, and came back`() throws {
    for number in 1...6 {
      try save((0...number).map { "\($0)\n" }.joined())
      try check()
    }
    for arguments in [
      ["remove", "a.md", "~1"], ["remove", "a.md", "~2"], ["undo", "a.md"], ["undo", "a.md"],
      ["remove", "a.md", "--others"],
    ] {
      #expect(try program.run(arguments).exitCode == 0, "\(arguments)")
      try check()
    }
    try save("x\n")
    try check()
    #expect(try program.run("collect").exitCode == 0)
    try check()
  }

  @Test func `of a conflict, and what settles it`() throws {
    let program = try ConflictedDocument.withoutQuestions()
    try check("trip.md", of: program)
    #expect(try program.run("resolve", "--merge", "trip.md").exitCode == 0)
    try check("trip.md", of: program)
    #expect(try program.run("undo", "trip.md").exitCode == 0)
    try check("trip.md", of: program)
  }

  @Test func `of versions that come from another device`() throws {
    var (mira, tom) = (program, program)
    mira.place = "mira"
    tom.place = "tom"
    (tom.author, tom.device) = ("Tom", "toms-phone")
    try mira.write("1\n", to: "a.md")
    try mira.run("save", "a.md")
    try FileManager.default.createDirectory(
      at: program.folder["tom"], withIntermediateDirectories: true)
    for round in 2...5 {
      for device in [mira, tom] {
        #expect(try device.run("exchange", "../sync").exitCode == 0)
        try check(of: device)
        try device.write("\(round) \(device.author)\n", to: "a.md")
        try device.run("save", "a.md")
        try check(of: device)
      }
    }
  }

  @Test func `what was counted before is listed without reading the contents`() throws {
    for number in 1...5 { try save((0...number).map { "\($0)\n" }.joined()) }
    let log = try program.run("log", "a.md").output
    let packs = program.folder[".docversions/documents/a.md.git/objects/pack"]
    try FileManager.default.moveItem(at: packs, to: program.folder["packs"])
    #expect(try program.run("log", "a.md").output == log)
    #expect(try program.run("log", "-n", "2", "a.md").exitCode == 0)
    try FileManager.default.moveItem(at: program.folder["packs"], to: packs)
    // With every member, everything is read.
    try FileManager.default.removeItem(at: cache(of: "a.md"))
    #expect(try program.run("log", "--stat", "a.md").exitCode == 0)
    #expect(try program.run("log", "--json", "a.md").exitCode == 0)
    #expect(!FileManager.default.fileExists(atPath: cache(of: "a.md").path))
  }

  @Test func `contents that are damaged are not noted`() throws {
    let program = try Program.withThreeVersions()
    try program.flipByteInOldestPack()
    let log = try program.run("log", "trip.md").output
    #expect(log.contains("damaged"))
    try check("trip.md", of: program)
    #expect(try program.run("log", "trip.md").output == log)
  }

  @Test(
    "Whatever is in the place of the counts, the log is the same",
    arguments: ["", "random", "folder", "unreadable"])
  func damaged(kind: String) throws {
    for number in 1...4 { try save((0...number).map { "\($0)\n" }.joined()) }
    let log = try program.run("log", "a.md").output
    let place = cache(of: "a.md")
    try FileManager.default.removeItem(at: place)
    if kind == "folder" {
      try program.folder.write("x", to: ".docversions/documents/a.md.git/change-counts/x")
    } else {
      try Data((kind + String(repeating: "?", count: 400)).utf8).write(to: place)
      if kind == "unreadable" { _ = chmod(place.path, 0) }
    }
    for _ in 1...2 { #expect(try program.run("log", "a.md").output == log) }
    #expect(try program.run("verify", "a.md").exitCode == 0)
    #expect(try program.run("save", "a.md").exitCode == 0)
    #expect(try program.run("rename", "a.md", "b.md").exitCode == 0)
    #expect(try program.run("log", "b.md").exitCode == 0)
  }

  @Test func `people whose names differ only in their bytes are distinguished`() throws {
    for (text, author) in ["one\n": "Ren\u{E9}", "two\n": "Rene\u{301}"].sorted(by: {
      $0.key < $1.key
    }) {
      var program = program
      program.author = author
      try program.write(text, to: "a.md")
      try program.run("save", "a.md")
    }
    let lines = try program.run("log", "a.md").output.split(separator: "\n")
    #expect(lines[0].utf8.contains(0xCC) && !lines[1].utf8.contains(0xCC))
  }

  @Test func `several may list during a save`() throws {
    try save("0\n")
    let result = try program.shell(
      """
      for round in 1 2 3 4 5 6; do
        docversions log a.md > /dev/null & docversions log -n 2 a.md > /dev/null &
        echo $round >> a.md; docversions save a.md > /dev/null || exit 1
        docversions log a.md > /dev/null & wait
      done
      """)
    #expect(result.exitCode == 0 && result.errorOutput.isEmpty, "\(result.errorOutput)")
    try check()
    #expect(try counts() == Array(repeating: "+1", count: 7))
    #expect(try program.run("verify", "a.md").exitCode == 0)
  }
}
