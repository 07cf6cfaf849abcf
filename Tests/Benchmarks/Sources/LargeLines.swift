import Foundation

/// A document of 100 MB, of which a hundredth changes: 50 pieces of 20 KB.
extension Line {
  static let large = [
    largeSave, largeSaveMemory, largeGrowth, largeRestore, largeRestoreMemory,
  ]

  private static let largeSave = Line(
    name: "100 MB, 1 % changed: save", peer: "git add && git commit", target: 0.15
  ) { bench in
    try prepare(bench)
    return (
      { _ in try edited(bench) { try bench.docversions("save", name) } }, { try commit(bench, $0) }
    )
  }

  private static let largeGrowth = Line(
    name: "100 MB, 1 % changed: growth", peer: "what was changed", target: 4,
    counts: .amount("bytes")
  ) { bench in
    try prepare(bench)
    let store = bench.ours.appending(path: ".docversions")
    return (
      { _ in
        let before = try Bench.size(below: store)
        var timing = try edited(bench) { try bench.docversions("save", name) }
        timing.amount = try Bench.size(below: store) - before
        return timing
      },
      { _ in .counted(Double(pieces * pieceSize)) }
    )
  }

  private static let largeSaveMemory = memory(of: "save", target: 40) { bench in
    try edited(bench) { try bench.docversions("save", name) }
  }

  private static let largeRestore = Line(
    name: "100 MB, 1 % changed: restore", peer: "cp + 0.3 s", target: 1
  ) { bench in
    try prepare(bench)
    _ = try edited(bench) { try bench.docversions("save", name) }
    return (
      { _ in try bench.docversions("restore", name, "~1") },
      { _ in
        var timing = try bench.run("cp", name, "copy")
        timing.wall += 300
        return timing
      }
    )
  }

  private static let largeRestoreMemory = memory(of: "restore", target: 60) { bench in
    _ = try edited(bench) { try bench.docversions("save", name) }
    return try bench.docversions("restore", name, "~1")
  }

  /// The most memory that a command uses at once.
  private static func memory(
    of command: String, target: Double, _ run: @escaping @Sendable (Bench) throws -> Timing
  ) -> Line {
    Line(
      name: "100 MB, 1 % changed: memory of \(command)", peer: "a MB", target: target,
      counts: .amount("MB")
    ) { bench in
      try prepare(bench)
      return (
        { _ in
          bench.watchesMemory = true
          defer { bench.watchesMemory = false }
          var timing = try run(bench)
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

  private static func prepare(_ bench: Bench) throws {
    try bench.git("init", "-q")
    try bench.write(megabytes: 100, to: name)
    try bench.docversions("save", name)
    try bench.git("add", "-A")
    try bench.git("commit", "-qm", "first")
  }

  private static func edited(_ bench: Bench, _ body: () throws -> Timing) throws -> Timing {
    try edit(bench.ours.appending(path: name), bench)
    return try body()
  }

  private static func commit(_ bench: Bench, _ number: Int) throws -> Timing {
    try edit(bench.git.appending(path: name), bench)
    return try bench.git("add", "-A") + bench.git("commit", "-qm", "edit")
  }

  private static func edit(_ file: URL, _ bench: Bench) throws {
    let handle = try FileHandle(forUpdating: file)
    for _ in 0..<pieces {
      try handle.seek(toOffset: .random(in: 0..<UInt64(100_000_000 - pieceSize)))
      try handle.write(contentsOf: bench.bytes(pieceSize))
    }
    try handle.close()
  }
}
