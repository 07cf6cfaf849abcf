import DocumentTestSupport
import DocumentVersions
import Foundation
import Synchronization
import Testing

/// Stock git that tidies up a store while processes save into it and read from it.
@Suite("Stock git beside writers", .serialized, .blocks)
struct StockGitRaceTests {
  /// Commands that a person or a scheduled job may run in a store at any time.
  enum Tidying: String, CaseIterable, CustomTestStringConvertible {
    case collect = "gc --quiet"
    case collectAtOnce = "gc --quiet --prune=now"
    case packReferences = "pack-refs --all"
    case repack = "repack -a -d -q"

    var testDescription: String { "git \(rawValue)" }
  }

  @Test("No save is refused and none is lost", arguments: Tidying.allCases)
  func tidying(_ command: Tidying) throws {
    let desk = try RaceDesk()
    try desk.save(as: 0, since: desk.write(0, 0))
    let complaints = Mutex<[String]>([])
    let failedReads = Mutex<[String]>([])
    let git = BackgroundLoop { _ in
      let end = try Self.git(command.rawValue, in: desk.store)
      if end.exitCode != 0 { complaints.withLock { $0.append(end.errorOutput) } }
      return true
    }
    let reader = BackgroundLoop { round in
      let line = round % 2 == 0 ? ["log", desk.document.path] : ["show", desk.document.path]
      let end = try desk.start(line).wait()
      if end.exitCode != 0 { failedReads.withLock { $0.append("\(line[0]): \(end.errorOutput)") } }
      return true
    }
    try desk.race(writers: 3, saves: TestMode.pick(short: 6, full: 40))
    let rounds = try git.stop(after: 3)
    try reader.stop()
    print(
      "git \(command.rawValue): \(rounds) times beside 3 writers; it complained",
      "\(complaints.withLock { $0.count }) times",
      complaints.withLock { $0.last.map { "(\($0))" } ?? "" })
    #expect(failedReads.withLock { $0 } == [])
    try desk.expectNothingLost()
  }

  private static func git(_ line: String, in store: URL) throws -> Command.Result {
    try Command.run(
      "git", ["-C", store.path] + line.split(separator: " ").map(String.init),
      environment: [
        "GIT_CONFIG_COUNT": "1", "GIT_CONFIG_KEY_0": "safe.directory", "GIT_CONFIG_VALUE_0": "*",
        "GIT_CONFIG_NOSYSTEM": "1",
      ])
  }
}
