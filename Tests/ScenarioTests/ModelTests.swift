import DocumentTestSupport
import Foundation
import Testing

/// Random stories on several devices: no version is lost, none comes back, and all devices agree in the end.
@Suite(.blocks)
struct ModelTests {
  static let seeds = TestMode.stories(short: 4, full: 50)

  /// The means by which the devices of a story exchange.
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
