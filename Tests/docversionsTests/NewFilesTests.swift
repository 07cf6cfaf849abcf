import DocumentTestSupport
import Foundation
import Testing

/// Files without versions, which are listed, and saved together.
@Suite("New files", .blocks)
struct NewFilesTests {
  private let program: Program

  init() throws {
    program = try Program()
    try program.write("a", to: "a.md")
    try program.run("save", "a.md")
  }

  @Test("Status counts them, and save takes them with what was edited")
  func counted() throws {
    for name in [
      "b.md", "sub/c.md", "sub/Trip.rtfd/TXT.rtf", ".hidden", "sub/.#c.md", "b.md~", "sub/d.tmp",
      "a (Mira's conflicted copy 2026-11-22).md", "code/.git/config", "code/main.c",
      "apart/.docversions/documents/x", "apart/e.md",
    ] {
      try program.write(name, to: name)
    }
    try program.write("edited", to: "a.md")
    let status = try program.run("status").output
    #expect(status.contains("\n3 new: b.md, sub/Trip.rtfd, sub/c.md\n"), "\(status)")
    #expect(status.contains("Save what is new, too:  docversions save --all\n"))
    #expect(
      status.contains("“apart” keeps its own versions:  docversions status apart\n"), "\(status)")
    let answer = try program.json("status")["new"] as? [String]
    #expect(answer?.map { URL(filePath: $0).lastPathComponent } == ["b.md", "Trip.rtfd", "c.md"])
    let plan = try program.run("save", "--all", "--dry-run").output
    #expect(plan.split(separator: "\n").count == 4, "\(plan)")
    let saved = try program.run("save", "--all")
    #expect(saved.exitCode == 0)
    #expect(saved.output.split(separator: "\n").count == 4, "\(saved.output)")
    #expect(try !program.run("status").output.contains("new"))
    #expect(try program.run("save", "--all").output == "Nothing to save.\n")
  }

  @Test("What a list leaves out, or lets in, is so on every device")
  func listTravels() throws {
    let desks = try TwoDesks(program)
    let tom = desks.tom
    try program.write("!.obsidian\n*.log\n", to: ".docversionsignore")
    try program.write("{}", to: ".obsidian/app.json")
    #expect(try program.run("save", "--all").exitCode == 0)
    for desk in [program, tom] { #expect(try desk.run("sync").exitCode == 0) }
    #expect(try tom.read(".docversionsignore") == "!.obsidian\n*.log\n")
    #expect(try tom.read(".obsidian/app.json") == "{}")
    try tom.write("{}", to: ".obsidian/new.json")
    try tom.write("text", to: "a.log")
    let status = try tom.run("status").output
    #expect(status.contains("\n1 new: .obsidian/new.json\n"), "\(status)")
    // One that names itself stays.
    try tom.write(".docversionsignore\n", to: "sub/.docversionsignore")
    #expect(try tom.run("status").output.contains("\n1 new: .obsidian/new.json\n"))
  }

  @Test("Documents that all rest need no folder for stores")
  func withoutStores() throws {
    try FileManager.default.removeItem(at: program.folder[".docversions"])
    try FileManager.default.createDirectory(
      at: program.folder[".docversions"], withIntermediateDirectories: false)
    for number in 1...11 { try program.write("\(number)", to: "\(number).md") }
    #expect(try program.run("save", "--all").output == "Saved 12 documents.\n")
    #expect(!program.exists(".docversions/documents"))
    for arguments in [["status"], ["find"], ["verify"], ["conflicts"], ["watch", "--once"]] {
      let result = try program.run(arguments)
      #expect(result.exitCode == 0, "\(arguments): \(result)")
    }
    try program.write("edited", to: "7.md")
    #expect(try program.run("save", "--all").output.hasPrefix("Saved 7.md"))
    #expect(try program.versions(of: "7.md").count == 2)
  }

  @Test("A name that is no text is reported, and the rest is saved")
  func invalidName() throws {
    try program.write("b", to: "b.md")
    #expect(try program.shell(#"echo x > $'x\377.md'; echo y > $'y\377'"#).exitCode == 0)
    let status = try program.run("status").output
    #expect(
      status.contains("\n2 to rename, with a name that is not valid UTF-8: x\\xFF.md, y\\xFF\n"),
      "\(status)")
    #expect(
      try program.run("status", "--ignored").output.contains(
        "  x\\xFF.md  its name is not valid UTF-8; rename it\n"))
    let saved = try program.run("save", "--all")
    #expect(saved.exitCode == 5)
    #expect(saved.output.hasPrefix("Saved b.md"))
    #expect(
      saved.errorOutput.contains(
        "error: The name “x\\xFF.md” is not valid UTF-8; rename it first.\n"))
    #expect(try !program.run("save", "--all").output.contains("Nothing to save"))
  }

  @Test("A name that is too long for a document is reported, and the rest is saved")
  func longName() throws {
    let name = String(repeating: "n", count: 250) + ".md"
    try program.write("long", to: name)
    try program.write("short", to: "b.md")
    let status = try program.run("status").output
    #expect(status.contains("\n1 new: b.md\n"), "\(status)")
    #expect(
      status.contains(
        "\n1 to rename, with a name that is too long (a document’s may have 251 bytes): \(name)\n"),
      "\(status)")
    let saved = try program.run("save", "--all")
    #expect(saved.exitCode == 5)
    #expect(saved.output.contains("Saved b.md"), "\(saved)")
    #expect(
      saved.errorOutput == """
        error: The name “\(name)” is too long (a document’s may have 251 bytes); rename it first.

        """)
    let once = try program.run("watch", "--once")
    #expect(once.exitCode == 0, "\(once)")
    #expect(
      (once.output + once.errorOutput).contains("bytes); rename it first"), "\(once)")
  }

  @Test("A package in which documents have versions is a folder of documents")
  func documentsInPackage() throws {
    try program.write("x", to: "p.rtfd/TXT.rtf")
    try program.run("save", "p.rtfd/TXT.rtf")
    try program.write("y", to: "p.rtfd/more.txt")
    let status = try program.run("status").output
    #expect(status.contains("\n1 new: p.rtfd/more.txt\n"), "\(status)")
    let saved = try program.run("save", "--all")
    #expect(saved.exitCode == 0, "\(saved)")
    #expect(try program.run("save", "--all").output == "Nothing to save.\n")
    #expect(try program.run("watch", "--once").exitCode == 0)
    // Once they are gone from the disk, it can be one document.
    try FileManager.default.removeItem(at: program.folder["p.rtfd"])
    for name in ["TXT.rtf", "more.txt"] { try program.run("delete", "p.rtfd/\(name)") }
    try program.write("z", to: "p.rtfd/other.rtf")
    #expect(try program.run("save", "--all").output.contains("p.rtfd"))
  }

  @Test(
    "Of two names that a disk may take for one, the second is refused each time, among few and among many",
    arguments: [0, 8], [["Plan.md", "plan.md"], ["\u{E9}.md", "e\u{301}.md"]])
  func spelledAlike(others: Int, names: [String]) throws {
    let program = try Program()
    for number in 0..<others { try program.write("\(number)", to: "\(number).md") }
    for name in names { try program.write(name, to: name) }
    for _ in 1...2 {
      let saved = try program.run("save", "--all")
      #expect(saved.exitCode != 0)
      #expect(saved.errorOutput.contains("differ only in how they are spelled"), "\(saved)")
    }
    #expect(try program.run("status").output.contains("1 new: "))
    #expect(try program.run("find").output.split(separator: "\n").count == others + 2)
  }

  @Test(
    "A document whose store is damaged is reported where all are saved, and keeps no other one back"
  )
  func damagedStore() throws {
    let program = try Program()
    for name in ["a.md", "b.md"] { try program.write("one", to: name) }
    try program.run("save", "--all")
    let damaged = try program.shell(
      #"for f in .docversions/documents/b.md.git/objects/pack/*.pack; do chmod u+w "$f"; truncate -s 30 "$f"; done"#
    )
    try #require(damaged.exitCode == 0)
    for name in ["a.md", "b.md"] { try program.write("two", to: name) }
    let saved = try program.run("save", "--all")
    #expect(saved.exitCode == 6, "\(saved)")
    #expect(saved.output.contains("Saved a.md"))
    #expect(saved.errorOutput.contains("b.md"))
    let once = try program.run("watch", "--once")
    #expect((once.output + once.errorOutput).contains("b.md"), "\(once)")
  }

  @Test("Many are reported in one line, in a folder that becomes one container")
  func many() throws {
    let program = try Program()
    for number in 1...12 { try program.write("\(number)", to: "notes/\(number % 3)/\(number).md") }
    #expect(try program.run("save", "--all", "notes").output == "Saved 12 documents.\n")
    #expect(program.exists("notes/.docversions"))
    #expect(!program.exists("notes/1/.docversions"))
  }

  @Test("The first save of a document in a folder makes the current folder the place of all")
  func below() throws {
    let program = try Program()
    try program.write("d", to: "journal/d.md")
    try program.write("p", to: "plans/p.md")
    #expect(try program.run("save", "journal/d.md", "plans/p.md").exitCode == 0)
    #expect(program.exists(".docversions"))
    #expect(!program.exists("journal/.docversions"))
    #expect(try program.run("status").output.contains("2 documents: nothing to do."))
  }

  @Test(
    "A first save keeps out of folders that hold much else, or are not named",
    arguments: ["home", "shared", "absolute", "parent", "repository", "vault", "dry", "missing"])
  func elsewhere(_ reason: String) throws {
    let program = try Program()
    try program.write("d", to: "journal/d.md")
    var file = "journal/d.md"
    var environment: [String: String] = [:]
    switch reason {
    case "home": environment["HOME"] = program.folder["."].path
    case "shared":
      try FileManager.default.setAttributes(
        [.posixPermissions: 0o777], ofItemAtPath: program.folder["."].path)
    case "absolute": file = program.folder[file].path
    case "parent": file = "journal/../journal/d.md"
    case "repository": try program.write("", to: "journal/.git/config")
    case "vault": try program.write("", to: "journal/.obsidian/app.json")
    case "missing": file = "journal/e.md"
    default: break
    }
    let result = try program.run(
      ["save", file] + (reason == "dry" ? ["--dry-run"] : []), environment: environment)
    #expect(result.exitCode == (reason == "missing" ? 3 : 0), "\(result.errorOutput)")
    #expect(!program.exists(".docversions"))
    #expect(program.exists("journal/.docversions") == !["dry", "missing"].contains(reason))
  }

  @Test("A note, a name and a text may begin with a dash")
  func dash() throws {
    try program.write("- one\n", to: "-b.md")
    #expect(try program.run("save", "-m", "- list", "--", "-b.md").exitCode == 0)
    #expect(try program.run("log", "--", "-b.md").output.contains("- list"))
    #expect(
      try program.run("log", "./-b.md", "--search", "- one").output.contains("- list"))
    for option in [["--name", "-b*"], ["--text", "- one"]] {
      #expect(try program.run(["find"] + option).output == "-b.md\n")
    }
    #expect(try program.run("restore", "./-b.md", "current", "--to", "-c.md").exitCode == 0)
    #expect(try program.read("-c.md") == "- one\n")
    // As git calls its driver for that file.
    #expect(
      try program.run("merge", "./-b.md", "./-c.md", "a.md", "--name", "-b.md").exitCode == 0)
    #expect(try program.read("-c.md") == "a")
  }

  @Test("What is to be saved is named, or all of it is asked for")
  func usage() throws {
    #expect(try program.run("save").exitCode == 2)
    #expect(try program.run("save", "--all", "--package").exitCode == 2)
  }

  @Test("A document that was renamed outside docversions is none of them")
  func renamed() throws {
    try FileManager.default.moveItem(at: program.folder["a.md"], to: program.folder["z.md"])
    let status = try program.run("status").output
    #expect(status.hasPrefix("z.md  unchanged"))
    #expect(!status.contains("new"))
    #expect(try program.run("save", "--all").output == "Nothing to save.\n")
  }

  @Test("Status names conflicted copies, and adopt finds them in the current folder")
  func copies() throws {
    let copy = "a.sync-conflict-20261121-025448-UWZBLXH.md"
    try program.write("a", to: copy)
    let status = try program.run("status").output
    #expect(status.contains("\n1 conflicted copy: \(copy)\n"), "\(status)")
    #expect(status.contains("Look at the copies:  docversions adopt\n"))
    #expect((try program.json("status")["copies"] as? [String])?.count == 1)
    #expect(try program.run("adopt").output.hasPrefix("a.md  \(copy)"))
    try program.run("adopt", "--merge")
    #expect(try !program.run("status").output.contains("cop"))
  }

  @Test("Folders below that keep their own versions are named by status, sync and exchange")
  func apart() throws {
    try program.write("b", to: "apart/b.md")
    try FileManager.default.createDirectory(
      at: program.folder["apart/.docversions"], withIntermediateDirectories: true)
    try program.run("save", "apart/b.md")
    let line = "“apart” keeps its own versions:  docversions "
    #expect(try program.run("status").output.contains(line + "status apart\n"))
    #expect(
      try program.run("exchange", "cloud").output.contains(line + "exchange cloud-apart apart"))
    try program.run("remote", "add", "stick", "file://\(program.folder["stick"].path)")
    #expect(try program.run("sync").output.contains(line + "sync --in apart\n"))
  }

  @Test("A folder without versions is told how to begin")
  func beginning() throws {
    let program = try Program()
    try program.write("a", to: "a.md")
    #expect(
      try program.run("status").output
        == "No document here has versions.\nSave all of the folder:  docversions save --all\n")
  }

  @Test("Of many documents status lists those with something to do, and knows what was sent")
  func many100() throws {
    let program = try Program()
    for number in 100..<160 { try program.write("\(number)", to: "\(number).md") }
    try program.run("save", "--all")
    try program.run("exchange", "cloud")
    // Unchanged documents aren't opened the second time.
    for _ in 1...2 {
      #expect(try program.run("status").output == "60 documents: nothing to do.\n")
    }
    try program.write("new", to: "100.md")
    try program.run("save", "100.md")
    for _ in 1...3 {
      #expect(
        try program.run("status").output
          == "100.md  unchanged  2 versions  not exchanged yet\n60 documents: 1 to exchange.\n")
    }
  }

  @Test("The first save in a folder that a sync tool carries says what the tool must leave out")
  func synced() throws {
    let program = try Program()
    try FileManager.default.createDirectory(
      at: program.folder["sync/.stfolder"], withIntermediateDirectories: true)
    try program.write("a", to: "sync/a.md")
    try program.write("b", to: "sync/b.md")
    let first = try program.run("save", "sync/a.md").output
    #expect(first.contains("The versions are kept in sync/.docversions, on this device.\n"))
    #expect(first.contains("Put this line in sync/.stignore:  .docversions\n"), "\(first)")
    #expect(try program.run("save", "sync/b.md").output.split(separator: "\n").count == 1)
    let cured = try Program()
    try cured.write(".docversions\n", to: "sync/.stignore")
    try cured.write("a", to: "sync/a.md")
    #expect(try cured.run("save", "sync/a.md").output.split(separator: "\n").count == 1)
  }

  @Test(
    "A new file in the place of a document that was moved is new",
    arguments: ["old.md", "2025/a.md"])
  func reusedName(place: String) throws {
    if place.contains("/") { try program.write("", to: "2025/b.md") }
    #expect(try program.shell("mv a.md \(place) && echo new > a.md").exitCode == 0)
    let answer = try program.json("status")
    let new = answer["new"] as? [String]
    #expect(new?.contains { $0.hasSuffix("/a.md") && !$0.hasSuffix(place) } == true, "\(answer)")
    #expect(new?.contains { $0.hasSuffix(place) } == false, "\(answer)")
    #expect(try program.run("save", "--all").exitCode == 0)
    #expect(try program.versions(of: "a.md").count == 1)
    let kept = try program.run("log", place).output
    #expect(try program.run("show", place, "current").output == "a", "\(kept)")
    #expect(try program.run("save", "--all").output == "Nothing to save.\n")
    #expect(try program.run("log", place).output.contains("+1"), "\(kept)")
    let status = try program.run("status").output
    #expect(!status.contains("new") && !status.contains("edited"), "\(status)")
  }

  @Test(
    "A folder that can’t be searched keeps nothing else from being saved",
    arguments: ["a huge list of rules", "a path that is too long"])
  func unsearchable(obstacle: String) throws {
    try program.write("new", to: "sub/b.md")
    try program.write("edited", to: "a.md")
    if obstacle == "a huge list of rules" {
      try program.write(String(repeating: "x\n", count: 600_000), to: "sub/.docversionsignore")
    } else {
      let line = "n=$(printf %0200d 0); for i in $(seq 30); do mkdir $n && cd $n || break; done"
      let made = try Command.run("sh", ["-c", "cd '\(program.folder.url.path)' && \(line)"])
      #expect(made.exitCode == 0, "\(made)")
    }
    let saved = try program.run("save", "--all")
    #expect(saved.exitCode == 5, "\(saved)")
    #expect(saved.errorOutput.contains("can’t be read; nothing in it was saved"), "\(saved)")
    #expect(try program.versions(of: "a.md").count == 2)
    try program.write("again", to: "a.md")
    let status = try program.run("status").output
    #expect(status.contains("edited") && status.contains("unreadable folder"), "\(status)")
    let once = try program.run("watch", "--once")
    #expect(once.exitCode == 0, "\(once)")
    #expect(try program.versions(of: "a.md").count == 3)
    let exists = obstacle == "a path that is too long"
    #expect(try program.run("log", "sub/b.md").exitCode == (exists ? 0 : 3))
  }
}
