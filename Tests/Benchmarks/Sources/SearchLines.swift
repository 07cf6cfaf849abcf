import DocumentVersions
import Foundation

/// Searching in histories, and finding documents.
extension Line {
  static let searches = [searchInHistory, blameOfLines]

  /// Lines that take minutes to prepare.
  static let searchesOfMany = [findFirst(among: 10_000), findChange(among: 10_000)]

  private static let searchInHistory = Line(
    name: "log --search in 2,000 versions", peer: "git log -S", target: 0.5
  ) { bench in
    try await prepareHistory(bench, count: 2_000)
    return (
      { _ in try bench.docversions("log", "--search", "line 1234", "a.txt") },
      { _ in try bench.git("log", "-S", "line 1234", "--oneline") }
    )
  }

  private static let blameOfLines = Line(
    name: "show --blame of 2,000 versions", peer: "git blame", target: 4
  ) { bench in
    try await prepareHistory(bench, count: 2_000)
    return (
      { _ in try bench.docversions("show", "a.txt", "--blame") },
      { _ in try bench.git("blame", "a.txt") }
    )
  }

  /// The first result of a search that follows changes.
  private static func findFirst(among count: Int) -> Line {
    Line(
      name: "first result of a query among \(count) documents in process", peer: "find -name",
      target: 6
    ) { bench in
      try await prepareNotes(bench, count: count)
      let query = DocumentQuery(.like(\.name, "*7.txt"), in: [bench.ours])
      return (
        { _ in
          try await Timing.of {
            var updates = query.updates().makeAsyncIterator()
            _ = try await updates.next()
          }
        },
        { _ in try bench.run("find", ".", "-name", "*7.txt") }
      )
    }
  }

  /// The time until a running search reports a change; it waits 60 ms for others.
  private static func findChange(among count: Int) -> Line {
    Line(
      name: "change of a document in a query among \(count) in process", peer: "find -newer",
      target: 8
    ) { bench in
      try await prepareNotes(bench, count: count)
      let query = DocumentQuery(.like(\.name, "*7.txt"), in: [bench.ours])
      let document = bench.ours.appending(path: "f0/7.txt")
      return (
        { number in
          var updates = query.updates().makeAsyncIterator()
          _ = try await updates.next()
          return try await Timing.of {
            try Data("change \(number), \(UUID())".utf8).write(to: document)
            _ = try await updates.next()
          }
        },
        { _ in try bench.run("find", ".", "-newer", "f0/7.txt") }
      )
    }
  }

  /// Prepares saved notes in folders of 200.
  private static func prepareNotes(_ bench: Bench, count: Int) async throws {
    try await bench.shared("\(count) notes") {
      for number in 0..<count {
        let folder = bench.ours.appending(path: "f\(number / 200)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        try Data("note \(number)\n".utf8).write(to: folder.appending(path: "\(number).txt"))
      }
      try bench.docversions("container", "init")
      try bench.docversions("save", "--all")
    }
  }
}
