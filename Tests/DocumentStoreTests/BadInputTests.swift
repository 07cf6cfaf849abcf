import DocumentFiles
import DocumentGit
import DocumentTestSupport
import Foundation
import SystemPackage
import Testing

@testable import DocumentStore

/// Expects an error of this library, and nothing else: no trap, no error of another kind.
@discardableResult
private func expectTypedError(
  sourceLocation: SourceLocation = #_sourceLocation, _ body: () throws -> Void
) -> String? {
  do {
    try body()
    Issue.record("nothing was thrown", sourceLocation: sourceLocation)
  } catch let error as VersionError {
    return error.description
  } catch let error as FileError {
    return error.description
  } catch {
    Issue.record("\(type(of: error)) is not for callers: \(error)", sourceLocation: sourceLocation)
  }
  return nil
}

/// Expects a ``FileError`` with a code.
@discardableResult
private func expectFileError(
  _ code: FileError.Code, sourceLocation: SourceLocation = #_sourceLocation,
  _ body: () throws -> Void
) -> FileError? {
  let error = #expect(throws: FileError.self, sourceLocation: sourceLocation) { try body() }
  #expect(error?.code == code, sourceLocation: sourceLocation)
  return error
}

@Suite("Bad documents and selectors")
struct BadDocumentTests {
  @Test("A document that is not there, or has no versions, is told by name")
  func missing() throws {
    let desk = try Desk()
    for name in ["none.md", "none/none.md"] {
      let error = expectFileError(.notFound) { try desk.store.save(desk[name]) }
      #expect(error?.message.contains("none") == true)
      expectFileError(.notFound) { _ = try desk.history(name) }
    }
    try desk.write("1", to: "a.md")
    expectVersionError(.noVersions) { _ = try desk.history("a.md") }
    #expect(try FileManager.default.contentsOfDirectory(atPath: desk.container.path) == ["a.md"])
  }

  @Test("A folder where a file was is no document by accident")
  func folder() throws {
    let desk = try Desk()
    try desk.save("1", as: "a.md")
    try FileManager.default.removeItem(at: desk["a.md"])
    try desk.write("x", to: "a.md/inner.md")
    expectFileError(.unsupportedKind) { try desk.store.save(desk["a.md"]) }
    #expect(try desk.texts("a.md") == ["1"])
    #expect(try desk.read("a.md/inner.md") == "x")
  }

  @Test(
    "What is no document is refused by name, at once", arguments: ["FIFO", "socket"], [false, true])
  func specialFiles(kind: String, isMember: Bool) throws {
    let desk = try Desk()
    try desk.write("x", to: "P.pack/a")
    let name = isMember ? "P.pack/it" : "it"
    let mode = kind == "FIFO" ? S_IFIFO : S_IFSOCK
    try #require(mknod(desk[name].path, mode | 0o600, 0) == 0)
    let start = ContinuousClock.now
    let error = expectFileError(.unsupportedKind) {
      try desk.store.save(desk[isMember ? "P.pack" : "it"])
    }
    #expect(ContinuousClock.now - start < .milliseconds(500))
    #expect(error?.message.contains("it") == true)
    #expect(error?.message.contains("a \(kind)") == true)
    #expect(!FileManager.default.fileExists(atPath: desk[".docversions"].path))
  }

  @Test("A device is refused")
  func device() throws {
    let desk = try Desk()
    expectFileError(.unsupportedKind) { try desk.store.save(URL(filePath: "/dev/null")) }
  }

  @Test("A document that became a link to elsewhere is refused, with its target")
  func linkOutside() throws {
    let desk = try Desk()
    try desk.save("1", as: "a.md")
    try desk.scratch.write("secret", to: "outside.md")
    try FileManager.default.removeItem(at: desk["a.md"])
    try FileManager.default.createSymbolicLink(
      at: desk["a.md"], withDestinationURL: desk.scratch["outside.md"])
    let error = expectFileError(.unsupportedKind) { try desk.store.save(desk["a.md"]) }
    #expect(error?.message.contains("outside.md") == true)
    #expect(try desk.scratch.read("outside.md") == "secret")
  }

  @Test("A name that is not UTF-8 is refused")
  func invalidName() throws {
    let desk = try Desk()
    try desk.save("1", as: "a.md")
    let path = FilePath(desk.container.path).appending(bytes: [0x61, 0xFF])
    try SmallFile.create(path, [1])
    let error = expectFileError(.invalidName) { _ = try DocumentLocation(of: path) }
    #expect(error?.message.contains("a\\xFF") == true)
    // A URL may lose the bytes on the way, never the error.
    let url = path.withPlatformString {
      URL(fileURLWithFileSystemRepresentation: $0, isDirectory: false, relativeTo: nil)
    }
    expectTypedError { try desk.store.save(url) }
    #expect(try desk.texts("a.md") == ["1"])
  }

  @Test("An address that is no file's, and a folder that is no document, are refused")
  func noDocument() throws {
    let desk = try Desk()
    try desk.save("1", as: "a.md")
    let web = try #require(URL(string: "https://example.org/a.md"))
    expectVersionError(.invalidArgument) { try desk.store.save(web) }
    for name in [".docversions", ".docversions/documents/a.md.git/HEAD", ".", "..", "/"] {
      expectTypedError { try desk.store.save(name == "/" ? URL(filePath: "/") : desk[name]) }
    }
  }

  @Test("A version that does not exist is told, and how many there are")
  func unknownVersion() throws {
    let desk = try Desk()
    let version = try desk.save("1", as: "a.md")
    let other = try desk.save("2", as: "b.md")
    expectVersionError(.noSuchVersion) { _ = try desk.store.restore(other, of: desk["a.md"]) }
    expectVersionError(.noSuchVersion) {
      _ = try VersionSelector("0000000").version(in: desk.history("a.md"))
    }
    #expect(try version.contents() == Data("1".utf8))
    #expect(try desk.read("a.md") == "1")
  }

  @Test("A document that keeps changing is not saved")
  func changing() throws {
    let desk = try Desk()
    try desk.save("start", as: "log.txt")
    let file = try FileHandle(forWritingTo: desk["log.txt"])
    try file.seekToEnd()
    let stop = FileManager.default
    let marker = desk.scratch["stop"].path
    Thread.detachNewThread {
      while !stop.fileExists(atPath: marker) {
        file.write(Data("more".utf8))
        usleep(500)
      }
    }
    usleep(20_000)
    expectFileError(.changing) { try desk.store.save(desk["log.txt"]) }
    try desk.scratch.write("", to: "stop")
    #expect(try desk.texts("log.txt") == ["start"])
  }
}

@Suite("Damaged and hostile stores")
struct BadStoreTests {
  /// A document with two versions and an unsaved edit, beside another one.
  private func makeDesk() throws -> (desk: Desk, store: URL) {
    let desk = try Desk()
    try desk.save("one\n", as: "a.md")
    try desk.save("two\n", as: "a.md")
    try desk.save("other\n", as: "b.md")
    try desk.write("edit\n", to: "a.md")
    return (desk, desk[".docversions/documents/a.md.git"])
  }

  /// Everything that can be asked of a document; all of it works or gives errors of this library.
  private func useAll(_ desk: Desk) -> [String] {
    var errors: [String] = []
    let calls: [() throws -> Void] = [
      { _ = try desk.history("a.md") }, { _ = try desk.texts("a.md") },
      { _ = try desk.store.state(of: desk["a.md"]) },
      { _ = try FileVersion.current(of: desk["a.md"], store: desk.store)?.url },
      { try desk.store.save(desk["a.md"]) },
      {
        let versions = try desk.history("a.md").versions
        for version in versions {
          try desk.store.export(version, to: desk.scratch["out"], replacing: true)
        }
      },
      { try desk.store.removeOthers(of: desk["a.md"]) },
    ]
    for call in calls {
      do { try call() } catch let error as VersionError {
        errors.append(error.description)
      } catch let error as FileError {
        errors.append(error.description)
      } catch {
        Issue.record("\(type(of: error)) is not for callers: \(error)")
      }
    }
    return errors
  }

  /// The document is as it was, and so is the other one.
  private func expectUntouched(_ desk: Desk, sourceLocation: SourceLocation = #_sourceLocation)
    throws
  {
    #expect(try desk.read("a.md") == "edit\n", sourceLocation: sourceLocation)
    #expect(try desk.texts("b.md") == ["other\n"], sourceLocation: sourceLocation)
    #expect(try desk.store.state(of: desk["b.md"]) == .unchanged, sourceLocation: sourceLocation)
    try desk.write("other 2\n", to: "b.md")
    #expect(try desk.store.save(desk["b.md"]).isNew, sourceLocation: sourceLocation)
  }

  @Test(
    "A damaged object is an error for what needs it, never other contents",
    arguments: ["cut", "emptied", "zeroed", "removed", "FIFO"], [false, true])
  func objects(damage: String, isPacked: Bool) throws {
    let (model, modelStore) = try makeDesk()
    if isPacked {
      _ = try Command.run(
        "git", ["-C", modelStore.path, "gc", "--quiet"],
        environment: [
          "GIT_CONFIG_COUNT": "1", "GIT_CONFIG_KEY_0": "safe.directory", "GIT_CONFIG_VALUE_0": "*",
        ])
    }
    let names = try #require(
      FileManager.default.enumerator(atPath: modelStore.appending(path: "objects").path)
    )
    .compactMap { $0 as? String }
    .filter { $0.contains("/") && !$0.contains("info/") && !$0.hasSuffix(".rev") }
    #expect(names.count >= (isPacked ? 2 : 8))
    for name in names {
      let scratch = try ScratchFolder()
      try FileManager.default.copyItem(at: model.container, to: scratch["Mira"])
      let desk = try Desk("Mira", in: scratch, clock: model.clock)
      let object = desk[".docversions/documents/a.md.git/objects/" + name]
      let bytes = try Data(contentsOf: object)
      try FileManager.default.removeItem(at: object)
      switch damage {
      case "cut": try bytes.dropLast(bytes.count / 3 + 1).write(to: object)
      case "emptied": try Data().write(to: object)
      case "zeroed": try Data(count: bytes.count).write(to: object)
      case "FIFO":
        // A pack is opened by libgit2, which would wait; only loose objects are read here.
        if isPacked { return }
        try #require(mkfifo(object.path, 0o644) == 0)
      default: break
      }
      let texts: [String]
      do { texts = try desk.texts("a.md") } catch { texts = [] }
      #expect(Set(texts).isSubset(of: ["one\n", "two\n"]), "\(name)")
      _ = useAll(desk)
      try expectUntouched(desk)
    }
  }

  @Test(
    "HEAD or the reference gone or damaged is told, and nothing is lost over it",
    arguments: ["HEAD", "refs/heads/main", "refs/heads", "refs", "objects"],
    ["emptied", "garbage", "elsewhere", "removed"])
  func references(name: String, damage: String) throws {
    let (desk, store) = try makeDesk()
    let file = store.appending(path: name)
    var isFolder: ObjCBool = false
    _ = FileManager.default.fileExists(atPath: file.path, isDirectory: &isFolder)
    if damage == "removed" || isFolder.boolValue { try FileManager.default.removeItem(at: file) }
    switch damage {
    case "emptied": try Data().write(to: file)
    case "garbage": try Data("garbage\n".utf8).write(to: file)
    case "elsewhere": try Data((String(repeating: "9", count: 40) + "\n").utf8).write(to: file)
    default: break
    }
    let errors = useAll(desk)
    #expect(!errors.isEmpty)
    if name == "HEAD" && damage == "elsewhere" {
      // What the document shows is not known then; the versions are.
      #expect(try desk.texts("a.md") == ["two\n", "one\n"])
    } else {
      expectTypedError { _ = try desk.history("a.md") }
    }
    expectTypedError { try desk.store.save(desk["a.md"]) }
    try expectUntouched(desk)
  }

  @Test("A reference that went and comes back brings all versions back")
  func repairable() throws {
    let (desk, store) = try makeDesk()
    let head = try Data(contentsOf: store.appending(path: "refs/heads/main"))
    try FileManager.default.removeItem(at: store.appending(path: "refs/heads/main"))
    _ = useAll(desk)
    try head.write(to: store.appending(path: "refs/heads/main"))
    #expect(try desk.texts("a.md") == ["two\n", "one\n"])
    try desk.expectSound()
  }

  @Test(
    "A config that is not ours is refused",
    arguments: [
      "", "garbage", "\0\0\0", "[core]\n", "[core]\n\trepositoryformatversion = 1\n",
      "[docversions]\n\tformat = 2\n", "+[core]\n\tworktree = /\n",
      "+[core]\n\tfsmonitor = touch x\n",
      "+[include]\n\tpath = /dev/zero\n", "+[includeIf \"gitdir:/\"]\n\tpath = /x\n",
      "+[extensions]\n\tobjectformat = sha256\n", "+[core]\n\thooksPath = /x\n",
      "+[core] fsmonitor = x\n",
      "+[core] fsmonitor = [x]\n", "+\tcore.fsmonitor = x\n",
      "+[remote \"origin\"]\n\turl = ext::sh\n", "+[docversions]\n\tformat = 2\n",
      "+[docversions]\n\tdocument = ../../x\n", "+\tx = \\\n", "FIFO", "link", "folder", "large",
    ])
  func config(text: String) throws {
    let (desk, store) = try makeDesk()
    let file = store.appending(path: "config")
    let ours = try String(contentsOf: file, encoding: .utf8)
    try FileManager.default.removeItem(at: file)
    switch text {
    case "FIFO": try #require(mkfifo(file.path, 0o644) == 0)
    case "link":
      try desk.scratch.write(ours, to: "config")
      try FileManager.default.createSymbolicLink(
        at: file, withDestinationURL: desk.scratch["config"])
    case "folder":
      try FileManager.default.createDirectory(at: file, withIntermediateDirectories: false)
    case "large": try Data((ours + String(repeating: "# x\n", count: 50_000)).utf8).write(to: file)
    case let text where text.hasPrefix("+"):
      try Data((ours + text.dropFirst()).utf8).write(to: file)
    default: try Data(text.utf8).write(to: file)
    }
    #expect(useAll(desk).count >= 6)
    try expectUntouched(desk)
    // Nothing ran, and git would find its config where we left it.
    try FileManager.default.removeItem(at: file)
    try Data(ours.utf8).write(to: file)
    #expect(try desk.texts("a.md").count == 2)
  }

  @Test("What only changes how git packs is let through")
  func harmlessConfig() throws {
    let (desk, store) = try makeDesk()
    let file = store.appending(path: "config")
    let more = "\n# mine\n[gc]\n\tauto = 0\n[core]\n\tcompression = 9\n"
    let ours = try String(contentsOf: file, encoding: .utf8)
    try Data((ours + more).utf8).write(to: file)
    #expect(try desk.texts("a.md").count == 2)
  }

  @Test(
    "A store that leads elsewhere is refused",
    arguments: [
      "objects", "refs", "refs/heads", "HEAD", "objects/pack", "", "alternates", "commondir",
    ])
  func links(name: String) throws {
    let (desk, store) = try makeDesk()
    let file = store.appending(path: name)
    switch name {
    case "alternates":
      try desk.write("/tmp\n", to: ".docversions/documents/a.md.git/objects/info/alternates")
    case "commondir": try Data("..\n".utf8).write(to: store.appending(path: "commondir"))
    default:
      let path = name.isEmpty ? store : file
      try FileManager.default.moveItem(at: path, to: desk.scratch["moved"])
      try FileManager.default.createSymbolicLink(
        at: path, withDestinationURL: desk.scratch["moved"])
    }
    #expect(useAll(desk).count >= 5)
    try expectUntouched(desk)
  }

  @Test("A damaged store does not hinder a new document beside it")
  func newNeighbour() throws {
    let (desk, store) = try makeDesk()
    try FileManager.default.removeItem(at: desk["a.md"])
    try Data("garbage".utf8).write(to: store.appending(path: "config"))
    try desk.write("new\n", to: "c.md")
    expectVersionError(.noVersions) { _ = try desk.history("c.md") }
    #expect(try desk.store.save(desk["c.md"]).isNew)
  }

  @Test(
    "A store of another user is not trusted",
    .enabled(if: geteuid() == 0, "only root can give folders away"))
  func foreignOwner() throws {
    let (desk, store) = try makeDesk()
    try #require(chown(store.path, 12_345, 12_345) == 0)
    expectVersionError(.system) { _ = try desk.history("a.md") }
    expectVersionError(.system) { try desk.store.save(desk["a.md"]) }
    try expectUntouched(desk)
  }

  @Test("From a store that can only be read, everything can be read")
  func readOnly() async throws {
    let (desk, _) = try makeDesk()
    // A process that is not root, which permissions do not hinder, owns all of it and may write nothing.
    let out = desk.scratch["out"]
    try FileManager.default.createDirectory(at: out, withIntermediateDirectories: true)
    let isRoot = geteuid() == 0
    if isRoot {
      try #require(
        Command.run("chown", ["-R", "65534:65534", desk.scratch.url.path]).exitCode == 0)
    }
    try #require(Command.run("chmod", ["-R", "a-w", desk.container.path]).exitCode == 0)
    let container = desk.container.path
    await #expect(processExitsWith: .success) { [container = container as String] in
      if geteuid() == 0 {
        _ = setgroups(0, nil)
        _ = setgid(65_534)
        _ = setuid(65_534)
      }
      let store = VersionStore(identity: Identity(author: "A", device: "D"))
      let document = URL(filePath: container).appending(path: "a.md")
      let history = try store.history(of: document)
      #expect(
        try history.versions.map { try $0.contents() } == [Data("two\n".utf8), Data("one\n".utf8)])
      #expect(try store.state(of: document) == .edited)
      #expect(try store.documents(below: URL(filePath: container))?.count == 2)
      _ = try store.loadContentsOnDisk(of: document)
      let out = URL(filePath: container).deletingLastPathComponent().appending(path: "out/a.md")
      try store.export(try #require(history.versions.last), to: out)
      #expect(try Data(contentsOf: out) == Data("one\n".utf8))
      for call in [{ _ = try store.save(document) }, { try store.removeOthers(of: document) }] {
        let error = #expect(throws: FileError.self) { try call() }
        #expect(error?.code == .notPermitted)
      }
      #expect(try Data(contentsOf: document) == Data("edit\n".utf8))
    }
    try #require(Command.run("chmod", ["-R", "u+w", desk.container.path]).exitCode == 0)
  }
}

@Suite("Records from elsewhere")
struct ForeignRecordTests {
  private func facts(_ change: (inout Record.Facts) -> Void = { _ in }) -> Record.Facts {
    var facts = Record.Facts(
      document: String(repeating: "0", count: 32), kind: .save, path: "a.md", author: "A",
      device: "D", date: 1, modified: 1, note: nil)
    change(&facts)
    return facts
  }

  private func commit(message: String, tree: ObjectID = .emptyTree) -> Commit {
    let somebody = Commit.Signature(name: "A", seconds: 1)
    return Commit(
      tree: tree, parents: [], author: somebody, committer: somebody, message: message)
  }

  @Test("A record comes back as it was made")
  func roundTrip() throws {
    let made = facts {
      $0.note = "first\r\nsecond line"
      $0.path = "naïve/日本.md"
    }
    let (record, object) = try Record.make(made, parents: [.emptyTree])
    let commit = try Commit(decoding: object.bytes)
    #expect(Record.isRecord(commit))
    let read = try Record(id: record.id, decoding: commit)
    #expect(read.facts == made)
    #expect(read.parents == [.emptyTree])
  }

  @Test(
    "A commit that only looks like one is no record",
    arguments: [
      "", "x", "x\n", "x\n\n{}", "x\n\n{}\n\n", "x\n{}\n", "x\n\nRemoved: all\n", "x\r\n\r\n{}\r\n",
      "x\r\n\n{}\r\n", "\n\n\n\n",
    ])
  func noRecord(message: String) {
    let commit = commit(message: message)
    #expect(!Record.isRecord(commit) || message == "x\r\n\n{}\r\n")
    #expect(throws: GitError.self) { _ = try Record(id: .emptyTree, decoding: commit) }
  }

  @Test(
    "Impossible facts are refused",
    arguments: [
      #""date":9223372036854775807"#, #""date":-9223372036854775808"#, #""bytes":-1"#,
      #""files":-1"#,
      #""bytes":9223372036854775807"#, #""path":"""#, #""path":"../x""#, #""path":"/etc/passwd""#,
      #""path":"a/.docversions/x""#, #""path":"a//b""#, #""path":"a\u0000b""#, #""format":2"#,
      #""content":"x""#, #""date":"now""#, #""path":null"#,
    ])
  func impossible(fact: String) throws {
    let object = try Record.make(facts(), parents: []).object
    let message = try Commit(decoding: object.bytes).message
    let key = fact.prefix { $0 != ":" }
    var fields = try #require(message.split(separator: "\n").last).dropFirst().dropLast()
      .split(separator: ",").filter { !$0.hasPrefix(key) }.map(String.init)
    fields.append(fact)
    let json = "{" + fields.joined(separator: ",") + "}"
    let error = #expect(throws: GitError.self) {
      _ = try Record(id: object.id, decoding: commit(message: "x\n\n\(json)\n"))
    }
    #expect(error?.message.utf8.allSatisfy { $0 >= 0x20 } == true)
  }

  @Test("A date that nothing can come after is not written")
  func latest() {
    #expect(throws: GitError.self) {
      _ = try Record.make(facts { $0.date = (1 << 53) + 1 }, parents: [])
    }
  }
}
