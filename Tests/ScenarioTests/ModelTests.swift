import Foundation
import Testing

/// Random stories on several devices: no version is lost, none comes back, and all come to agree.
struct ModelTests {
  /// A seed is one story; `DOCVERSIONS_MODEL_SEEDS=1000` plays more, and
  /// `DOCVERSIONS_MODEL_FIRST_SEED` begins elsewhere.
  static let seeds: Range<Int> = {
    let environment = ProcessInfo.processInfo.environment
    let first = environment["DOCVERSIONS_MODEL_FIRST_SEED"].flatMap(Int.init) ?? 0
    return first..<(first + (environment["DOCVERSIONS_MODEL_SEEDS"].flatMap(Int.init) ?? 8))
  }()

  @Test(arguments: seeds)
  func storesAreAsTheModelSays(seed: Int) async throws {
    var story = try RandomStory(seed: seed)
    do {
      try await story.play(steps: 30)
    } catch {
      let steps = story.world.story.joined(separator: "\n")
      Issue.record("seed \(seed): \(error)\nThe story:\n\(steps)")
    }
  }
}
