internal import DocumentTestSupport
internal import DocumentVersions
internal import Foundation

/// The built program, which runs in a separate folder as one person on one device.
struct Program {
  let folder: ScratchFolder
  var author = "Mira"
  var device = "mira-laptop"
  /// The folder below the scratch folder in which the program runs.
  var place = "."

  /// - Parameter isInMemory: whether the folder is in memory; false for files that are too large.
  init(isInMemory: Bool = !TestMode.isFull) throws {
    folder = try ScratchFolder(isInMemory: isInMemory)
  }

  static var path: String { BuiltProgram.url.path }

  @discardableResult
  func run(
    _ arguments: String..., input: String = "", environment: [String: String] = [:]
  ) throws -> Command.Result {
    try run(arguments, input: input, environment: environment)
  }

  @discardableResult
  func run(
    _ arguments: [String], input: String = "", environment: [String: String] = [:]
  ) throws -> Command.Result {
    try Command.run(
      Self.path, arguments, in: folder[place],
      environment: ["DOCVERSIONS_AUTHOR": author, "DOCVERSIONS_DEVICE": device, "TZ": "UTC"]
        .merging(environment) { $1 },
      input: input)
  }

  /// Runs a shell line in which `docversions` is the program.
  func shell(_ line: String) throws -> Command.Result {
    try Command.run(
      "/bin/bash", ["-c", "docversions() { \"\(Self.path)\" \"$@\"; }; \(line)"], in: folder[place])
  }

  /// Returns the JSON object that a command prints.
  func json(_ arguments: String...) throws -> [String: Any] {
    try json(arguments)
  }

  func json(_ arguments: [String]) throws -> [String: Any] {
    let result = try Command.run(
      Self.path, arguments + ["--json"], in: folder[place],
      environment: ["DOCVERSIONS_AUTHOR": author, "DOCVERSIONS_DEVICE": device])
    return try Self.object(result.output)
  }

  /// Returns the object in a JSON text.
  static func object(_ text: String) throws -> [String: Any] {
    try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any] ?? [:]
  }

  /// The identifiers of a document's versions, newest first.
  func versions(of file: String) throws -> [String] {
    let versions = try json("log", file)["versions"] as? [[String: Any]] ?? []
    return versions.compactMap { $0["id"] as? String }
  }

  func write(_ text: String, to file: String) throws {
    try folder.write(text, to: "\(place)/\(file)")
  }

  /// Returns whether an item exists in the folder.
  func exists(_ file: String) -> Bool {
    FileManager.default.fileExists(atPath: folder[file].path)
  }

  func read(_ file: String) throws -> String {
    try folder.read("\(place)/\(file)")
  }
}

// MARK: Lines of the shell

extension Program {
  /// Returns a line that locks a file for some seconds, and continues once it is locked; `$!` is the process
  /// that holds it.
  static func holding(_ lock: String, seconds: Double) -> String {
    holding(lock, while: "exec sleep \(seconds)")
  }

  /// Returns a line that locks a file while a command runs, and continues once it is locked.
  static func holding(_ lock: String, while command: String) -> String {
    """
    held=$(mktemp -u); flock -F '\(lock)' sh -c 'touch "$0"; \(command)' "$held" & \
    until [ -e "$held" ]; do sleep 0.02; done; rm "$held"
    """
  }

  /// A line that waits until the program has asked, in the file `out`.
  static let question = "until grep -q 1 out; do sleep 0.02; done"

  /// The time for which a lock is held unless its holder is ended, longer than any test takes.
  static let untilEnded = 3_600.0

  /// Returns a line that waits until the process `$!` waits for a lock, and so has the file open.
  static func waiting(for lock: String) -> String {
    """
    if [ -e /proc/self/fd ]; \
    then until ! kill -0 $! || readlink /proc/$!/fd/* | grep -qxF '\(lock)'; do sleep 0.02; done; else sleep 2; fi
    """
  }
}

/// A document in a conflict between two people.
enum ConflictedDocument {
  /// Creates the base, and Mira's and Tom's edits of it, without running the program.
  static func program(
    _ file: String = "trip.md", base: String, mira ours: String, tom theirs: String
  ) throws -> Program {
    try program(file, base: base, mira: ours, tom: theirs) { try $0.write($1, to: file) }
  }

  /// The same of a package, by the contents of its members.
  static func package(
    _ name: String, base: [String: String], mira ours: [String: String],
    tom theirs: [String: String]
  ) throws -> Program {
    try program(name, base: base, mira: ours, tom: theirs) { program, members in
      let package = program.folder[name]
      if program.exists(name) { try FileManager.default.removeItem(at: package) }
      for (path, text) in members {
        try FileManager.default.createDirectory(
          at: package.appending(path: path).deletingLastPathComponent(),
          withIntermediateDirectories: true)
        try program.write(text, to: "\(name)/\(path)")
      }
    }
  }

  private static func program<Contents>(
    _ file: String, base: Contents, mira ours: Contents, tom theirs: Contents,
    write: (Program, Contents) throws -> Void
  ) throws -> Program {
    let program = try Program()
    let document = program.folder[file]
    func save(
      _ contents: Contents, as person: String, on device: String, base: FileVersion? = nil
    ) throws -> FileVersion {
      try write(program, contents)
      let store = SynchronousStore(identity: Identity(author: person, device: device))
      return try store.save(document, base: base).version
    }
    let first = try save(base, as: "Mira", on: "mira-laptop")
    _ = try save(ours, as: "Mira", on: "mira-laptop")
    _ = try save(theirs, as: "Tom", on: "toms-phone", base: first)
    return program
  }

  /// One that merges without a question.
  static func withoutQuestions() throws -> Program {
    let lines = (1...9).map { "line \($0)\n" }
    func text(_ line: Int, _ new: String) -> String {
      lines.enumerated().map { $0 + 1 == line ? new + "\n" : $1 }.joined()
    }
    return try program(base: lines.joined(), mira: text(2, "Mira’s"), tom: text(8, "Tom’s"))
  }

  /// One with a question.
  static func withQuestion() throws -> Program {
    try program(base: "tent 120\nrope 20\n", mira: "tent 95\nrope 20\n", tom: "tent 130\nrope 20\n")
  }
}
