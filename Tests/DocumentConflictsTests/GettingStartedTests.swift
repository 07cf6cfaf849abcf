import DocumentTestSupport
import DocumentVersions
import Foundation
import Testing

/// The code of the article “Getting started”, compiled and run.
///
/// Another test holds the two together.
@Suite("Getting started")
struct GettingStartedTests {
  private func log(_ values: Any...) {}

  @Test("The article’s code runs")
  func article() async throws {
    let scratch = try ScratchFolder()
    let (folder, shared) = (scratch["notes"], scratch["shared"])
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)

    let store = VersionStore(identity: Identity(author: "Mira", device: "mira-laptop"))
    let document = folder.appending(path: "trip.md")

    try Data("Tent\n".utf8).write(to: document)
    let first = try await store.save(document, note: "first list").version

    try Data("Tent\nStove\n".utf8).write(to: document)
    try await store.save(document)

    for version in try await store.history(of: document).versions {
      log(version.modificationDate, version.author, version.savingDevice, version.size)
    }
    try await first.replaceItem(at: document)
    #expect(try Data(contentsOf: document) == Data("Tent\n".utf8))

    try await store.exchange(folder, through: shared)

    for version in try await FileVersion.unresolvedConflicts(of: document, store: store) ?? [] {
      log(version.modificationDate, version.savingDevice, version.isResolved)
    }

    let resolver = ConflictResolver(
      .merge(
        else: .ask { question in
          let newest = question.versions.max { $0.modificationDate < $1.modificationDate }
          return newest.map { .keep($0.id) } ?? .skip
        }), store: store)

    switch try await resolver.resolve(document) {
    case .resolved(let resolution): log(resolution.version.id, resolution.reason)
    case .unresolved(let questions, _): log(questions.map(\.explanation))
    case .noConflict: log("nothing to do")
    }
  }
}
