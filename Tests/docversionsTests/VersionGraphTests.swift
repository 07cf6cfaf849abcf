internal import DocumentTestSupport
internal import DocumentVersions
internal import Testing

@testable internal import docversions

/// The drawing beside a log.
@Suite(.blocks)
struct VersionGraphTests {
  @Test func `a line of versions is a line`() throws {
    let scratch = try ScratchFolder()
    for text in ["1", "2", "3"] {
      try scratch.write(text, to: "a.md")
      _ = try SynchronousStore().save(scratch["a.md"])
    }
    #expect(try drawing(of: scratch) == ["●", "●", "●"])
  }

  @Test func `what was made from one version forks, and a resolution joins`() throws {
    let scratch = try ScratchFolder()
    let store = SynchronousStore()
    try scratch.write("1", to: "a.md")
    let base = try store.save(scratch["a.md"]).version
    try scratch.write("2", to: "a.md")
    _ = try store.save(scratch["a.md"])
    try scratch.write("3", to: "a.md")
    let other = try store.save(scratch["a.md"], base: base).version
    let isCurrent = try store.history(of: scratch["a.md"]).current == other
    #expect(
      try drawing(of: scratch)
        == (isCurrent ? ["●", "│ ◇", "├─╯", "●"] : ["  ◇", "● │", "├─╯", "●"]))
    let open = try store.history(of: scratch["a.md"]).unresolvedConflicts
    _ = try store.markResolved(open, of: scratch["a.md"])
    let joined = try drawing(of: scratch)
    #expect(joined.prefix(2) == ["●", "├─╮"])
    #expect(joined.suffix(2) == ["├─╯", "●"])
  }

  @Test func `what is said below a version stands beside the lines that go on`() throws {
    let scratch = try ScratchFolder()
    let store = SynchronousStore()
    try scratch.write("1", to: "a.md")
    let base = try store.save(scratch["a.md"]).version
    for text in ["2", "3"] {
      try scratch.write(text, to: "a.md")
      _ = try store.save(scratch["a.md"], base: base)
    }
    let open = try store.history(of: scratch["a.md"]).unresolvedConflicts
    _ = try store.markResolved(open, of: scratch["a.md"])
    let history = try store.history(of: scratch["a.md"])
    var graph = VersionGraph(history)
    let below = history.versions.map { graph.next($0).below }
    #expect([below.first, below.last] == ["│ │", ""])
  }

  private func drawing(of scratch: ScratchFolder) throws -> [String] {
    let history = try SynchronousStore().history(of: scratch["a.md"])
    var graph = VersionGraph(history)
    return history.versions.flatMap { version in
      let row = graph.next(version)
      return [row.joins, row.node, row.forks].compactMap { $0 }
    }
  }
}
