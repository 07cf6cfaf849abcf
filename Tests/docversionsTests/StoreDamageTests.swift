internal import DocumentTestSupport
internal import Foundation
internal import Testing

/// Consequences that a damaged file of a store or an exchange folder must not have.
@Suite(.blocks)
struct StoreDamageTests {
  private let program: Program

  init() throws { program = try Program.withThreeVersions() }

  private func rewrite(_ name: String, _ change: (String) -> String) throws {
    let file = program.store.appending(path: name)
    let text = try String(contentsOf: file, encoding: .utf8)
    try Data(change(text).utf8).write(to: file)
  }

  /// Another device’s documents.
  private func exchangeElsewhere() throws -> Command.Result {
    try FileManager.default.createDirectory(
      at: program.folder["other/.docversions"], withIntermediateDirectories: true)
    return try program.run("exchange", "cloud", "other")
  }

  @Test func `versions do not go to other devices as those of another document`() throws {
    #expect(try program.run("exchange", "cloud").exitCode == 0)
    try rewrite("config") { config in
      let parts = config.components(separatedBy: "document = ")
      let digit = parts[1].hasPrefix("0") ? "1" : "0"
      return parts[0] + "document = " + digit + parts[1].dropFirst()
    }
    try program.write("new\n", to: "trip.md")
    for arguments in [["status"], ["save", "trip.md"], ["exchange", "cloud"]] {
      #expect(try program.run(arguments).exitCode == 6)
    }
    #expect(try program.read("trip.md") == "new\n")
    #expect(!program.exists("trip 2.md"))
    #expect(try program.run("doctor", "--repair").exitCode == 0)
    #expect(try program.run("save", "trip.md").exitCode == 0)
    #expect(try program.run("exchange", "cloud").exitCode == 0)
    #expect(try exchangeElsewhere().exitCode == 0)
    #expect(try program.read("other/trip.md") == "new\n")
  }

  @Test(arguments: ["refs/docversions", "refs/heads/docversions"], ["", "half"])
  func `damaged references of an exchange keep no device away for good`(
    folder: String, text: String
  ) throws {
    #expect(try program.run("exchange", "cloud").exitCode == 0)
    let references = try FileManager.default
      .subpathsOfDirectory(atPath: program.folder["cloud/\(folder)"].path)
      .map { program.folder["cloud/\(folder)/\($0)"] }
      .filter { try $0.resourceValues(forKeys: [.isRegularFileKey]).isRegularFile == true }
    #expect(!references.isEmpty)
    for reference in references { try Data(text.utf8).write(to: reference) }
    let first = try exchangeElsewhere()
    #expect(first.exitCode == 0, "\(first.output) \(first.errorOutput)")
    #expect(try program.run("exchange", "cloud").exitCode == 0)
    #expect(try exchangeElsewhere().exitCode == 0)
    #expect(try program.read("other/trip.md") == program.read("trip.md"))
    try program.write("more\n", to: "trip.md")
    #expect(try program.run("save", "trip.md").exitCode == 0)
    #expect(try program.run("exchange", "cloud").exitCode == 0)
    #expect(try exchangeElsewhere().exitCode == 0)
    #expect(try program.read("other/trip.md") == "more\n")
  }

  @Test(arguments: ["link", "file"])
  func `what is in the place of a store is reported by all commands`(kind: String) throws {
    try program.write("b\n", to: "b.md")
    #expect(try program.run("save", "b.md").exitCode == 0)
    let away = program.folder["away"]
    try FileManager.default.moveItem(at: program.store, to: away)
    if kind == "link" {
      try FileManager.default.createSymbolicLink(at: program.store, withDestinationURL: away)
    } else {
      try Data("x".utf8).write(to: program.store)
    }
    for command in ["status", "verify", "doctor", "collect"] {
      let result = try program.run(command)
      #expect(result.exitCode != 0, "\(command)")
      #expect(result.errorOutput.contains("trip.md.git” is not a folder"), "\(command)")
      #expect(result.output.contains("b.md"), "\(command)")
    }
  }

  @Test func `a damaged HEAD makes no conflict of the document with itself`() throws {
    let before = try program.versions(of: "trip.md")
    try rewrite("HEAD") { _ in "ref: refs/heads/mail\n" }
    try program.write("new\n", to: "trip.md")
    #expect(try program.run("save", "trip.md").exitCode == 6)
    #expect(try program.run("doctor", "--repair").exitCode == 0)
    #expect(try program.run("save", "trip.md").exitCode == 0)
    #expect(try program.versions(of: "trip.md").count == before.count + 1)
    #expect(try program.run("conflicts").output.contains("No conflicts"))
  }

  @Test func `config and the only reference are made again together`() throws {
    let before = try program.versions(of: "trip.md")
    try program.removeFromStore("config")
    try program.removeFromStore("refs/heads/main")
    #expect(try program.run("doctor", "--repair").exitCode == 0)
    #expect(try program.versions(of: "trip.md") == before)
    #expect(try program.run("verify").exitCode == 0)
  }

  @Test func `a store of a later format is left alone`() throws {
    try rewrite("config") { $0.replacing("format = 1", with: "format = 2") }
    let before = try program.storeFiles()
    for arguments in [["status"], ["save", "trip.md"], ["doctor", "--repair"]] {
      let result = try program.run(arguments)
      #expect(result.exitCode == 6)
      #expect(result.errorOutput.contains("a newer docversions"))
    }
    #expect(try program.storeFiles() == before)
  }

  @Test func `what git notes in a store is no damage, and is not collected`() throws {
    let git = "git -C '\(program.store.path)' -c user.name=x -c user.email=x@y"
    #expect(try program.shell("\(git) notes add -m hi main").exitCode == 0)
    #expect(try program.run("verify").exitCode == 0)
    #expect(try program.run("doctor").exitCode == 0)
    let result = try program.run("collect")
    #expect(result.exitCode == 2)
    #expect(result.errorOutput.contains("git update-ref -d refs/notes/commits"))
    #expect(try program.shell("\(git) notes show main").output == "hi\n")
  }

  @Test func `an index of several packs goes with the first of them`() throws {
    let git = "git -C '\(program.store.path)'"
    #expect(try program.shell("\(git) multi-pack-index write").exitCode == 0)
    try program.write("new\n", to: "trip.md")
    #expect(try program.run("save", "trip.md").exitCode == 0)
    #expect(try program.shell("\(git) fsck").exitCode == 0)
  }

  @Test func `doctor finds nothing in a store that is being changed`() throws {
    let result = try program.shell(
      """
      (for i in $(seq 60); do echo $i >> trip.md; docversions save trip.md >/dev/null; done) &
      for i in $(seq 20); do docversions doctor trip.md >out 2>&1 || cat out; done; wait
      """)
    #expect(result.output == "")
  }

  @Test func `a version with an impossible date hides none of the others`() throws {
    #expect(try program.run("exchange", "cloud").exitCode == 0)
    let forged = try program.shell(
      """
      export GIT_DIR=$PWD/cloud; set -e
      head=$(git ls-tree -r $(git for-each-ref --format='%(objectname)' refs/docversions) |
        sed -n 's/^160000 commit \\([0-9a-f]*\\).*head0$/\\1/p')
      document=$(git ls-tree -r --name-only $(git for-each-ref --format='%(objectname)' refs/docversions) |
        sed -n 's/.*\\/\\([0-9a-f]*\\).head0$/\\1/p')
      blob=$(echo hi | git hash-object -w --stdin)
      tree=$(printf '100644 blob %s\\ttrip.md\\n' $blob | git mktree)
      digest=$(echo hi | sha256sum | cut -c1-64)
      printf '{"author":"u","bytes":3,"content":"%s","date":253402300800000,"device":"Z","digest":"%s","document":"%s","files":1,"format":1,"kind":"save","modified":0,"path":"trip.md"}' \
        $tree $digest $document > record
      commit() { printf 'tree %s\\nparent %s\\nauthor u <> 0 +0000\\ncommitter u <> 0 +0000\\n\\nSave\\n' $1 $2; }
      version=$( (commit $(git mktree </dev/null) $head; echo; cat record; echo) | git hash-object -t commit -w --stdin)
      content=$(commit $tree $version | git hash-object -t commit -w --stdin)
      carrier=$( (printf 'tree %s\\nparent %s\\nauthor u <> 0 +0000\\ncommitter u <> 0 +0000\\n\\nSave\\n\\n' \
        $tree $content; printf 'Document: %s\\nVersion: %s\\n' $document $version) |
        git hash-object -t commit -w --stdin)
      git update-ref refs/heads/docversions/z-ffffffff \
        $(commit $tree $carrier | git hash-object -t commit -w --stdin)
      info=$(printf 'format 1\\nname Z\\nbranch z-ffffffff\\n' | git hash-object -w --stdin)
      export GIT_INDEX_FILE=$PWD/forged
      place=$(echo $document | cut -c1-2)/$(echo $document | cut -c3-4)/$document.head0
      git update-index --add --cacheinfo 100644,$info,device --cacheinfo 160000,$version,$place
      state=$(commit $(git write-tree) $version | git hash-object -t commit -w --stdin)
      git update-ref refs/docversions/ffffffffffffffffffffffffffffffff/records $state
      """)
    #expect(forged.exitCode == 0, "\(forged.errorOutput)")
    let refused = try exchangeElsewhere()
    #expect(refused.exitCode == 6)
    #expect(refused.errorOutput.contains("impossible date"))
    #expect(refused.errorOutput.contains("cloud"))
    let text = "for everybody\n"
    try program.write(text, to: "trip.md")
    #expect(try program.run("save", "trip.md").exitCode == 0)
    #expect(try program.run("exchange", "cloud").output.contains("1 sent"))
    _ = try exchangeElsewhere()
    #expect(try program.read("other/trip.md") == text)
    #expect(try program.run("verify").exitCode == 0)
  }

  @Test func `what a change has not recorded yet is nothing to repair`() throws {
    let ledger = program.store.appending(path: "ledger")
    let former = try Data(contentsOf: ledger)
    try program.write("one more\n", to: "trip.md")
    #expect(try program.run("save", "trip.md").exitCode == 0)
    try FileManager.default.moveItem(at: ledger, to: program.folder["ledger"])
    try former.write(to: ledger)
    let meanwhile = try program.shell(
      """
      \(Program.holding("\(program.store.path)/lock", while: "sleep 1; cp ledger \"\(ledger.path)\""))
      docversions doctor trip.md && docversions verify trip.md
      """)
    #expect(meanwhile.exitCode == 0, "\(meanwhile.output)\(meanwhile.errorOutput)")
    #expect(!meanwhile.output.contains("ledger"))
    // What no change is about to record is for a repair.
    try former.write(to: ledger)
    #expect(try program.run("doctor").output.contains("Rewrite the ledger of heads."))
  }
}
