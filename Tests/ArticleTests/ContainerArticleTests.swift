import DocumentProgress
import DocumentTestSupport
import DocumentVersions
import Foundation
import Testing

/// The code of the articles about containers, queries, settings, coordination, merging and progress, compiled and run.
@Suite("Articles about containers and what is in them")
@MainActor
struct ContainerArticleTests {
  private func log(_ values: Any...) {}

  @Test("Containers of apps")
  func containers() async throws {
    let scratch = try ScratchFolder()
    let dataFolder = scratch.url
    let containers = UbiquityContainers(in: dataFolder, defaultIdentifier: "org.example.notes")
    let container = try await containers.url(forUbiquityContainerIdentifier: nil)
    do {
      let documents = container.appending(path: "Documents")
      let notes = DocumentQuery(.like(\.name, "*.md"), in: [documents])
      try Data("Tent\n".utf8).write(to: documents.appending(path: "trip.md"))
      #expect(try await notes.results().map(\.name) == ["trip.md"])
    }
    do {
      let notes = DocumentQuery(.like(\.name, "*.md"), in: [.documents], of: container)
      #expect(try await notes.results().map(\.name) == ["trip.md"])
    }

    let store = VersionStore()
    let archivedToken: UbiquityIdentityToken? = nil
    var timesAsked = 0
    func askWhatToSync() { timesAsked += 1 }
    let watching = Task {
      for try await token in store.ubiquityIdentityTokens(of: container) {
        if token != archivedToken { askWhatToSync() }
      }
    }
    try await store.addRemote(
      Remote(name: "origin", address: scratch["shared"].absoluteString), to: container)
    #expect(try await comesTrue { timesAsked == 1 })
    watching.cancel()
    _ = await watching.result
  }

  /// A list on the screen.
  private final class List {
    var items: [DocumentMetadata] = []
    func show(_ new: [DocumentMetadata]) { items = new }
  }

  @Test("Finding documents")
  func finding() async throws {
    let scratch = try ScratchFolder()
    let notes = scratch["notes"]
    try scratch.write("Tent\n", to: "notes/trip.txt")
    try scratch.write("", to: "notes/empty.txt")
    let list = List()
    let showing = Task {
      let query = DocumentQuery(
        .like(\.name, "*.txt") && \.size > 0, in: [notes],
        sortedBy: [DocumentSortDescriptor(\.contentChangeDate, ascending: false)])
      var items: [DocumentMetadata] = []
      for try await update in query.updates() {
        query.apply(update, to: &items)
        list.show(items)
      }
    }
    #expect(try await comesTrue { list.items.map(\.name) == ["trip.txt"] })
    showing.cancel()
    _ = await showing.result
  }

  @Test("Settings")
  func settings() async throws {
    let scratch = try ScratchFolder()
    let containers = UbiquityContainers(in: scratch.url, defaultIdentifier: "org.example.notes")
    let container = try await containers.url(forUbiquityContainerIdentifier: nil)
    func apply(_ keys: [String], _ reason: KeyValueStore.ChangeReason) {}

    let settings = try await KeyValueStore(in: container)
    try settings.set(14, forKey: "fontSize")
    let size = settings.integer(forKey: "fontSize") ?? 12
    let applying = Task {
      for await change in settings.changes() { apply(change.keys, change.reason) }
    }
    #expect(size == 14)
    applying.cancel()
    await applying.value
  }

  /// An object that shows a document, and saves its changes when others ask for that.
  private final class Editor: FilePresenter {
    let url: URL
    let data = Data("edited".utf8)

    init(url: URL) { self.url = url }

    var presentedItemURL: URL? { url }

    func savePresentedItemChanges() async throws {
      try await FileCoordinator(filePresenter: self).coordinate(writingItemAt: url) {
        try data.write(to: $0)
      }
    }
  }

  @Test("Coordination")
  func coordination() async throws {
    let scratch = try ScratchFolder()
    let url = try scratch.write("old", to: "note.md")
    let target = scratch["moved.md"]

    try await FileCoordinator().coordinate(writingItemAt: url, options: .forMerging) { url in
      try Data("new".utf8).write(to: url)
    }
    #expect(try scratch.read("note.md") == "new")

    let coordinator = FileCoordinator()
    try await coordinator.coordinate(
      writingItemAt: url, options: .forMoving, writingItemAt: target, options: .forReplacing
    ) { url, target in
      try FileManager.default.moveItem(at: url, to: target)
      try coordinator.item(at: url, didMoveTo: target)
    }
    let editor = Editor(url: target)
    try await editor.savePresentedItemChanges()
    #expect(try scratch.read("moved.md") == "edited")
  }

  @Test("Answers to the questions of a merge")
  func answers() async throws {
    let scratch = try ScratchFolder()
    let devices = ["mira", "tom"].map { name in
      (VersionStore(identity: Identity(author: name, device: name)), scratch[name])
    }
    let document = try scratch.write("{\"color\": \"red\"}\n", to: "mira/note.json")
    try await devices[0].0.save(document)
    try FileManager.default.createDirectory(at: scratch["tom"], withIntermediateDirectories: true)
    for (color, (store, folder)) in zip(["blue", "green"], devices) {
      try await store.exchange(folder, through: scratch["shared"])
      let note = folder.appending(path: "note.json")
      try Data("{\"color\": \"\(color)\"}\n".utf8).write(to: note)
      try await store.save(note)
    }
    for (store, folder) in devices.reversed() {
      try await store.exchange(folder, through: scratch["shared"])
    }

    let resolver =
      ConflictResolver(
        .merge(
          else: .ask { question in
            .answer(
              Dictionary(uniqueKeysWithValues: question.proposal.clashes.map { ($0.id, .theirs) }))
          }))
    guard case .resolved(let resolution) = try await resolver.resolve(document) else {
      Issue.record("the conflict is not resolved")
      return
    }
    #expect(resolution.decisions.contains { $0.kind == .clash } == false)
  }

  @Test("Progress")
  func progress() async throws {
    let scratch = try ScratchFolder()
    let document = try scratch.write("Tent\n", to: "trip.md")
    var store = VersionStore()
    let progress = Progress(totalUnitCount: 0)
    store.progress = OperationProgress(reportingTo: progress)
    try await store.save(document)
    #expect(progress.isFinished)
  }
}
