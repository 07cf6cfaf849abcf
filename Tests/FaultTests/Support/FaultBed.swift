internal import DocumentTestSupport
internal import DocumentVersions
internal import DocumentWorld
internal import Foundation

/// A folder with everything that an operation touches, and beside it the files that a test needs to run the
/// program.
///
/// `mira` holds Mira's documents, and is where the program runs.
struct FaultBed: Sendable {
  private let scratch: ScratchFolder

  /// An empty bed.
  init() throws {
    scratch = try ScratchFolder(isInMemory: true)
    _ = try device()
  }

  /// A copy, with all times.
  init(copyOf bed: FaultBed) throws {
    scratch = try ScratchFolder(isInMemory: true)
    let copied = try Command.run("cp", ["-a", bed.root.path, scratch.url.path])
    guard copied.exitCode == 0 else { throw FaultError(copied.errorOutput) }
    try recordCopiedFiles()
    // A remote in the bed is the copy's own.
    let remotes = self[Self.remotes]
    guard FileManager.default.fileExists(atPath: remotes.path) else { return }
    let list = try String(contentsOf: remotes, encoding: .utf8)
    try Data(list.replacing(bed.root.path, with: root.path).utf8).write(to: remotes)
  }

  private static let remotes = ".docversions/sync/remotes"

  /// The folder in which faults happen.
  var root: URL { scratch["bed"] }
  /// The folder with the documents.
  var home: URL { scratch["bed/mira"] }
  /// Returns a path that faults don't affect.
  func elsewhere(_ name: String) -> URL { scratch[name] }

  subscript(_ path: String) -> URL { home.appending(path: path) }

  /// Writes a document or a member with the time of a certain minute, so that runs are alike.
  ///
  /// - Parameter isReplacing: whether another file replaces the present one, as with many editors.
  func write(
    _ text: String, to path: String, minute: Int = 0, replacing isReplacing: Bool = false
  ) throws {
    let file = self[path]
    try FileManager.default.createDirectory(
      at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data(text.utf8).write(to: file, options: isReplacing ? .atomic : [])
    try FileManager.default.setAttributes(
      [.modificationDate: Self.time(minute)], ofItemAtPath: file.path)
  }

  /// Runs the program, with a fault or without.
  ///
  /// - Parameters:
  ///   - arguments: its arguments.
  ///   - minute: the minute that its clock shows.
  ///   - person: the person who runs it, in the folder with that name.
  ///   - fault: the fault; nil for none.
  ///   - isLogged: whether calls are logged without a fault, too.
  ///   - killDelay: the time after which the program is killed.
  ///   - program: another one than the project's.
  func run(
    _ arguments: [String], minute: Int = 30, as person: String = "mira", fault: Fault? = nil,
    isLogged: Bool = false, countsReads: Bool = false, killDelay: Duration? = nil,
    program: URL = BuiltProgram.url
  ) throws -> Run {
    let log = scratch["calls"]
    if FileManager.default.fileExists(atPath: log.path) {
      try FileManager.default.removeItem(at: log)
    }
    var environment = try environment(minute: minute, fault: fault)
    if fault == nil, !isLogged { environment["LD_PRELOAD"] = nil }
    if countsReads { environment["FAULT_COUNT"] = "reads" }
    let running = try device(person).start(arguments, of: program, environment: environment)
    let run = try Run(running, killDelay: killDelay, log: log)
    try BedRemote.settle(in: root)
    return run
  }

  /// Starts the program, for a fault that stops it.
  func start(_ arguments: [String], minute: Int = 30, fault: Fault) throws -> RunningProgram {
    try device().start(arguments, environment: environment(minute: minute, fault: fault))
  }

  /// The device of a person, whose container is in the folder with faults, late on the day of all tests.
  func device(_ person: String = "mira") throws -> Device {
    let clock = FixedClock()
    clock.advance(bySeconds: 50 * 60)
    return try Device(person, at: root.appending(path: person), in: scratch, clock: clock)
  }

  private func environment(minute: Int, fault: Fault?) throws -> [String: String] {
    [
      "DOCVERSIONS_NOW": Self.time(minute).formatted(.iso8601),
      "LD_PRELOAD": try FaultInjector.library().path, "FAULT_ROOT": root.path,
      "FAULT_LOG": scratch["calls"].path,
    ]
    .merging(fault?.environment ?? [:]) { $1 }
    .merging(try BedRemote.environment(for: root)) { $1 }
  }

  /// Runs a step of a preparation, which must succeed.
  @discardableResult
  func expect(
    _ arguments: [String], minute: Int = 0, as person: String = "mira"
  ) throws -> String {
    let run = try run(arguments, minute: minute, as: person)
    guard run.exitCode == 0 else {
      throw FaultError("\(arguments.joined(separator: " ")): \(run.ending) \(run.errorOutput)")
    }
    return run.text
  }

  /// Saves a document with contents of its own.
  func save(_ text: String, as path: String, minute: Int, as person: String = "mira") throws {
    try write(text, to: "../\(person)/\(path)", minute: minute)
    try expect(["save", path], minute: minute, as: person)
  }

  /// The identifiers of a document's versions, newest first.
  func identifiers(of path: String) throws -> [String] {
    try device().history(path).versions.map(\.id.description)
  }

  /// A minute of the day on which all tests happen.
  private static func time(_ minute: Int) -> Date {
    Date(timeIntervalSince1970: 1_795_262_400 + Double(minute) * 60)
  }
}
