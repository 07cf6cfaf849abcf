import DocumentTestSupport
import Foundation
import Testing

/// Random stories on several devices: no version is lost, none comes back, and all come to agree.
@Suite(.blocks)
struct ModelTests {
  /// A seed is one story; `DOCVERSIONS_MODEL_SEEDS=1000` plays more, and
  /// `DOCVERSIONS_MODEL_FIRST_SEED` begins elsewhere.
  static let seeds: Range<Int> = {
    let environment = ProcessInfo.processInfo.environment
    let first = environment["DOCVERSIONS_MODEL_FIRST_SEED"].flatMap(Int.init) ?? 0
    return first..<(first + (environment["DOCVERSIONS_MODEL_SEEDS"].flatMap(Int.init) ?? 8))
  }()

  /// Where the devices of a story meet.
  enum Meeting: CaseIterable {
    case folder, server
  }

  @Test(arguments: seeds, Meeting.allCases)
  func storesAreAsTheModelSays(seed: Int, meeting: Meeting) async throws {
    let server = meeting == .server ? try GitServer(.git) : nil
    try server?.makeRepository("docs")
    var story = try RandomStory(seed: seed, server: server)
    do {
      try await story.play(steps: 30)
    } catch {
      let steps = story.world.story.joined(separator: "\n")
      Issue.record("seed \(seed): \(error)\nThe story:\n\(steps)")
    }
  }
}
