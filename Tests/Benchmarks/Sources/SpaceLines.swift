import DocumentVersions
import Foundation

/// The disk space of many versions, compared with the size after `git gc`.
extension Line {
  static let space = [(30, 1.5), (100, 1.5), (300, 1.5), (1_000, 1)].map { count, target in
    Line(
      name: "space of \(count) edits of 100 KB", peer: "git gc", target: target,
      counts: .amount("bytes")
    ) { bench in
      try await prepareEdits(bench, count: count)
      return (
        { _ in
          let store = bench.ours.appending(path: ".docversions/documents/a.txt.git/objects")
          return .counted(try Bench.size(below: store))
        },
        { _ in .counted(try Bench.size(below: bench.git.appending(path: ".git/objects"))) }
      )
    }
  }

  /// Edits one to three lines at a time, and has git collect.
  private static func prepareEdits(_ bench: Bench, count: Int) async throws {
    try bench.git("init", "-q")
    let store = VersionStore(identity: Identity(author: "Mira", device: "mira-laptop"))
    let document = bench.ours.appending(path: "a.txt")
    let words = (0..<4_000).map { _ in
      String(UInt64.random(in: 0...(.max), using: &bench.random), radix: 36).prefix(
        .random(in: 2...9, using: &bench.random))
    }
    func line() -> String {
      (0..<10).map { _ in String(words.randomElement(using: &bench.random) ?? "") }.joined(
        separator: " ")
    }
    var lines = (0..<1_700).map { _ in line() }
    try bench.git("symbolic-ref", "HEAD", "refs/heads/main")
    try await bench.gitImport { write in
      for number in 1...count {
        for _ in 0..<Int.random(in: 1...3, using: &bench.random) {
          lines[.random(in: lines.indices, using: &bench.random)] = line()
        }
        let text = lines.joined(separator: "\n") + "\n"
        try Data(text.utf8).write(to: document)
        try await store.save(document)
        try write(gitVersion(number, text))
      }
    }
    try bench.git("gc", "--quiet", "--prune=now")
  }
}
