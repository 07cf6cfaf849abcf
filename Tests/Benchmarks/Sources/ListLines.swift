import DocumentVersions
import Foundation

/// Starting, and looking at documents without changing them.
extension Line {
  static let lists = [
    start, log(of: 120, target: 4, .processor), conflictsOfOne, log(of: 2_000, target: 0.7, .clock),
    list(newest: 100, target: 0.1), list(newest: nil, target: 0.15), showOfOld, contentsOfOld,
    conflictsOfMany, conflictsOfManyAgain,
  ]

  private static let start = Line(
    name: "start: --version", peer: "git --version", target: 4, counts: .processor
  ) { bench in
    ({ _ in try bench.docversions("--version") }, { _ in try bench.git("--version") })
  }

  private static let conflictsOfOne = Line(
    name: "conflicts of one document", peer: "git status", target: 4, counts: .processor
  ) { bench in
    try prepareHistory(bench, count: 20)
    return ({ _ in try bench.docversions("conflicts") }, { _ in try bench.git("status") })
  }

  private static func log(of count: Int, target: Double, _ counts: Counted) -> Line {
    Line(
      name: "log -n 100 of \(count) versions", peer: "git log -n 100", target: target,
      counts: counts
    ) { bench in
      try prepareHistory(bench, count: count)
      return (
        { _ in try bench.docversions("log", "-n", "100", "a.txt") },
        { _ in try bench.git("log", "-n", "100") }
      )
    }
  }

  /// The newest versions of 2,000, listed in this process; nil for all.
  private static func list(newest most: Int?, target: Double) -> Line {
    Line(
      name: "\(most.map { "newest \($0)" } ?? "all") of 2000 versions in process",
      peer: "git log", target: target
    ) { bench in
      try prepareHistory(bench, count: 2_000)
      let document = bench.ours.appending(path: "a.txt")
      return (
        { _ in
          try Timing.of {
            _ =
              try most.map { try VersionStore().history(of: document, newest: $0) }
              ?? VersionStore().history(of: document)
          }
        },
        { _ in try most.map { try bench.git("log", "-n", "\($0)") } ?? bench.git("log") }
      )
    }
  }

  // MARK: A version 5,000 back of 10,000

  private static let showOfOld = Line(
    name: "show ~5000 of 10,000 versions", peer: "git show HEAD~5000:a.txt", target: 0.02
  ) { bench in
    try prepareHistory(bench, count: 10_000)
    return ({ _ in try bench.docversions("show", "a.txt", "~5000") }, { _ in try gitShow(bench) })
  }

  private static let contentsOfOld = Line(
    name: "contents of ~5000 of 10,000 versions in process", peer: "git show HEAD~5000:a.txt",
    target: 0.02
  ) { bench in
    try prepareHistory(bench, count: 10_000)
    let document = bench.ours.appending(path: "a.txt")
    let (store, selector) = (VersionStore(), VersionSelector("~5000"))
    return (
      { _ in try Timing.of { _ = try store.version(selector, of: document).contents() } },
      { _ in try gitShow(bench) }
    )
  }

  private static func gitShow(_ bench: Bench) throws -> Timing {
    try bench.git("show", "HEAD~5000:a.txt")
  }

  // MARK: 1,000 documents

  private static let conflictsOfMany = Line(
    name: "conflicts among 1,000 documents, 10 in conflict", peer: "git --version", target: 6
  ) { bench in
    try prepareMany(bench)
    return (
      { _ in try bench.docversions("conflicts") }, { _ in try bench.git("--version") }
    )
  }

  /// The same in this process, by a store that was asked before.
  private static let conflictsOfManyAgain = Line(
    name: "the same again in process", peer: "git --version", target: 0.3
  ) { bench in
    try prepareMany(bench)
    let store = VersionStore()
    for _ in 0..<2 { _ = try store.documentsInConflict(below: bench.ours) }
    return (
      { _ in try Timing.of { _ = try store.documentsInConflict(below: bench.ours) } },
      { _ in try bench.git("--version") }
    )
  }

  private static func prepareMany(_ bench: Bench) throws {
    let store = VersionStore()
    for number in 0..<1_000 {
      let document = bench.ours.appending(path: "\(number).txt")
      func save(_ text: String, base: FileVersion? = nil) throws -> FileVersion {
        try Data(text.utf8).write(to: document)
        return try store.save(document, base: base).version
      }
      let first = try save("first")
      guard number.isMultiple(of: 100) else { continue }
      _ = try save("second")
      _ = try save("third", base: first)
    }
  }

  /// A text of 10 KB with so many versions, each with a line more than the one before.
  private static func prepareHistory(_ bench: Bench, count: Int) throws {
    try bench.git("init", "-q")
    let store = VersionStore(identity: Identity(author: "Mira", device: "mira-laptop"))
    let document = bench.ours.appending(path: "a.txt")
    var text = String(repeating: "A line of a text that somebody writes.\n", count: 256)
    // Git reads its own versions from a stream: so many commits one by one would take it minutes.
    var stream = ""
    for number in 1...count {
      text += "line \(number)\n"
      if number.isMultiple(of: 100) { text = String(text.dropFirst(900)) }
      try Data(text.utf8).write(to: document)
      try store.save(document)
      stream += gitVersion(number, text)
    }
    try bench.write(Data(text.utf8), to: "a.txt")
    let file = bench.git.appending(path: "stream")
    try Data(stream.utf8).write(to: file)
    try bench.git("symbolic-ref", "HEAD", "refs/heads/main")
    try bench.gitImport(file)
    try bench.git("reset", "-q")
  }

  /// A version as `git fast-import` takes it.
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
