import DocumentTestSupport
import Foundation
import Testing

@testable import DocumentStore

#if canImport(Glibc)
import Glibc
#endif

/// Documents of every kind that a file system can hold: saved and restored byte for byte, or refused by name.
@Suite("Hostile documents", .blocks)
struct HostileDocumentTests {
  /// Shell lines that create a package "it.pack" whose members must be restored unchanged.
  static let packages: [String] = [
    "touch $'a\\nb'", "touch $'\\e]0;evil\\a'", "touch $'\\e[2J'", "touch $'caf\\xe9'",
    "touch $'\\xff\\xfe'", "mkdir $'\\xc3'; touch $'\\xc3'/x", "touch ' ' '  ' 'a ' ' a'",
    "touch 'a.' 'b..' '...'", "touch -- -rf --help -", "touch con nul 'a:b' 'a*b' 'a?b' '\"' \"'\"",
    "touch 'a\\b' '..\\x'", "touch .git",
    "mkdir .git; echo '[core]' > .git/config; echo x > .git/HEAD",
    "git init -q .; echo x > x", "mkdir sub; git init -q sub; git init -q --bare sub/bare.git",
    "mkdir .GIT; touch .GIT/x .Git", "touch .git. '.git ' git~1 GIT~1 .git::\\$DATA",
    "touch $'.g\\u200cit' $'\\ufeff.git'", "printf '[submodule \"x\"]\\npath=-u\\n' > .gitmodules",
    "printf '* filter=evil text eol=crlf ident\\n' > .gitattributes; printf 'a\\r\\nb\\n$Id$\\n' > x",
    "printf '* -text working-tree-encoding=UTF-16 export-subst\\n' > .gitattributes; echo y > y",
    "echo '*' > .gitignore; touch x; mkdir d; touch d/y",
    "mkdir d; echo '*' > d/.gitignore; touch d/y",
    "touch .mailmap .gitkeep .empty-folder", "touch .docversions-name-x .docversions-name-.git",
    "mkdir .docversions; touch .docversions/x", "mkdir -p .docversions/documents/x.git",
    "touch $(printf 'x%.0s' $(seq 255))",
    "mkdir -p $(printf 'd%.0s' $(seq 255))/$(printf 'e%.0s' $(seq 255))",
    "touch $'\\u00e9' $'e\\u0301'", "touch a A; mkdir b B", "touch $'\\u202egnp.exe' $'a\\u200bb'",
    "touch $'\\u212a' k K", "mkdir empty; mkdir -p a/b/c/d", "touch empty", "printf '\\0' > zero",
    "printf 'a\\r\\nb\\r\\n' > crlf; printf 'a\\rb\\r' > cr; printf x > noend",
    "printf '\\xef\\xbb\\xbfx' > bom; printf '\\xff\\xfea\\0' > utf16",
    "head -c 300000 /dev/urandom > r",
    "truncate -s 40M sparse", "seq 1 2000 | xargs touch", "mkdir $(seq 1 500)",
    "mkdir -p $(printf 'd/%.0s' $(seq 300)); echo x > d/d/d/x",
    "ln -s loop loop", "ln -s nowhere dangling", "ln -s /etc/passwd absolute", "ln -s .. up",
    "ln -s $(printf 'x%.0s' $(seq 4000)) long", "ln -s $'a\\nb\\e[2J\\xff' odd",
    "mkdir d; ln -s d l; ln -s . d/self",
    "echo x > a; ln a b", "echo x > run; chmod 755 run; echo y > no; chmod 644 no",
    "touch -d 1901-01-01 old; touch -d 2400-01-01 new", "echo blob > x; echo tree > y",
    "touch lock.lock HEAD config refs objects",
    "printf '%s' $'<<<<<<< a\\n=======\\n>>>>>>> b' > m",
  ]

  @Test(
    "What a package holds comes back as it was", arguments: TestMode.some(of: packages, atMost: 19))
  func package(script: String) throws {
    let victim = try Victim()
    try make(script, in: "it.pack", of: victim)
    let before = try listing("home/it.pack", of: victim)
    #expect(before.split(separator: "\n").count > 1)
    let byProgram = Sample.isTaken(at: #_sourceLocation)
    let document = victim.container.appending(path: "it.pack")
    let saved =
      try byProgram
      ? victim.run("save", "it.pack")
      : Victim.Run { Data("\(try victim.library.save(document).isNew)".utf8) }
    try #require(saved.exitCode == 0, "\(saved.errorText)")
    #expect(saved.controlBytes.isEmpty)
    #expect(try listing("home/it.pack", of: victim) == before)
    let restored = try victim.restoreCurrent(of: "it.pack", byProgram: byProgram)
    #expect(restored.exitCode == 0, "\(restored.errorText)")
    #expect(try listing("evil", of: victim) == before)
    if byProgram { #expect(try victim.run("show", "it.pack").controlBytes.isEmpty) }

    // Over an edit in place, too.
    try make("rm -rf -- * .[!.]*; echo edit > edit", in: "it.pack", of: victim)
    try victim.library.save(document)
    let back =
      try byProgram
      ? victim.run("restore", "it.pack", "~1")
      : Victim.Run {
        let history = try victim.library.history(of: document)
        _ = try victim.library.restore(VersionSelector("~1").version(in: history))
        return Data()
      }
    #expect(back.exitCode == 0, "\(back.errorText)")
    #expect(try listing("home/it.pack", of: victim) == before)
    if byProgram { #expect(try GitCheck.problems(inStore: victim.store("it.pack")).isEmpty) }
  }

  /// Shell lines that make "it.pack" or "it" an item that is refused.
  static let refused: [(script: String, name: String)] = [
    ("mkdir it.pack; mkfifo it.pack/fifo", "fifo"), ("mkfifo it.pack", "it.pack"),
    ("mkdir -p it.pack/a; mkfifo $'it.pack/a/\\e[2J'", "a"),
    (
      "mkdir it.pack; perl -MSocket -e 'socket(S,AF_UNIX,SOCK_STREAM,0);bind(S,sockaddr_un(\"it.pack/s\"))'",
      "s"
    ),
    ("echo x > real; ln -s ../canary/file it.pack", "it.pack"),
    ("ln -s it.pack it.pack", "it.pack"),
    ("ln -s nowhere it.pack", "it.pack"), ("ln -s /dev/zero it.pack", "it.pack"),
    ("mkdir it.pack; truncate -s 1T it.pack/huge", "huge"), ("truncate -s 1T it.pack", "it.pack"),
    ("mkdir -p it.pack/$(printf 'd/%.0s' $(seq 1100))", "d"),
  ]

  @Test(
    "What can't be saved is refused by name, at once, and nothing is left",
    arguments: refused.indices)
  func refusal(index: Int) throws {
    let (script, name) = Self.refused[index]
    let victim = try Victim()
    try make(script, in: nil, of: victim)
    let run = try victim.run("save", "it.pack")
    #expect([3, 5].contains(run.exitCode), "\(script): \(run.exitCode) \(run.errorText)")
    #expect(run.errorText.contains(name))
    #expect(run.controlBytes.isEmpty)
    #expect(!FileManager.default.fileExists(atPath: victim.store("it.pack").path))
    #expect(try victim.run("show", "b.md").exitCode == 0)
  }

  @Test("More bytes than a document may have are refused without reading them")
  func tooLarge() throws {
    let victim = try Victim()
    try make(
      "mkdir it.pack; for i in 1 2 3 4 5 6; do truncate -s 2G it.pack/$i; done", in: nil, of: victim
    )
    let run = try victim.run("save", "it.pack")
    #expect(run.exitCode == 5, "\(run.exitCode) \(run.errorText)")
    #expect(run.errorText.contains("it.pack/6"))
    #expect(run.processorTime < .seconds(1))
    #expect(!FileManager.default.fileExists(atPath: victim.store("it.pack").path))
  }

  @Test(
    "A device in a package is refused", .enabled(if: geteuid() == 0, "only root can make one"),
    arguments: ["c 1 5", "b 7 0"])
  func device(numbers: String) throws {
    let victim = try Victim()
    try make("mkdir it.pack; mknod it.pack/device \(numbers)", in: nil, of: victim)
    let run = try victim.run("save", "it.pack")
    #expect(run.exitCode == 5)
    #expect(run.errorText.contains("device"))
  }

  @Test(
    "An item that the user may not read is refused by name",
    .enabled(if: geteuid() == 0, "only root can become somebody else"),
    arguments: [
      "chmod 0 it.pack/d", "chmod 0 it.pack/f", "chmod 111 it.pack/d", "chmod 644 it.pack/d",
    ])
  func unreadable(script: String) throws {
    let victim = try Victim()
    try make("mkdir -p it.pack/d; touch it.pack/f it.pack/d/x; \(script)", in: nil, of: victim)
    try #require(
      Command.run("chown", ["-R", "65534:65534", victim.scratch.url.path]).exitCode == 0)
    let run = try victim.run("save", "it.pack", user: 65_534)
    #expect(run.exitCode == 5, "\(run.exitCode) \(run.errorText)")
    #expect(run.errorText.contains(script.hasSuffix("f") ? "f" : "d"))
    #expect(!FileManager.default.fileExists(atPath: victim.store("it.pack").path))
  }

  @Test(
    "Names of documents themselves",
    arguments: TestMode.some(
      of: [
        "a\nb", "\u{1B}[2J.md", "-rf", "--help", ".git", ".gitignore", "a.git", "a.git~",
        "\u{202E}x.md",
        "e\u{301}.md", "é.md", " ", "a ", "~1", "current", "a:b",
        String(repeating: "x", count: 251),
        "a\\b", "'", "\"$x\"", "…",
      ], atMost: 7))
  func documentNames(name: String) throws { try checkVersions(of: name, in: Victim()) }

  @Test(
    "Names that to Swift are one character with the slash beside them",
    arguments: [
      "d/\u{301}.md", "d/\u{200D}", "\u{600}/a.md", "d.git/\u{301}/\u{FE0F}x", "d\u{600}.git/a",
    ])
  func namesBesideSlash(name: String) throws {
    let victim = try Victim()
    try make("mkdir -p \"$(dirname '\(name)')\"", in: nil, of: victim)
    try checkVersions(of: name, in: victim)
    let status = try victim.run("status")
    #expect(status.exitCode == 0, "\(status.errorText)")
    #expect(status.text.contains("2 versions"))
    #expect(try victim.run("rename", "./" + name, "new.md").exitCode == 0)
    #expect(try victim.run("verify").exitCode == 0)
  }

  private func checkVersions(of name: String, in victim: Victim) throws {
    let file = victim.container.path + "/" + name
    #expect(FileManager.default.createFile(atPath: file, contents: Data("one\n".utf8)))
    try victim.library.save(URL(filePath: file))
    #expect(FileManager.default.createFile(atPath: file, contents: Data("two\n".utf8)))
    let run = try victim.run("save", "--", "./" + name)
    #expect(run.exitCode == 0, "\(run.errorText)")
    #expect(run.controlBytes.isEmpty)
    let log = try victim.run("log", "./" + name)
    #expect(log.exitCode == 0)
    #expect(log.controlBytes.isEmpty)
    #expect(try victim.run("restore", "./" + name, "~1").exitCode == 0)
    #expect(FileManager.default.contents(atPath: file) == Data("one\n".utf8))
  }

  @Test("A package whose members change all the time is saved whole or not at all")
  func churn() throws {
    let victim = try Victim()
    try make("mkdir it.pack; echo 0 > it.pack/a; echo 0 > it.pack/b", in: nil, of: victim)
    let marker = victim.scratch["stop"].path
    let package = victim.container.appending(path: "it.pack").path
    let churn = Process()
    churn.executableURL = URL(filePath: "/bin/bash")
    churn.arguments = [
      "-c",
      "i=0; while [ ! -e \"$1\" ]; do i=$((i+1)); echo $i > \"$2/a\"; echo $i > \"$2/b\"; done",
      "bash", marker, package,
    ]
    try churn.run()
    defer { churn.waitUntilExit() }
    defer { _ = FileManager.default.createFile(atPath: marker, contents: nil) }
    var saves = 0
    for _ in 0..<5 {
      let run = try victim.run("save", "it.pack")
      #expect([0, 4].contains(run.exitCode), "\(run.errorText)")
      if run.exitCode == 0 { saves += 1 }
    }
    // It may never have been unchanged for long enough.
    let document = URL(filePath: package)
    guard saves > 0 else {
      #expect(throws: VersionError.self) { try victim.library.history(of: document) }
      return
    }
    for version in try victim.library.history(of: document).versions {
      let texts = try ["a", "b"].map { name in
        String(decoding: try version.contents(ofMember: name), as: UTF8.self)
      }
      // One is written after the other, and emptied before.
      #expect(texts.count { $0.isEmpty } <= 1, "\(texts)")
      let numbers = texts.compactMap { Int($0.trimmingCharacters(in: .newlines)) }
      #expect(numbers.count == texts.count { !$0.isEmpty }, "\(texts)")
      if numbers.count == 2 { #expect([0, 1].contains(numbers[0] - numbers[1]), "\(numbers)") }
    }
  }

  @Test("A link that leaves a package is followed by nothing that reads, writes or removes")
  func leavingLinks() throws {
    let victim = try Victim()
    try make(
      "ln -s '\(victim.canary.path)' folder; ln -s '\(victim.canary.path)/file' file; echo 1 > x",
      in: "it.pack", of: victim)
    let before = try listing("canary", of: victim)
    let links = try listing("home/it.pack", of: victim)
    try #require(victim.run("save", "it.pack").exitCode == 0)
    // A link becomes a folder and a file, and back.
    try make(
      "rm folder file; mkdir folder; echo 2 > folder/file; echo 2 > file", in: "it.pack", of: victim
    )
    for line in [
      ["save", "it.pack"], ["restore", "it.pack", "~1"], ["restore", "it.pack", "~1"],
      ["restore", "it.pack", "~1"], ["diff", "it.pack", "~1"], ["delete", "it.pack"],
      ["undo", "it.pack"], ["status"], ["verify"], ["remove", "it.pack", "--others"], ["collect"],
    ] {
      let run = try victim.run(line)
      #expect(run.exitCode == 0, "\(line): \(run.errorText)")
      #expect(try listing("canary", of: victim) == before, "\(line)")
    }
    #expect(try listing("home/it.pack", of: victim) == links)
  }

  @Test("What a user’s git would run for a document never runs")
  func userConfiguration() throws {
    let victim = try Victim()
    let ran = "touch '\(victim.canary.path)/ran'"
    try victim.scratch.write(
      """
      [core]
      \tfsmonitor = \(ran)
      \thooksPath = \(victim.scratch["hooks"].path)
      \tsshCommand = \(ran)
      \tpager = \(ran)
      \tautocrlf = true
      \tattributesFile = \(victim.scratch["attributes"].path)
      [filter "evil"]
      \tclean = \(ran)
      \tsmudge = \(ran)
      \trequired = true
      [diff "evil"]
      \tcommand = \(ran)
      \ttextconv = \(ran)
      [merge "evil"]
      \tdriver = \(ran)
      [include]
      \tpath = /dev/zero

      """, to: ".gitconfig")
    try victim.scratch.write("* filter=evil diff=evil merge=evil text eol=crlf\n", to: "attributes")
    try make(
      "cp ../../attributes .gitattributes; printf 'one\\r\\ntwo\\n$Id$\\n' > text", in: "it.pack",
      of: victim)
    let before = try listing("home/it.pack", of: victim)
    let environment = [
      "HOME": victim.scratch.url.path, "XDG_CONFIG_HOME": victim.scratch.url.path,
      "GIT_CONFIG_GLOBAL": victim.scratch[".gitconfig"].path, "GIT_DIR": victim.canary.path,
      "GIT_OBJECT_DIRECTORY": victim.canary.path, "GIT_WORK_TREE": "/", "GIT_SSH_COMMAND": ran,
      "GIT_EXTERNAL_DIFF": ran, "GIT_PAGER": ran, "PAGER": ran, "GIT_EDITOR": ran, "EDITOR": ran,
      "GIT_ASKPASS": ran, "GIT_CONFIG_COUNT": "1", "GIT_CONFIG_KEY_0": "core.fsmonitor",
      "GIT_CONFIG_VALUE_0": ran,
    ]
    for line in [
      ["save", "it.pack"], ["status"], ["log", "it.pack"], ["diff", "it.pack"],
      ["exchange", "../cloud"], ["restore", "it.pack", "current", "--to", "../evil"], ["verify"],
      ["collect"],
    ] {
      let run = try victim.run(line, environment: environment)
      #expect(run.exitCode == 0, "\(line): \(run.errorText)")
    }
    #expect(try listing("evil", of: victim) == before)
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: victim.canary.path).sorted()
        == ["file", "x.lock"])
  }

  @Test("A document keeps its permissions and its hard links are only broken by a restore")
  func attributes() throws {
    let victim = try Victim()
    try make("echo one > it; chmod 4750 it; ln it other", in: nil, of: victim)
    try #require(victim.run("save", "it").exitCode == 0)
    try make("echo two > it", in: nil, of: victim)
    try #require(victim.run("save", "it").exitCode == 0)
    #expect(try victim.run("restore", "it", "~1").exitCode == 0)
    #expect(try victim.scratch.read("home/it") == "one\n")
    #expect(try victim.scratch.read("home/other") == "two\n")
    let mode =
      try FileManager.default.attributesOfItem(
        atPath: victim.scratch["home/it"].path)[.posixPermissions] as? Int
    #expect(mode.map { $0 & 0o777 } == 0o750)
  }

  // MARK: Helpers

  private func make(_ script: String, in package: String?, of victim: Victim) throws {
    let place = package.map { "mkdir -p '\($0)'; cd '\($0)'; " } ?? ""
    let result = try Command.run(
      "bash", ["-c", "set -e; umask 022; \(place)\(script)"], in: victim.container,
      environment: ["LC_ALL": "C.UTF-8"])
    try #require(result.exitCode == 0, "\(script): \(result.errorOutput)")
  }

  /// Every item below a folder: name, kind, mode where it counts, target and contents.
  private func listing(_ path: String, of victim: Victim) throws -> String {
    let line = """
      cd "$1"; find . -type f -printf '%P %y %m ' -exec sh -c 'md5sum < "$1"' sh {} ';' \
      -o -type l -printf '%P %y %l\\n' -o -printf '%P %y\\n' | cat -v | LC_ALL=C sort
      """
    return try Command.run("bash", ["-c", line, "bash", victim.scratch[path].path]).output
  }
}
