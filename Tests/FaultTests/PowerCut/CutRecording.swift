import DocumentTestSupport
import DocumentVersions
import Foundation
import Testing

/// An operation that was done once without a power cut: its changes on disk, and the state before and after
/// each command.
struct CutRecording {
  let operation: CutOperation
  var trace: Trace
  /// The commands, in order.
  private(set) var commands: [[String]] = []
  /// The state before each command, and after it.
  private(set) var before: [CutExpectation] = []
  private(set) var after: [CutExpectation] = []
  /// The remote before the first command and after each; empty if the operation has no remote.
  private(set) var remotes: [URL] = []
  private let desk: CutDesk

  /// Performs an operation, and records it.
  init(_ operation: CutOperation) throws {
    self.operation = operation
    desk = try CutDesk()
    var arguments = try operation.prepare(desk)
    let start = try DiskImage(of: desk.root)
    let file = try desk.scratch.write("", to: "trace")
    remotes += try desk.copyOfRemote(0)
    for step in operation.steps {
      switch step {
      case .edit(let path, let text):
        try Self.edit(desk.root.appending(path: path), text, notingIn: file)
      case .run(let command):
        let line = command + arguments
        arguments = []
        commands.append(line)
        before.append(try CutExpectation(of: desk.root, operation))
        let result = try CutProgram.run(
          line, in: desk.root,
          environment: [
            "LD_PRELOAD": FaultInjector.library().path, "FAULT_ROOT": desk.root.path,
            "FAULT_TRACE": file.path,
          ])
        try #require(result.exitCode == 0, "\(operation.name): \(result.errorOutput)")
        try Self.append("ack", to: file)
        remotes += try desk.copyOfRemote(remotes.count)
        after.append(try CutExpectation(of: desk.root, operation))
      }
    }
    let lines = try String(contentsOf: file, encoding: .utf8).split(separator: "\n")
    trace = try Trace(lines.map(String.init), from: start)
    // Otherwise, the recorder missed a change.
    let replayed = trace.start.applying(trace.changes).tree
    let real = try DiskImage(of: desk.root).tree
    let different = Set(replayed.keys).union(real.keys).filter { replayed[$0] != real[$0] }
    try #require(different.isEmpty, "the trace does not tell of \(different.sorted())")
  }

  /// Puts the remote, as the last command that was acknowledged left it, beside a folder.
  func writeRemote(besides root: URL, acknowledged: Int) throws {
    guard acknowledged < remotes.count else { return }
    try FileManager.default.copyItem(
      at: remotes[acknowledged], to: CutProgram.remote(of: root))
  }

  private static func edit(_ document: URL, _ text: String, notingIn trace: URL) throws {
    let handle = try FileHandle(forWritingTo: document)
    try handle.truncate(atOffset: 0)
    try handle.write(contentsOf: Data(text.utf8))
    try handle.close()
    let inode = try FileManager.default.attributesOfItem(atPath: document.path)[.systemFileNumber]
    let digits = text.utf8.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    try append("edit \(try #require(inode as? Int)) \(digits)", to: trace)
  }

  private static func append(_ line: String, to trace: URL) throws {
    let handle = try FileHandle(forWritingTo: trace)
    try handle.seekToEnd()
    try handle.write(contentsOf: Data("\(line)\n".utf8))
    try handle.close()
  }

  /// The numbers of changes after which the power may go.
  ///
  /// This leaves out cuts before a person's edit, where the state is the one that the last command left.
  var cuts: [Int] {
    (0...trace.changes.count).filter { cut in
      guard cut < trace.changes.count, case .edit = trace.changes[cut] else { return true }
      return false
    }
  }

  /// Returns the number of commands that had reported success.
  func acknowledged(at cut: Int) -> Int {
    trace.changes.prefix(cut).count { if case .acknowledge = $0 { true } else { false } }
  }

  /// The call that comes after the cut.
  func call(at cut: Int) -> String {
    cut < trace.words.count ? trace.words[cut] : "the end"
  }
}

/// The program, run in a folder as one person at a later time.
enum CutProgram {
  /// The same person at the same time, through the library.
  static let store = SynchronousStore(
    identity: Identity(author: "Mira", device: "Mira’s laptop"),
    clock: { Date(timeIntervalSince1970: 1_796_126_400) })

  static func run(_ arguments: [String], in folder: URL, environment: [String: String] = [:])
    throws -> Command.Result
  {
    try Command.run(
      BuiltProgram.url.path, arguments, in: folder,
      environment: [
        "DOCVERSIONS_AUTHOR": "Mira", "DOCVERSIONS_DEVICE": "Mira’s laptop",
        "DOCVERSIONS_NOW": "2026-12-01T12:00:00Z",
      ].merging(try BedRemote.environment(for: folder.deletingLastPathComponent())) { $1 }
        .merging(environment) { $1 })
  }

  /// Returns the repository that is the remote of the containers in a folder.
  static func remote(of folder: URL) -> URL {
    folder.deletingLastPathComponent().appending(path: "remote")
  }
}
