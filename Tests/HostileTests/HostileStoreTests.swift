import DocumentTestSupport
import Foundation
import Testing

@testable import DocumentGit
@testable import DocumentStore

/// The program's use of stores with malicious contents of all kinds, as in a copy of another user's folder,
/// on a USB stick, or in a synced folder.
///
/// Each is refused with a sentence, or does no harm. None makes the program wait, fills the memory, or
/// reaches anything outside.
@Suite("Hostile stores", .blocks)
struct HostileStoreTests {
  private static let kinds = [
    "FIFO", "socket", "device", "link to itself", "link elsewhere", "link to the same", "folder",
  ]

  /// Parts of a repository, and the items in their places.
  static let evilParts = Sample.pairs(
    [
      "HEAD", "config", "packed-refs", "lock", "refs", "refs/heads", "refs/heads/main",
      "refs/heads/x", "refs/tags", "objects", "objects/pack", "objects/info",
      "objects/pack/pack-1.pack", "objects/pack/pack-1.idx", "objects/pack/multi-pack-index",
      "logs", "logs/HEAD",
    ], kinds)

  /// The same for the parts that only a document's store has.
  static let evilPartsOfStores =
    evilParts
    + Sample.pairs(
      ["ledger", "working-file", "change-counts", "checkouts", "backup", "quarantine"], kinds)

  @Test(
    "A config that would run or lead elsewhere is refused",
    arguments: [
      "[core]\n\tfsmonitor = RUN", "[core]\n\thooksPath = /tmp",
      "[core]\n\tsshCommand = RUN", "[core]\n\teditor = RUN", "[core]\n\tpager = RUN",
      "[core]\n\taskPass = RUN", "[core]\n\tgitProxy = RUN", "[core]\n\tworktree = /",
      "[core]\n\tattributesFile = /etc/passwd", "[core]\n\texcludesFile = /etc/passwd",
      "[core]\n\talternateRefsCommand = RUN", "[credential]\n\thelper = !RUN",
      "[diff \"x\"]\n\tcommand = RUN", "[diff \"x\"]\n\ttextconv = RUN",
      "[merge \"x\"]\n\tdriver = RUN", "[filter \"x\"]\n\tclean = RUN",
      "[filter \"x\"]\n\tsmudge = RUN", "[uploadpack]\n\tpackObjectsHook = RUN",
      "[remote \"o\"]\n\tuploadpack = RUN", "[url \"ext::sh\"]\n\tinsteadOf = /",
      "[include]\n\tpath = /dev/zero", "[includeIf \"gitdir:/\"]\n\tpath = /x",
      "[alias]\n\tlog = !RUN", "[gpg]\n\tprogram = RUN", "[init]\n\ttemplateDir = /x",
      "[extensions]\n\tobjectFormat = sha256", "[extensions]\n\tworktreeConfig = true",
      "[core]\n\trepositoryformatversion = 1", "[core]\n\tbare = true\r\n\tfsmonitor = x",
      "[gc]\n\tauto = 0\r", "[gc]\n\tauto = 0\\\nfsmonitor = x", "[gc]\n\tauto = 0 \\",
      "[gc \"x\"]\n\tauto = 0", "[gc]\n\tauto = 0\u{2028}[core]\n\tfsmonitor = x",
      "[core]\n\tbare = true\u{85}[gc]\n\tfsmonitor = x",
      "[core]\n\tbare = true\u{2028}[gc]\u{2028}fsmonitor = RUN",
      "[core]\n\tbare = true\u{0C}[gc]\u{0C}\tfsmonitor = x", "[gc]\n\tauto = \0", "\u{1B}[2J",
    ])
  func config(text: String) throws {
    let victim = try Victim()
    let ours = try String(contentsOf: victim["config"], encoding: .utf8)
    let command = "touch '\(victim.canary.path)/ran'"
    try victim.write(ours + text.replacing("RUN", with: command) + "\n", to: "config")
    let runs = try victim.expectHarmless()
    expectRefused(runs)
  }

  @Test(
    "A config of a megabyte, and one that never ends, are refused", arguments: [1 << 20, 1 << 33])
  func hugeConfig(size: Int) throws {
    let victim = try Victim()
    let file = try FileHandle(forWritingTo: victim["config"])
    try file.truncate(atOffset: UInt64(size))
    expectRefused(try victim.expectHarmless())
  }

  @Test(
    "A link, FIFO, socket, device or folder in the place of a part is refused",
    arguments: TestMode.some(of: evilParts, atMost: 40))
  func parts(path: String, kind: String) throws {
    let victim = try Victim()
    let isFolder = ["refs", "refs/heads", "objects", "objects/pack", "logs"].contains(path)
    if kind == "device" && geteuid() != 0 { return }
    if kind == "link to the same", !FileManager.default.fileExists(atPath: victim[path].path) {
      return
    }
    try victim.replace(path, with: kind)
    let runs = try victim.expectHarmless()
    // An additional empty folder, or one in place of a pack, is only litter.
    let isLitter =
      kind == "folder"
      && !["HEAD", "config", "packed-refs", "lock", "refs/heads/main"].contains(path)
    if !isLitter || ["refs", "refs/heads", "objects"].contains(path) && isFolder {
      expectRefused(runs)
    }
  }

  @Test(
    "Verifying and repairing reach nothing outside, and never wait",
    arguments: TestMode.some(of: evilPartsOfStores, atMost: 40))
  func repairing(path: String, kind: String) throws {
    if kind == "device" && geteuid() != 0 { return }
    let victim = try Victim()
    if kind == "link to the same", !FileManager.default.fileExists(atPath: victim[path].path) {
      return
    }
    try victim.replace(path, with: kind)
    let before = try victim.snapshot()
    let document = victim.container.appending(path: "a.md")
    for round in 1...2 {
      for body: () throws -> String in [
        { "\(try victim.library.verify(document).findings.map(\.message))" },
        { "\(try victim.library.repair(document).steps.map(\.message))" },
      ] {
        let run = Victim.Run { Data(try body().utf8) }
        #expect([0, 5, 6].contains(run.exitCode), "\(round): \(run.exitCode) \(run.errorText)")
        #expect(run.processorTime < .seconds(1))
        #expect(try victim.snapshot() == before, "\(round): \(run.text)")
      }
    }
  }

  @Test(
    "A link or FIFO where a loose object is, or its folder, is damage",
    arguments: ["FIFO", "socket", "device", "link to the same", "link elsewhere", "folder"],
    [false, true])
  func looseObjects(kind: String, isFolder: Bool) throws {
    if kind == "device" && geteuid() != 0 { return }
    let victim = try Victim()
    try victim.unpack()
    let head = try String(contentsOf: victim["refs/heads/main"], encoding: .utf8).prefix(40)
    let path = "objects/\(head.prefix(2))" + (isFolder ? "" : "/\(head.dropFirst(2))")
    try victim.replace(path, with: kind)
    expectRefused(try victim.expectHarmless())
  }

  @Test(
    "A link on the way to the stores is refused",
    arguments: [".docversions", ".docversions/documents"])
  func way(path: String) throws {
    let victim = try Victim()
    let place = victim.container.appending(path: path)
    try FileManager.default.moveItem(at: place, to: victim.scratch["moved"])
    try FileManager.default.createSymbolicLink(
      at: place, withDestinationURL: victim.scratch["moved"])
    for command in ["log", "show", "save"] {
      #expect([5, 6].contains(try victim.run(command, "a.md").exitCode))
    }
  }

  @Test("Hard links do no harm", arguments: ["config", "HEAD", "refs/heads/main"])
  func hardLinks(path: String) throws {
    let victim = try Victim()
    try victim.replace(path, with: "hard link")
    expectUnharmed(try victim.expectHarmless())
  }

  @Test(
    "What borrows or hides history is refused",
    arguments: [
      "objects/info/alternates", "objects/info/http-alternates", "commondir", "gitdir",
      "info/grafts", "shallow", "config.worktree",
    ])
  func borrowing(path: String) throws {
    let victim = try Victim()
    try victim.write("\(victim.canary.path)\n", to: path)
    expectRefused(try victim.expectHarmless())
  }

  @Test("Hooks, a .git file, replacements and foreign files do nothing")
  func ignored() throws {
    let victim = try Victim()
    for hook in ["post-checkout", "pre-commit", "reference-transaction", "post-update"] {
      try victim.write("#!/bin/sh\ntouch '\(victim.canary.path)/ran'\n", to: "hooks/\(hook)")
      _ = chmod(victim["hooks/\(hook)"].path, 0o755)
    }
    try victim.write("gitdir: \(victim.canary.path)\n", to: ".git")
    let main = try String(contentsOf: victim["refs/heads/main"], encoding: .utf8)
    let head = try String(contentsOf: victim["HEAD"], encoding: .utf8)
    try victim.write(head, to: "refs/replace/\(main.prefix(40))")
    try victim.write("x", to: "description")
    expectUnharmed(try victim.expectHarmless())
  }

  @Test(
    "A store, or its config, of another user is refused",
    .enabled(if: geteuid() == 0, "only root can give files away"), arguments: ["", "config"])
  func owner(path: String) throws {
    let victim = try Victim()
    try #require(chown(victim[path].path, 12_345, 12_345) == 0)
    expectRefused(try victim.expectHarmless())
  }

  @Test(
    "A reference that is none of ours is passed over",
    arguments: [
      "refs/heads/UPPER", "refs/heads/a b", "refs/heads/\u{1B}[2J", "refs/heads/x.lock",
      "refs/heads/a..b", "refs/heads/" + String(repeating: "x", count: 200), "refs/heads/@{1}",
      "refs/tags/\u{7}", "refs/notes/x", "refs/heads/sub/x", "refs/heads/-", "refs/heads/é",
    ])
  func foreignReferences(name: String) throws {
    let victim = try Victim()
    let target = try String(contentsOf: victim["refs/heads/main"], encoding: .utf8)
    try victim.write(target, to: name)
    // Locks of others are waited for.
    if name.hasSuffix(".lock") { utimes(victim[name].path, [timeval(), timeval()]) }
    expectUnharmed(try victim.expectHarmless())
  }

  @Test(
    "A symbolic reference leads nowhere",
    arguments: [
      "ref: refs/heads/x", "ref: ../../../../canary/file", "ref: /etc/passwd", "ref: refs/heads/y",
      "ref: ", "ref: HEAD", "ref: refs/heads/\u{1B}[2J",
    ])
  func symbolicReferences(text: String) throws {
    let victim = try Victim()
    try victim.write(text + "\n", to: "refs/heads/x")
    try victim.write("ref: refs/heads/x\n", to: "refs/heads/y")
    _ = try victim.expectHarmless()
    try victim.write(text + "\n", to: "HEAD")
    _ = try victim.expectHarmless()
  }

  @Test(
    "HEAD and references of any bytes are damage at most",
    arguments: [
      "", "\0\0\0\0", String(repeating: "9", count: 40), String(repeating: "x", count: 100_000),
      "\u{1B}]0;x\u{7}", "ref: refs/heads/" + String(repeating: "x", count: 5_000),
    ], ["HEAD", "refs/heads/main", "packed-refs"])
  func garbledReferences(text: String, path: String) throws {
    let victim = try Victim()
    try victim.write(text, to: path)
    _ = try victim.expectHarmless()
  }

  @Test(
    "Twenty thousand heads are refused",
    .enabled(if: TestMode.isFull, "takes long; with DOCVERSIONS_FAULTS=full"),
    arguments: [false, true])
  func manyHeads(isPacked: Bool) throws {
    let victim = try Victim()
    let target = try String(contentsOf: victim["refs/heads/main"], encoding: .utf8).prefix(40)
    if isPacked {
      let lines = (0..<20_000).map { "\(target) refs/heads/h\($0)\n" }.sorted()
      try victim.write("# pack-refs with: sorted\n" + lines.joined(), to: "packed-refs")
    } else {
      for number in 0..<20_000 {
        _ = FileManager.default.createFile(
          atPath: victim["refs/heads/h\(number)"].path, contents: Data("\(target)\n".utf8))
      }
    }
    expectRefused(try victim.expectHarmless())
  }

  private func expectRefused(
    _ runs: [String: Victim.Run], sourceLocation: SourceLocation = #_sourceLocation
  ) {
    for command in ["show", "save"] {
      let run = runs[command]
      #expect(
        [5, 6].contains(run?.exitCode), "\(command): \(run?.exitCode ?? -1) \(run?.text ?? "")",
        sourceLocation: sourceLocation)
      #expect(run?.errorText.hasPrefix("error: ") == true, sourceLocation: sourceLocation)
    }
  }

  private func expectUnharmed(
    _ runs: [String: Victim.Run], sourceLocation: SourceLocation = #_sourceLocation
  ) {
    #expect(runs["show"]?.text == "a.md two\n", sourceLocation: sourceLocation)
    for command in ["log", "show", "save", "restore"] {
      #expect(
        runs[command]?.exitCode == 0, "\(command): \(runs[command]?.errorText ?? "")",
        sourceLocation: sourceLocation)
    }
  }
}
