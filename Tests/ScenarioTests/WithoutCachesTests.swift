import DocumentScenarios
import DocumentTestSupport
import DocumentVersions
import Foundation
import Testing

/// A scenario ends as stated even if all caches are deleted after every step, which changes no answer.
///
/// In the short mode, every third one is played, each of which is also played with caches.
@Suite(.blocks)
struct WithoutCachesTests {
  @Test(arguments: TestMode.some(of: Fixtures.names, atMost: 36))
  func passesWithoutCaches(_ name: String) async throws {
    let scenario = try Scenario(folder: Fixtures.folder.appending(path: name))
    let scratch = try ScratchFolder(isInMemory: true)
    var runner = ScenarioRunner(scratch: scratch.url) { moment in
      for container in moment.containers where try !answersAlike(container) {
        return "without caches \(container.lastPathComponent) answers otherwise"
      }
      return nil
    }
    runner.stepEnded = { containers in
      for container in containers { try CacheFiles.delete(in: container) }
    }
    let report = try await runner.run(scenario)
    for step in report.steps {
      #expect(step.verdict == .passed, "\(name):\(step.line): \(step.text)")
    }
  }

  /// Returns whether a container gives the same answers without caches as with them.
  ///
  /// An app that has a document open may save it between the two answers, but not time and again.
  private func answersAlike(_ container: URL) throws -> Bool {
    for _ in 0..<3 {
      let before = try Answers(of: container)
      try CacheFiles.delete(in: container)
      if try Answers(of: container) == before { return true }
    }
    return false
  }

  /// The answers of a container.
  private struct Answers: Equatable {
    var versions: [[String]] = []
    var states: [EditState] = []
    var conflicts: [URL] = []

    init(of container: URL) throws {
      let store = SynchronousStore()
      for document in try store.documents(below: container) ?? [] {
        let history = try store.history(of: document)
        versions.append(
          history.versions.map { version in
            """
            \(version.id) \(version.kind.rawValue) \(version.path) \(version.size) \
            \(version.fileCount) \(version.savingDate) \(version.modificationDate) \
            \(version.isCurrent) \(version.isConflict) \(version.isResolved) \
            \(version.hasLocalContents) \(version.isPinned) \(version.parents) \
            \(version.note ?? "")
            """
          })
        states.append(try store.state(of: document))
      }
      conflicts = try store.documentsInConflict(below: container) ?? []
    }
  }

  @Test func thereAreCachesToDelete() throws {
    let scratch = try ScratchFolder()
    let container = scratch["mira"]
    let document = try scratch.write("one\n", to: "mira/a.md")
    let package = container.appending(path: "Trip.imagenotes")
    try scratch.write("a page\n", to: "mira/Trip.imagenotes/page.txt")
    let store = SynchronousStore()
    for item in [document, package] {
      try store.save(item)
      _ = try store.history(of: item)
    }
    #expect(try CacheFiles.delete(in: container) > 0)
    #expect(try CacheFiles.delete(in: container) == 0)
    #expect(try store.history(of: document).count == 1)
  }
}
