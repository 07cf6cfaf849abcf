import DocumentFiles
import DocumentTestSupport
import DocumentWorld
import Foundation
import Testing

#if canImport(Glibc)
import Glibc
#endif

@testable import DocumentGit
@testable import DocumentStore

/// A user's documents, one store of which a test makes malicious, and the program that uses it.
///
/// `a.md` is a file with two versions, `P.pack` a package with two, `b.md` a neighbor that stays unchanged.
/// `canary` is outside, where malicious stores point.
struct Victim {
  /// Mira's device, by the system's clock, as the program.
  private let desk: Device
  var scratch: ScratchFolder { desk.scratch }
  var container: URL { desk.container }
  var canary: URL { scratch["canary"] }

  /// Copies the documents, which are created once.
  init() throws {
    let scratch = try ScratchFolder(isInMemory: true)
    let model = try Self.model.get()
    for name in ["home", "canary"] {
      try FileManager.default.copyItem(at: model[name], to: scratch[name])
    }
    desk = try Self.desk(in: scratch)
    // A copy has other times; the stores know the documents by their contents.
  }

  private static let model = Result { () throws -> ScratchFolder in
    let scratch = try ScratchFolder()
    let desk = try Self.desk(in: scratch)
    for number in ["one", "two"] {
      for name in ["a.md", "b.md", "P.pack/text.txt"] {
        try desk.write("\(name) \(number)\n", to: name)
      }
      for name in ["a.md", "b.md", "P.pack"] {
        try desk.store.save(desk[name])
      }
    }
    try scratch.write("untouched\n", to: "canary/file")
    try scratch.write("untouched\n", to: "canary/x.lock")
    return scratch
  }

  private static func desk(in scratch: ScratchFolder) throws -> Device {
    var desk = try Device("Mira", at: scratch["home"], in: scratch, clock: FixedClock())
    desk.store.clock = { Date() }
    return desk
  }

  /// The store of a document.
  func store(_ document: String = "a.md") -> URL { desk.storeFolder(of: document) }

  /// A path in the store of `a.md`.
  subscript(_ path: String) -> URL { store().appending(path: path) }

  // MARK: Running the program

  /// The result of the program, and its duration.
  struct Run {
    let exitCode: Int32
    let output: [UInt8]
    let errorOutput: [UInt8]
    /// The processor time that it took.
    let processorTime: Duration

    var text: String { String(decoding: output, as: UTF8.self) }
    var errorText: String { String(decoding: errorOutput, as: UTF8.self) }

    /// The bytes that control a terminal, except for line ends and tabs.
    var controlBytes: [UInt8] {
      (output + errorOutput).filter { $0 < 0x20 && $0 != 0x0A && $0 != 0x09 || $0 == 0x7F }
    }
  }

  /// The maximum processor time of any operation, in a program without optimization.
  private static let mostTime = Duration.seconds(isSanitized ? 20 : 3)

  /// Runs the program with at most 200 MB of memory, and expects that it needs little time.
  ///
  /// - Parameter user: the user who runs it; only root can select one.
  @discardableResult
  func run(_ arguments: String..., user: UInt32? = nil) throws -> Run {
    try run(arguments, user: user)
  }

  @discardableResult
  func run(
    _ arguments: [String], user: UInt32? = nil, environment: [String: String] = [:]
  ) throws -> Run {
    let asUser = user.map { ["setpriv", "--reuid=\($0)", "--regid=\($0)", "--clear-groups"] } ?? []
    // The limit is in KiB, in addition to 25 MB of code. A program that needs more traps, with a specific
    // exit code.
    let limit = Self.isSanitized ? "" : "ulimit -d 170000; "
    let launcher = ["/bin/bash", "-c", "\(limit)exec \"$@\"", "bash"] + asUser
    let result = try desk.start(arguments, launcher: launcher, environment: environment)
      .wait(atMost: .generous)
    #expect(result.processorTime < Self.mostTime, "\(arguments)")
    return Run(
      exitCode: result.exitCode, output: [UInt8](result.bytes),
      errorOutput: [UInt8](result.errorBytes),
      processorTime: result.processorTime)
  }

  /// True with a sanitizer, which needs additional memory.
  private static let isSanitized =
    ProcessInfo.processInfo.environment["DOCVERSIONS_SANITIZED"] != nil

  // MARK: What must hold

  /// Performs all reading operations, then saves, and checks the rules that apply to every store.
  ///
  /// - Parameters:
  ///   - commands: the commands that the program itself runs; the rest runs here, which is faster. By default
  ///     some for the first case of each test, and for all with `DOCVERSIONS_FAULTS=full`.
  ///   - isSaving: whether to save, too; a version that can be written is then restored.
  func expectHarmless(
    _ document: String = "a.md", commands: Set<String>? = nil, isSaving: Bool = true,
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws -> [String: Run] {
    let commands =
      commands
      ?? (Sample.isTaken(at: sourceLocation) ? ["log", "show", "restore", "save"] : [])
    let before = try snapshot()
    let file = container.appending(path: document)
    let out = scratch["out"]
    let store = desk.store
    let calls: [(command: [String], body: () throws -> Data)] = [
      (
        ["log", document],
        { Data(try store.history(of: file).versions.map(\.author).joined().utf8) }
      ),
      (["status"], { Data("\(try store.state(of: file))".utf8) }),
      (["show", document], { try store.history(of: file).current?.contents() ?? Data() }),
      (
        ["restore", document, "~1", "--to", "../out"],
        {
          let old = try VersionSelector("~1").version(in: store.history(of: file))
          try store.export(old, to: out)
          return Data()
        }
      ),
      (["save", document], { Data("\(try store.save(file).isNew)".utf8) }),
    ]
    var runs: [String: Run] = [:]
    for (command, body) in calls where isSaving || command[0] != "save" {
      let name = command[0]
      let run = try commands.contains(name) ? run(command) : Run(body)
      runs[name] = run
      #expect(
        [0, 1, 3, 5, 6].contains(run.exitCode), "\(command): \(run.exitCode) \(run.errorText)",
        sourceLocation: sourceLocation)
      #expect(run.processorTime < Self.mostTime, "\(command)", sourceLocation: sourceLocation)
      #expect(run.controlBytes.isEmpty, "\(command)", sourceLocation: sourceLocation)
    }
    #expect(try snapshot() == before, sourceLocation: sourceLocation)
    // The neighbor isn't affected.
    let neighbour = container.appending(path: "b.md")
    #expect(
      try store.history(of: neighbour).current?.contents() == Data("b.md two\n".utf8),
      sourceLocation: sourceLocation)
    #expect(try !store.save(neighbour).isNew, sourceLocation: sourceLocation)
    return runs
  }

  /// Restores the current version as `evil`, beside the container.
  ///
  /// - Parameter byProgram: whether the program does that.
  func restoreCurrent(of document: String, byProgram: Bool) throws -> Run {
    if byProgram { return try run("restore", document, "current", "--to", "../evil") }
    return Run {
      let history = try desk.store.history(of: container.appending(path: document))
      if let current = history.current { try desk.store.export(current, to: scratch["evil"]) }
      return Data()
    }
  }

  /// The library in this process, which does the same as the program.
  var library: SynchronousStore { desk.store }

  /// Returns the documents and the items outside: names, times and contents.
  func snapshot() throws -> [String] {
    try [container, canary].flatMap { folder -> [String] in
      let names = try FileManager.default.subpathsOfDirectory(atPath: folder.path)
        .filter { !$0.hasPrefix(".docversions") }
      return try names.sorted().map { name in
        let item = folder.appending(path: name)
        var status = stat()
        try #require(lstat(item.path, &status) == 0)
        let isFile = status.st_mode & S_IFMT == S_IFREG
        let text = isFile ? String(decoding: try Data(contentsOf: item), as: UTF8.self) : ""
        return "\(name) \(status.st_mode) \(isFile ? status.st_mtim.tv_nsec : 0) \(text)"
      }
    }
  }
}

extension Victim.Run {
  /// Runs a closure in this process, and reports its result as the program would.
  init(_ body: () throws -> Data) {
    let start = Self.processorTime
    func ended(_ code: Int32, _ output: Data, _ error: String) -> Self {
      Self(
        exitCode: code, output: [UInt8](output), errorOutput: Array(error.utf8),
        processorTime: Self.processorTime - start)
    }
    do {
      self = ended(0, try body(), "")
    } catch let error as VersionError {
      self = ended(
        error.code == .damaged ? 6 : error.code == .system ? 5 : 3, Data(), "error: \(error)")
    } catch let error as FileError {
      self = ended(error.code == .notFound ? 3 : 5, Data(), "error: \(error)")
    } catch {
      self = ended(70, Data(), "error: \(type(of: error)) is not for callers: \(error)")
    }
  }
}

extension Victim.Run {
  /// The processor time of this thread.
  private static var processorTime: Duration {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
  }
}

// MARK: Making things evil

extension Victim {
  /// Replaces an item of the store by something else.
  func replace(_ path: String, with kind: String) throws {
    let item = self[path]
    let backup = scratch["moved"]
    if FileManager.default.fileExists(atPath: item.path) {
      try FileManager.default.moveItem(at: item, to: backup)
    }
    try FileManager.default.createDirectory(
      at: item.deletingLastPathComponent(), withIntermediateDirectories: true)
    switch kind {
    case "FIFO": try #require(mkfifo(item.path, 0o644) == 0)
    case "socket": try #require(mknod(item.path, S_IFSOCK | 0o644, 0) == 0)
    case "device": try #require(mknod(item.path, S_IFCHR | 0o644, 0x0105) == 0)
    case "link to itself": try link(path, to: item.path)
    case "link elsewhere": try link(path, to: canary.path)
    case "link to the same": try link(path, to: backup.path)
    case "folder":
      try FileManager.default.createDirectory(at: item, withIntermediateDirectories: false)
    case "hard link": try #require(Glibc.link(backup.path, item.path) == 0)
    default: Issue.record("“\(kind)” is not known")
    }
  }

  /// Gives every object of the store a separate file.
  func unpack() throws {
    let line = """
      mkdir ../packs; mv objects/pack/* ../packs
      for pack in ../packs/*.pack; do git unpack-objects -q <"$pack"; done
      rm -r ../packs
      """
    let result = try Command.run(
      "bash", ["-e", "-c", line], in: store(),
      environment: [
        "GIT_CONFIG_COUNT": "1", "GIT_CONFIG_KEY_0": "safe.directory", "GIT_CONFIG_VALUE_0": "*",
      ])
    try #require(result.exitCode == 0, "\(result.errorOutput)")
  }

  func link(_ path: String, to target: String) throws {
    try FileManager.default.createSymbolicLink(
      atPath: self[path].path, withDestinationPath: target)
  }

  func write(_ text: String, to path: String, document: String = "a.md") throws {
    let file = store(document).appending(path: path)
    try FileManager.default.createDirectory(
      at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data(text.utf8).write(to: file)
  }

  /// Opens the store, and lets a test write custom objects.
  @discardableResult
  func writeObjects(_ objects: [GitObject], in document: String = "a.md") throws -> Repository {
    let repository = try Repository(opening: store(document).filePath)
    try repository.write(objects)
    return repository
  }

  /// Makes a version of the package with any tree current.
  func publish(
    tree: ObjectID, in document: String = "P.pack", with objects: [GitObject],
    change: (inout Record.Facts) -> Void = { _ in }, parents more: [ObjectID] = [],
    message: String? = nil
  ) throws {
    let repository = try Repository(opening: store(document).filePath)
    let main = try #require(try repository.references.value(of: HeadName.main))
    let base = try #require(try repository.commit(main).parents.last)
    var facts = try Record(id: base, decoding: repository.commit(base)).facts
    facts.content = tree.description
    facts.digest = String(repeating: "0", count: 64)
    facts.date += 1
    change(&facts)
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    let json = String(decoding: try encoder.encode(facts), as: UTF8.self)
    let record = Commit(
      tree: .emptyTree, parents: [base] + more, author: facts.authorSignature,
      committer: facts.deviceSignature, message: message ?? "Evil\n\n\(json)\n")
    let recordObject = record.encoded()
    let content = Commit(
      tree: tree, parents: [main, recordObject.id],
      author: facts.authorSignature, committer: facts.deviceSignature, message: "Evil\n"
    ).encoded()
    try repository.write(objects + [recordObject, content])
    try write("\(content.id)\n", to: "refs/heads/main", document: document)
  }

  /// Returns a tree object with entries that no builder would make.
  static func tree(_ entries: [(mode: String, name: [UInt8], id: ObjectID)]) throws -> GitObject {
    var bytes: [UInt8] = []
    for entry in entries {
      bytes += Array(entry.mode.utf8) + [0x20] + entry.name + [0] + entry.id.bytes
    }
    return GitObject(.tree, bytes)
  }
}
