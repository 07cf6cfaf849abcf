import DocumentVersions
import Foundation

/// Starting, and reading documents without changing them.
extension Line {
  static let lists = [
    start, log(of: 120, target: 4, .processor), conflictsOfOne, log(of: 2_000, target: 0.7, .clock),
    countedLog, list(newest: 100, of: 2_000, target: 0.1),
    list(newest: nil, of: 2_000, target: 0.15),
    show(back: 5_000, of: 10_000), contents(back: 5_000, of: 10_000),
    conflicts(among: 1_000, target: 6),
    conflictsInProcess(among: 1_000, again: false, target: 5),
    conflictsInProcess(among: 1_000, again: true, target: 0.5),
  ]

  private static let start = Line(
    name: "start: --version", peer: "git --version", target: 4, counts: .processor
  ) { bench in
    ({ _ in try bench.docversions("--version") }, { _ in try bench.git("--version") })
  }

  private static let conflictsOfOne = Line(
    name: "conflicts of one document", peer: "git status", target: 4, counts: .processor
  ) { bench in
    try await prepareHistory(bench, count: 20)
    return ({ _ in try bench.docversions("conflicts") }, { _ in try bench.git("status") })
  }

  static func log(of count: Int, target: Double, _ counts: Counted) -> Line {
    Line(
      name: "log -n 100 of \(count) versions", peer: "git log -n 100", target: target,
      counts: counts
    ) { bench in
      try await prepareHistory(bench, count: count)
      return (
        { _ in try bench.docversions("log", "-n", "100", "a.txt") },
        { _ in try bench.git("log", "-n", "100") }
      )
    }
  }

  /// A log that has the counts of changes from the previous one, compared with one that counts again.
  private static let countedLog = Line(
    name: "log -n 100, counted before", peer: "the same log, counting", target: 0.5,
    counts: .processor
  ) { bench in
    try await prepareHistory(bench, count: 2_000)
    let counts = bench.ours.appending(path: ".docversions/documents/a.txt.git/change-counts")
    func log() throws -> Timing { try bench.docversions("log", "-n", "100", "a.txt") }
    return (
      { _ in try log() },
      { _ in
        if FileManager.default.fileExists(atPath: counts.path) {
          try FileManager.default.removeItem(at: counts)
        }
        return try log()
      }
    )
  }

  /// The newest versions, listed in this process; nil for all.
  static func list(newest most: Int?, of count: Int, target: Double) -> Line {
    Line(
      name: "\(most.map { "newest \($0)" } ?? "all") of \(count) versions in process",
      peer: "git log", target: target
    ) { bench in
      try await prepareHistory(bench, count: count)
      let document = bench.ours.appending(path: "a.txt")
      return (
        { _ in
          try await Timing.of {
            _ = try await VersionStore().history(of: document, newest: most)
          }
        },
        { _ in try most.map { try bench.git("log", "-n", "\($0)") } ?? bench.git("log") }
      )
    }
  }

  // MARK: An old version

  static func show(back: Int, of count: Int) -> Line {
    Line(
      name: "show ~\(back) of \(count) versions", peer: "git show HEAD~\(back):a.txt", target: 0.02
    ) { bench in
      try await prepareHistory(bench, count: count)
      return (
        { _ in try bench.docversions("show", "a.txt", "~\(back)") },
        { _ in try bench.git("show", "HEAD~\(back):a.txt") }
      )
    }
  }

  static func contents(back: Int, of count: Int) -> Line {
    Line(
      name: "contents of ~\(back) of \(count) versions in process",
      peer: "git show HEAD~\(back):a.txt", target: 0.02
    ) { bench in
      try await prepareHistory(bench, count: count)
      let document = bench.ours.appending(path: "a.txt")
      let (store, selector) = (VersionStore(), VersionSelector("~\(back)"))
      return (
        { _ in
          try await Timing.of {
            _ = try await store.version(selector, of: document).contents()
          }
        },
        { _ in try bench.git("show", "HEAD~\(back):a.txt") }
      )
    }
  }

  // MARK: Many documents

  /// The conflicts among documents of which one percent are in conflict.
  static func conflicts(among count: Int, target: Double) -> Line {
    Line(
      name: "conflicts among \(count) documents, \(count / 100) in conflict",
      peer: "git --version", target: target
    ) { bench in
      try await prepareMany(bench, count: count)
      return (
        { _ in try bench.docversions("conflicts") }, { _ in try bench.git("--version") }
      )
    }
  }

  /// The conflicts in this process, by a store that was used before or by a new one.
  static func conflictsInProcess(among count: Int, again: Bool, target: Double) -> Line {
    Line(
      name: "conflicts among \(count) documents in process\(again ? ", asked again" : "")",
      peer: "git --version", target: target
    ) { bench in
      try await prepareMany(bench, count: count)
      let asked = VersionStore()
      for _ in 0..<2 { _ = try await asked.documentsInConflict(below: bench.ours) }
      return (
        { _ in
          let store = again ? asked : VersionStore()
          return try await Timing.of {
            _ = try await store.documentsInConflict(below: bench.ours)
          }
        },
        { _ in try bench.git("--version") }
      )
    }
  }

  private static func prepareMany(_ bench: Bench, count: Int) async throws {
    try await bench.shared("\(count) documents") {
      let store = VersionStore()
      for number in 0..<count {
        let document = bench.ours.appending(path: "\(number).txt")
        func save(_ text: String, base: FileVersion? = nil) async throws -> FileVersion {
          try Data(text.utf8).write(to: document)
          return try await store.save(document, base: base).version
        }
        let first = try await save("first")
        guard number.isMultiple(of: 100) else { continue }
        _ = try await save("second")
        _ = try await save("third", base: first)
      }
    }
  }

  /// Prepares a text of 10 KB with a number of versions, each with one more line than the previous one; now
  /// and then, the first lines are cut.
  static func prepareHistory(_ bench: Bench, count: Int) async throws {
    try await bench.shared("\(count) versions") {
      try bench.git("init", "-q")
      let store = VersionStore(identity: Identity(author: "Mira", device: "mira-laptop"))
      let document = bench.ours.appending(path: "a.txt")
      var text = String(repeating: "A line of a text that a person writes.\n", count: 256)
      try bench.git("symbolic-ref", "HEAD", "refs/heads/main")
      // Git reads its versions from a stream, because single commits would take minutes.
      try await bench.gitImport { write in
        for number in 1...count {
          text += "line \(number)\n"
          if text.utf8.count > 11_000 { text = String(text.dropFirst(1_000)) }
          try Data(text.utf8).write(to: document)
          try await store.save(document)
          try write(gitVersion(number, text))
        }
      }
      try bench.write(Data(text.utf8), to: "a.txt")
      try bench.git("reset", "-q")
    }
  }

  /// Returns a version in the format of `git fast-import`.
  static func gitVersion(_ number: Int, _ text: String) -> String {
    """
    commit refs/heads/main
    committer Mira <mira@example.org> \(1_700_000_000 + number) +0000
    data 4
    edit
    M 644 inline a.txt
    data \(text.utf8.count)
    \(text)

    """
  }
}
