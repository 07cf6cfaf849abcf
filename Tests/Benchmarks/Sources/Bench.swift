import Foundation

/// The environment of lines: a folder with one place for our program and one for git.
final class Bench {
  private let program: String
  private let root: URL
  private(set) var ours: URL
  private(set) var git: URL
  private var prepared: [String: (ours: URL, git: URL)] = [:]
  /// The servers of places that lines share.
  var servers: [Int: SyncServer] = [:]
  var random = SystemRandomNumberGenerator()
  /// True if the program's use of memory is measured.
  var watchesMemory = false

  init(program: String, folder: String) throws {
    self.program = URL(filePath: program).path
    guard FileManager.default.isExecutableFile(atPath: self.program) else {
      throw BenchError("there is no program \(program); build it first")
    }
    root = URL(filePath: folder).appending(path: "docversions-benchmarks-\(UUID().uuidString)")
    (ours, git) = (root, root)
  }

  /// Creates the places for one line.
  func fresh(_ name: String) throws {
    let place = root.appending(path: UUID().uuidString)
    (ours, git) = (place.appending(path: "ours"), place.appending(path: "git"))
    for folder in [ours, git] {
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }
  }

  /// Uses the place that several lines share, and creates its contents the first time.
  func shared(_ name: String, make: () async throws -> Void) async throws {
    if let place = prepared[name] {
      (ours, git) = place
    } else {
      try await make()
      prepared[name] = (ours, git)
    }
  }

  func remove() {
    do { try FileManager.default.removeItem(at: root) } catch { print("left behind: \(root.path)") }
  }

  /// Runs the program in our place.
  @discardableResult
  func docversions(_ arguments: String...) throws -> Timing {
    try docversions(arguments)
  }

  /// The same with arguments that were made.
  @discardableResult
  func docversions(_ arguments: [String]) throws -> Timing {
    var timing = try Timing.of(
      program, arguments, in: ours, environment: environment, watchesMemory: watchesMemory)
    timing.starts = 1
    return timing
  }

  /// Runs another program in our place.
  @discardableResult
  func run(_ program: String, _ arguments: String...) throws -> Timing {
    try Timing.of(program, arguments, in: ours, environment: environment)
  }

  /// Returns the size in bytes of all files below a folder.
  static func size(below folder: URL) throws -> Double {
    let files = FileManager.default.enumerator(atPath: folder.path) ?? .init()
    return try files.reduce(0) { total, name in
      let path = folder.appending(path: "\(name)").path
      let size = try FileManager.default.attributesOfItem(atPath: path)[.size] as? Int
      return total + Double(size ?? 0)
    }
  }

  /// Runs git in a folder of its place.
  @discardableResult
  func git(_ arguments: String..., in folder: String = "") throws -> Timing {
    try git(arguments, in: folder)
  }

  /// The same with arguments that were made.
  @discardableResult
  func git(_ arguments: [String], in folder: String = "") throws -> Timing {
    try Timing.of("git", arguments, in: git.appending(path: folder), environment: environment)
  }

  /// Has git read a history in the format of `git fast-import`.
  ///
  /// - Parameter write: writes it, piece by piece.
  func gitImport(_ write: ((String) throws -> Void) async throws -> Void) async throws {
    let file = git.appending(path: "stream")
    try Data().write(to: file)
    let stream = try FileHandle(forWritingTo: file)
    try await write { try stream.write(contentsOf: Data($0.utf8)) }
    try stream.close()
    try Timing.of(
      "sh", ["-c", "git fast-import --quiet < '\(file.path)'"], in: git, environment: environment)
    try FileManager.default.removeItem(at: file)
  }

  /// Writes the same file for both.
  func write(_ bytes: Data, to path: String) throws {
    for place in [ours, git] {
      let file = place.appending(path: path)
      try FileManager.default.createDirectory(
        at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
      try bytes.write(to: file)
    }
  }

  /// Writes a large file of ``bytes(_:)`` for both, piece by piece, so that this process stays small.
  func write(megabytes: Int, to path: String) throws {
    try write(Data(), to: path)
    let files = try [ours, git].map { try FileHandle(forWritingTo: $0.appending(path: path)) }
    for _ in 0..<megabytes {
      let piece = bytes(1_000_000)
      for file in files { try file.write(contentsOf: piece) }
    }
    for file in files { try file.close() }
  }

  /// Returns bytes of which half don't compress.
  func bytes(_ count: Int) -> Data {
    let noise = (0..<count / 2).map { _ in UInt8.random(in: .min ... .max, using: &random) }
    let text = Array("a line of text\n".utf8)
    return Data(noise + (0..<count - count / 2).map { text[$0 % text.count] })
  }

  /// Edits a text of words in three places, or begins one of 10 KB.
  ///
  /// - Returns: the written text.
  @discardableResult
  func editText(_ document: URL) throws -> Data {
    var text = FileManager.default.contents(atPath: document.path) ?? text(10_000)
    for _ in 0..<3 {
      let place = Int.random(in: 0..<text.count - 12, using: &random)
      let digits = (0..<12).map { _ in UInt8.random(in: 48...57, using: &random) }
      text.replaceSubrange(place..<place + 12, with: digits)
    }
    try text.write(to: document)
    return text
  }

  /// Edits the same text for both.
  func editText(_ path: String = "a.txt") throws {
    try editText(ours.appending(path: path)).write(to: git.appending(path: path))
  }

  private func text(_ count: Int) -> Data {
    let words = "each version of a document is kept, found again and compared with a later one"
      .split(separator: " ")
    var text = Data()
    while text.count < count {
      let line = (0..<8).map { _ in words[Int.random(in: words.indices, using: &random)] }
      let number = Int.random(in: 0..<10_000, using: &random)
      text += Data("\(line.joined(separator: " ")) \(number)\n".utf8)
    }
    return text.prefix(count)
  }

  private let environment = [
    "PATH": ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin",
    "HOME": "/nonexistent", "GIT_CONFIG_NOSYSTEM": "1", "DOCVERSIONS_AUTHOR": "Mira",
    "DOCVERSIONS_DEVICE": "mira-laptop", "GIT_AUTHOR_NAME": "Mira",
    "GIT_AUTHOR_EMAIL": "mira@example.org", "GIT_COMMITTER_NAME": "Mira",
    "GIT_COMMITTER_EMAIL": "mira@example.org",
  ]
}
