import DocumentTestSupport
import DocumentVersions
import Foundation
import Testing

/// The Swift code of the article “Getting started in Swift” and of the README, compiled and run.
@Suite("Getting started in Swift")
struct GettingStartedTests {
  private func log(_ values: Any...) {}

  @Test("The article’s code runs, from nothing to a resolved conflict")
  func article() async throws {
    let scratch = try ScratchFolder()
    let (folder, shared, phoneFolder) = (scratch["notes"], scratch["shared"], scratch["phone"])
    for folder in [folder, phoneFolder] {
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }

    let store = VersionStore(identity: Identity(author: "Mira", device: "mira-laptop"))
    let document = folder.appending(path: "trip.md")

    try Data("Tent\nStove\n".utf8).write(to: document)
    let first = try await store.save(document, note: "first list").version

    try Data("Tent\nStove\nRope\n".utf8).write(to: document)
    try await store.save(document)

    for version in try await store.history(of: document).versions {
      log(version.modificationDate, version.author, version.savingDevice, version.size)
    }
    try await first.replaceItem(at: document)
    #expect(try Data(contentsOf: document) == Data("Tent\nStove\n".utf8))

    try await store.exchange(folder, through: shared)

    let phone = VersionStore(identity: Identity(author: "Tom", device: "toms-phone"))
    try await phone.exchange(phoneFolder, through: shared)

    let onPhone = phoneFolder.appending(path: "trip.md")
    try Data("Tent\nStove\nSleeping bags\n".utf8).write(to: onPhone)
    try await phone.save(onPhone)
    try await phone.exchange(phoneFolder, through: shared)

    try Data("Tent for 3\nStove\n".utf8).write(to: document)
    try await store.save(document)
    try await store.exchange(folder, through: shared)
    #expect(try await FileVersion.unresolvedConflicts(of: document, store: store)?.count == 1)

    for version in try await FileVersion.unresolvedConflicts(of: document, store: store) ?? [] {
      log(version.modificationDate, version.savingDevice, version.isResolved)
    }

    let resolver = ConflictResolver(
      .merge(
        else: .ask { question in
          let newest = question.conflict.versions.max { $0.modificationDate < $1.modificationDate }
          return newest.map { .keep($0.id) } ?? .skip
        }), store: store)

    switch try await resolver.resolve(document) {
    case .resolved(let resolution): log(resolution.version.id, resolution.reason)
    case .unresolved(let questions, _): log(questions.map(\.explanation))
    case .noConflict: log("nothing to do")
    }
    #expect(try await FileVersion.unresolvedConflicts(of: document, store: store)?.isEmpty == true)
    #expect(try Data(contentsOf: document) == Data("Tent for 3\nStove\nSleeping bags\n".utf8))
  }

  @Test("The README’s code runs")
  func readme() async throws {
    let scratch = try ScratchFolder()
    let (notes, shared) = (scratch["notes"], scratch["shared"])
    try scratch.write("Tent\n", to: "notes/trip.md")
    try scratch.write("Day one\n", to: "notes/Trip.imagenotes/Text.txt")
    let (trip, package) = (notes.appending(path: "trip.md"), scratch["notes/Trip.imagenotes"])
    let text = Data("Day two\n".utf8)

    let store = VersionStore()
    try await store.save(trip, note: "first plan")
    try await store.exchange(notes, through: shared)

    for version in try await FileVersion.unresolvedConflicts(of: trip, store: store) ?? [] {
      log(version.modificationDate, version.author, version.savingDevice)
    }
    do {
      let outcome = try await ConflictResolver(.merge(else: .latest), store: store).resolve(trip)
      #expect(outcome.isNoConflict)
    }

    @Sendable func choose(among clashes: [ConflictClash]) async -> [ConflictClash.ID: MergeAnswer] {
      Dictionary(uniqueKeysWithValues: clashes.map { ($0.id, .ours) })
    }
    let outcome = try await ConflictResolver(
      .merge(
        else: .ask { question in
          .answer(await choose(among: question.proposal.clashes))
        }), store: store
    ).resolve(trip)
    #expect(outcome.isNoConflict)

    let wrapper = try DocumentWrapper(url: package)
    try wrapper.replaceChild(
      forKey: "Text.txt", with: DocumentWrapper(regularFileWithContents: text))
    try wrapper.write(
      to: package, options: [.atomic, .withNameUpdating], originalContentsURL: package)
    #expect(try scratch.read("notes/Trip.imagenotes/Text.txt") == "Day two\n")
  }
}

extension ResolutionOutcome {
  /// True if there was nothing to resolve.
  fileprivate var isNoConflict: Bool {
    if case .noConflict = self { true } else { false }
  }
}
