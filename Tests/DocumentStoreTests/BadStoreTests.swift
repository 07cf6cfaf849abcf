import DocumentFiles
import DocumentGit
import DocumentTestSupport
import DocumentWorld
import Foundation
import SystemPackage
import Testing

@testable import DocumentStore

@Suite("Damaged and hostile stores")
struct BadStoreTests {
  /// A document with two versions and an unsaved edit, beside another one.
  private func makeDesk() throws -> (desk: Device, store: URL) {
    let desk = try Device()
    try desk.save("one\n", as: "a.md")
    try desk.save("two\n", as: "a.md")
    try desk.save("other\n", as: "b.md")
    try desk.write("edit\n", to: "a.md")
    return (desk, desk[".docversions/documents/a.md.git"])
  }

  /// Makes every call on a document; each works or throws an error of this library.
  private func useAll(_ desk: Device) -> [String] {
    var errors: [String] = []
    let calls: [() throws -> Void] = [
      { _ = try desk.history("a.md") }, { _ = try desk.texts("a.md") },
      { _ = try desk.store.state(of: desk["a.md"]) },
      { _ = try FileVersion.current(of: desk["a.md"], store: desk.store)?.checkedOutURL() },
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

  /// Expects that the document and the other one are unchanged.
  private func expectUntouched(_ desk: Device, sourceLocation: SourceLocation = #_sourceLocation)
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
    #expect(names.count >= (isPacked ? 2 : 3))
    for name in names {
      let scratch = try ScratchFolder()
      try FileManager.default.copyItem(at: model.container, to: scratch["Mira"])
      let desk = try Device("Mira", in: scratch, clock: model.clock)
      let object = desk[".docversions/documents/a.md.git/objects/" + name]
      let bytes = try Data(contentsOf: object)
      try FileManager.default.removeItem(at: object)
      switch damage {
      case "cut": try bytes.dropLast(bytes.count / 3 + 1).write(to: object)
      case "emptied": try Data().write(to: object)
      case "zeroed": try Data(count: bytes.count).write(to: object)
      case "FIFO":
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
    "A missing or damaged HEAD or reference is reported, and nothing is lost over it",
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
      // The version that the document shows is unknown then; the versions are known.
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
      "+[docversions]\n\tdocument = ../../x\n", "+\tx = \\\n", "+\t=\n", "+\t= = x\n", "+\tname\n",
      "<x = 1\n", "FIFO", "link", "folder", "large",
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
    case let text where text.hasPrefix("<"):
      try Data((text.dropFirst() + ours).utf8).write(to: file)
    default: try Data(text.utf8).write(to: file)
    }
    #expect(useAll(desk).count >= 6)
    try expectUntouched(desk)
    // No program ran, and git would find its config where we left it.
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
    // Permissions don't restrict root, so a process of another user owns everything and may write nothing.
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
        LeakCheck.doNow()
        _ = setgroups(0, nil)
        _ = setgid(65_534)
        _ = setuid(65_534)
      }
      let store = SynchronousStore(identity: Identity(author: "A", device: "D"))
      let document = URL(filePath: container).appending(path: "a.md")
      let history = try store.history(of: document)
      #expect(
        try history.versions.map { try $0.contents() } == [Data("two\n".utf8), Data("one\n".utf8)])
      #expect(try store.state(of: document) == .edited)
      #expect(try store.documents(below: URL(filePath: container))?.count == 2)
      #expect(
        try store.memberChangesOnDisk(since: #require(history.versions.first)).map(\.kind)
          == [.changed])
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
