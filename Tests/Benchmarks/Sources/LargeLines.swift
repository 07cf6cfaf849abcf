import Foundation

/// A large document of which 1 MB changes, in 50 pieces of 20 KB.
extension Line {
  static let large = [
    largeSave, memory(of: "save", 100, target: 40), largeGrowth, largeRestore,
    memory(of: "restore", 100, target: 60),
  ]

  private static let largeSave = Line(
    name: "100 MB, 1 % changed: save", peer: "git add && git commit", target: 0.15
  ) { bench in
    try await prepareLarge(bench, megabytes: 100)
    try bench.git("init", "-q")
    try bench.git("add", "-A")
    try bench.git("commit", "-qm", "first")
    return (
      { _ in try saveEdited(bench) },
      { _ in
        try edit(bench.git.appending(path: name), bench)
        return try bench.git("add", "-A") + bench.git("commit", "-qm", "edit")
      }
    )
  }

  private static let largeGrowth = Line(
    name: "100 MB, 1 % changed: growth", peer: "what was changed", target: 4,
    counts: .amount("bytes")
  ) { bench in
    try await prepareLarge(bench, megabytes: 100)
    let store = bench.ours.appending(path: ".docversions")
    return (
      { _ in
        let before = try Bench.size(below: store)
        var timing = try saveEdited(bench)
        timing.amount = try Bench.size(below: store) - before
        return timing
      },
      { _ in .counted(Double(pieces * pieceSize)) }
    )
  }

  private static let largeRestore = Line(
    name: "100 MB, 1 % changed: restore", peer: "cp + 0.3 s", target: 1
  ) { bench in
    try await prepareLarge(bench, megabytes: 100)
    try saveEdited(bench)
    return (
      { _ in try bench.docversions("restore", name, "~1") },
      { _ in
        var timing = try bench.run("cp", name, "copy")
        timing.wall += 300
        return timing
      }
    )
  }

  /// The peak memory of a command.
  static func memory(of command: String, _ megabytes: Int, target: Double) -> Line {
    Line(
      name: "\(megabytes) MB, 1 MB changed: memory of \(command)", peer: "a MB", target: target,
      counts: .amount("MB")
    ) { bench in
      try await prepareLarge(bench, megabytes: megabytes)
      return (
        { _ in
          bench.watchesMemory = true
          defer { bench.watchesMemory = false }
          var timing = try saveEdited(bench)
          if command == "restore" { timing = try bench.docversions("restore", name, "~1") }
          timing.amount = timing.memory
          return timing
        },
        { _ in .counted(1) }
      )
    }
  }

  private static let name = "film.bin"
  private static let pieces = 50
  private static let pieceSize = 20_000

  /// Makes the document, the same for both, and its first version.
  private static func prepareLarge(_ bench: Bench, megabytes: Int) async throws {
    try await bench.shared("\(megabytes) MB") {
      try bench.write(megabytes: megabytes, to: name)
      try bench.docversions("save", name)
    }
  }

  @discardableResult
  private static func saveEdited(_ bench: Bench) throws -> Timing {
    try edit(bench.ours.appending(path: name), bench)
    return try bench.docversions("save", name)
  }

  private static func edit(_ file: URL, _ bench: Bench) throws {
    let handle = try FileHandle(forUpdating: file)
    let end = try handle.seekToEnd()
    for _ in 0..<pieces {
      try handle.seek(toOffset: .random(in: 0..<end - UInt64(pieceSize)))
      try handle.write(contentsOf: bench.bytes(pieceSize))
    }
    try handle.close()
  }
}
