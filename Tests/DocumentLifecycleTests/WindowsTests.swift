import DocumentTestSupport
import DocumentVersions
import Foundation
import Testing

/// Several windows and programs edit one document at the same time.
///
/// Each of them only adds lines at its own place, so no version may lack a line of a version that it follows.
@Suite("Several windows with one document")
@MainActor
struct WindowsTests {
  @Test(
    "No window takes back a line that another window or program wrote",
    arguments: TestMode.stories(short: 12, full: 1_000))
  func story(seed: Int) async throws {
    try await WindowStory(seed: seed).play()
  }
}

/// A random story of windows and other programs.
@MainActor
private final class WindowStory {
  private let desk: Desk
  private let windows: [Note]
  private var random: SeededGenerator
  private var lines: [String] = []
  private var running: [Task<Void, any Error>] = []

  /// The heading below which the windows and both other programs write.
  private static let places = ["first", "second", "third", "coordinated", "uncoordinated"]

  init(seed: Int) async throws {
    random = SeededGenerator(seed: seed)
    let desk = try Desk(Self.places.map { "# \($0)\n\nText of \($0).\n" }.joined(separator: "\n"))
    self.desk = desk
    windows = Self.places.prefix(Int.random(in: 2...3, using: &random)).map {
      var environment = desk.environment
      environment.store = VersionStore(identity: Identity(author: $0, device: $0))
      return Note(fileURL: desk.url, environment: environment)
    }
    for window in windows { try await window.open() }
    if Bool.random(using: &random) { try await windows[0].save() }
  }

  func play() async throws {
    for _ in 1...Int.random(in: 10...40, using: &random) { try await step() }
    for task in running { try await task.value }
    for window in windows { try await window.close() }
    try await desk.store.save(desk.url)
    try await verify()
    _ = try await ConflictResolver(.merge, store: desk.store).resolve(desk.url)
    try await verify()
  }

  private func step() async throws {
    let number = Int.random(in: windows.indices, using: &random)
    let window = windows[number]
    switch Int.random(in: 0..<16, using: &random) {
    case 0..<4:
      window.type(text(window.text, at: Self.places[number]))
      window.undoManager?.endEvent()
    case 4..<7: run { await window.autosave() }
    case 7: run { try await window.save() }
    case 8: run { await window.check() }
    case 9:
      let text = { @MainActor in try self.text(self.desk.text, at: "coordinated") }
      let url = desk.url
      run {
        try await FileCoordinator(patience: .generous).coordinate(writingItemAt: url) {
          try Data(try await text().utf8).write(to: $0, options: .atomic)
        }
      }
    case 10:
      // Without coordination, a program that reads the file before a window replaces it, and writes it afterward, takes
      // back what the window wrote.
      for task in running { try await task.value }
      for window in windows { await window.settle() }
      try desk.write(text(desk.text, at: "uncoordinated"))
    case 11:
      run {
        do { try await window.resolve(.merge) } catch let error as VersionError {
          guard [.changedMeanwhile, .noVersions].contains(error.code) else { throw error }
        }
      }
    case 12: desk.clock.advance(.seconds(Int.random(in: 1...5, using: &random)))
    default: for _ in 0..<Int.random(in: 1...30, using: &random) { await Task.yield() }
    }
  }

  private func run<Result: Sendable>(_ work: @escaping @MainActor () async throws -> Result) {
    running.append(Task { _ = try await work() })
  }

  /// Returns a text with a new line at a place.
  private func text(_ text: String, at place: String) -> String {
    let line = "\(place) \(lines.count)"
    lines.append(line)
    return text.replacing("Text of \(place).\n", with: "Text of \(place).\n\(line)\n")
  }

  /// Verifies that the newest versions have all lines together, and that each version has all lines of its parents.
  private func verify() async throws {
    var texts: [FileVersion.PersistentIdentifier: Set<Substring>] = [:]
    let versions = try await desk.versions
    for version in versions {
      texts[version.id] = Set(
        String(decoding: try await version.contents(), as: UTF8.self).split(separator: "\n"))
    }
    for version in versions {
      for parent in version.parents {
        let lost = try #require(texts[parent]).subtracting(try #require(texts[version.id]))
        #expect(lost.isEmpty, "\(version.id) by \(version.author) takes back \(lost.sorted())")
      }
    }
    let former = Set(versions.flatMap(\.parents))
    let present = versions.map(\.id).filter { !former.contains($0) }.compactMap { texts[$0] }
    let lost = Set(lines.map { $0[...] }).subtracting(present.flatMap { $0 })
    #expect(lost.isEmpty, "lost: \(lost.sorted())")
  }
}
