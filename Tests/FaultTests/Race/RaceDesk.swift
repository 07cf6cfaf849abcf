import CFileSystem
import DocumentTestSupport
import DocumentVersions
import DocumentWorld
import Foundation
import Synchronization

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// A folder with one document that many processes save at the same time, and their answers.
final class RaceDesk: Sendable {
  /// A save that was reported as done.
  struct Acknowledgement: Sendable {
    let version: String
    let isNew: Bool
    /// The moment just before the bytes to save were put in place.
    let written: ContinuousClock.Instant
    let acknowledged: ContinuousClock.Instant
  }

  /// A save that failed.
  struct Refusal: Sendable, CustomStringConvertible {
    let code: Int32
    let message: String
    var description: String { "exit code \(code): \(message)" }
  }

  struct Ledger {
    var acknowledgements: [Acknowledgement] = []
    var refusals: [Refusal] = []
    /// All texts that were ever put in place, each with the time when the last process had done so.
    var texts: [String: ContinuousClock.Instant] = [:]
    var running: Set<pid_t> = []
    /// The processes that the test killed, whose failures aren't refusals.
    var killed: Set<pid_t> = []
  }

  let device: Device
  let name: String
  let ledger = Mutex(Ledger())
  /// A command that runs the program, for example to drop rights.
  let launcher: [String]

  init(name: String = "trip.md", launcher: [String] = []) throws {
    device = try World().device("mira")
    self.name = name
    self.launcher = launcher
    try FileManager.default.createDirectory(
      at: scratch["staging"], withIntermediateDirectories: true)
  }

  var scratch: ScratchFolder { device.scratch }

  var isPackage: Bool { name.hasSuffix(".imagenotes") }
  var container: URL { device.container }
  var document: URL { device[name] }
  var store: URL { device.storeFolder(of: name) }

  // MARK: Writing

  /// Returns the text of a process for one of its saves, which has several blocks, so that a torn file shows.
  static func text(_ writer: Int, _ step: Int) -> String {
    (0..<400).map { "writer \(writer) step \(step) line \($0)\n" }.joined()
  }

  /// Puts the text of a process in the document's place in one step.
  func write(_ writer: Int, _ step: Int) throws -> ContinuousClock.Instant {
    let text = Self.text(writer, step)
    let staged = scratch["staging/\(writer)"]
    if isPackage {
      for member in Self.members {
        try scratch.write(text, to: "staging/\(writer)/\(member)")
      }
    } else {
      try scratch.write(text, to: "staging/\(writer)")
    }
    let start = ContinuousClock.now
    // The text is recorded first, because another process may see it before this one continues.
    ledger.withLock { $0.texts[text] = .now + .seconds(3_600) }
    guard place(staged) else { throw CocoaError(.fileWriteUnknown) }
    ledger.withLock { $0.texts[text] = .now }
    return start
  }

  /// The members of the document if it is a package; each has the same text, so that a mixture shows.
  static let members = (1...5).map { "pages/\($0).txt" }

  private func place(_ staged: URL) -> Bool {
    // The replaced document goes to the staging area, where the next text is written over it.
    func exchange() -> Bool {
      isPackage
        && docversions_rename_exchange(AT_FDCWD, staged.path, AT_FDCWD, document.path) == 0
    }
    // Only one of several processes creates the first document; the others then find it.
    return exchange() || rename(staged.path, document.path) == 0 || exchange()
  }

  // MARK: Running the program

  func start(_ arguments: [String], as person: String? = nil) throws -> RunningProgram {
    try device.start(arguments, launcher: launcher, as: person)
  }

  func run(_ arguments: String...) throws -> Command.Result {
    try start(arguments).wait()
  }

  /// Saves the document in a separate process, and records its answer.
  @discardableResult
  func save(as writer: Int, since written: ContinuousClock.Instant) throws -> Command.Result {
    let program = try ledger.withLock { ledger in
      let program = try start(["save", document.path, "--json"], as: "Writer \(writer)")
      ledger.running.insert(program.identifier)
      return program
    }
    let end = try program.wait()
    let saved = try end.exitCode == 0 ? SavedLine(end.output) : nil
    ledger.withLock { ledger in
      ledger.running.remove(program.identifier)
      if let saved {
        ledger.acknowledgements.append(
          Acknowledgement(
            version: saved.id, isNew: saved.new, written: written, acknowledged: .now))
      } else if !ledger.killed.contains(program.identifier) {
        ledger.refusals.append(Refusal(code: end.exitCode, message: end.errorOutput))
      }
    }
    return end
  }

  /// Lets processes write and save the document at the same time.
  ///
  /// - Returns: the number of acknowledged saves per second.
  @discardableResult
  func race(writers: Int, saves: Int) throws -> Double {
    let start = ContinuousClock.now
    let before = ledger.withLock { $0.acknowledgements.count }
    try Crowd.run(writers) { [self] writer in
      for step in 0..<saves { try save(as: writer, since: write(writer, step)) }
    }
    let count = ledger.withLock { $0.acknowledgements.count } - before
    return Double(count) / ((ContinuousClock.now - start) / .seconds(1))
  }

  /// The answer of `save --json`.
  private struct SavedLine: Decodable {
    let id: String
    let new: Bool

    init(_ line: String) throws {
      self = try JSONDecoder().decode(Self.self, from: Data(line.utf8))
    }
  }

  // MARK: Who holds the lock

  /// The process that holds the store's lock, if it is one of this desk's.
  func holder() -> pid_t? {
    guard let data = FileManager.default.contents(atPath: store.appending(path: "lock").path),
      let process = pid_t(String(decoding: data.dropFirst("pid ".utf8.count), as: UTF8.self))
    else { return nil }
    return ledger.withLock { $0.running.contains(process) ? process : nil }
  }

  /// Kills the process that holds the lock.
  ///
  /// - Returns: the time; nil if no process holds it.
  func killHolder() -> ContinuousClock.Instant? {
    guard let process = holder() else { return nil }
    return ledger.withLock { ledger in
      guard ledger.running.contains(process) else { return nil }
      ledger.killed.insert(process)
      kill(process, SIGKILL)
      return .now
    }
  }
}
