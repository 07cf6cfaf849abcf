import DocumentTestSupport
import DocumentVersions
import Foundation
import Synchronization
import Testing

/// Accesses and presenters in one process.
@Suite("Coordinated accesses")
struct CoordinatorTests {
  private let scratch: ScratchFolder
  private let note: URL
  private let map: URL

  init() throws {
    scratch = try ScratchFolder()
    note = try scratch.write("a tent", to: "desk/Note.md")
    map = try scratch.write("a map", to: "desk/Map.md")
  }

  private func impatient(_ presenter: (any FilePresenter)? = nil, purpose: String? = nil)
    -> FileCoordinator
  {
    FileCoordinator(
      filePresenter: presenter, purposeIdentifier: purpose, patience: .milliseconds(100))
  }

  /// A patient coordinator, because other tests may use the same processors.
  private var patient: FileCoordinator { FileCoordinator(patience: .seconds(900)) }

  private func code(_ body: () async throws -> Void) async throws -> CoordinationError.Code? {
    do {
      try await body()
      return nil
    } catch let error as CoordinationError {
      return error.code
    }
  }

  /// Returns the code of accesses in a separate task, because they would be refused inside this one.
  private func codeElsewhere(
    _ body: @escaping @Sendable () async throws -> Void
  ) async throws -> CoordinationError.Code? {
    try await Task.detached { [self] () async throws -> CoordinationError.Code? in
      try await code(body)
    }.value
  }

  // MARK: Results and errors

  @Test("An accessor’s result and its error come back")
  func results() async throws {
    let text = try await patient.coordinate(readingItemAt: note) {
      try String(contentsOf: $0, encoding: .utf8)
    }
    #expect(text == "a tent")
    await #expect(throws: CocoaError.self) {
      try await patient.coordinate(writingItemAt: note) { _ in
        throw CocoaError(.fileWriteOutOfSpace)
      }
    }
    // It is free again.
    try await impatient().coordinate(writingItemAt: note) { _ in }
  }

  @Test(
    "What is no file is refused with a typed error",
    arguments: ["https://example.org/a", "data:,a"])
  func noFile(address: String) async throws {
    let url = try #require(URL(string: address))
    let code = try await code {
      try await patient.coordinate(readingItemAt: url) { _ in _ = Issue.record("was read")
      }
    }
    #expect(code == .notAFile)
  }

  @Test("Two ways of writing at once are refused")
  func options() async throws {
    let code = try await code {
      try await patient.coordinate(
        writingItemAt: note, options: [.forMoving, .forDeleting]
      ) { _ in _ = Issue.record("was written") }
    }
    #expect(code == .invalidOptions)
  }

  @Test("An item that is not there yet is written, and one in a folder that is not is an error")
  func missing() async throws {
    try await patient.coordinate(writingItemAt: scratch["desk/New.md"]) {
      try Data("new".utf8).write(to: $0)
    }
    #expect(try scratch.read("desk/New.md") == "new")
    await #expect(throws: FileError.self) {
      try await patient.coordinate(writingItemAt: scratch["none/New.md"]) { _ in }
    }
  }

  // MARK: Who waits for whom

  @Test(
    "Readers do not wait for readers, and writers for all", arguments: [true, false], [true, false])
  func pairs(isFirstWrite: Bool, isSecondWrite: Bool) async throws {
    func access(
      _ isWrite: Bool, _ body: @concurrent @Sendable (URL) async throws -> Void
    ) async throws {
      if isWrite {
        try await impatient().coordinate(writingItemAt: note, byAccessor: body)
      } else {
        try await impatient().coordinate(readingItemAt: note, byAccessor: body)
      }
    }
    try await access(isFirstWrite) { _ in
      let code = try await codeElsewhere { [self] in
        if isSecondWrite {
          try await impatient().coordinate(writingItemAt: note) { _ in }
        } else {
          try await impatient().coordinate(readingItemAt: note) { _ in }
        }
      }
      #expect(code == (isFirstWrite || isSecondWrite ? .busy : nil))
    }
  }

  @Test("What is in a package counts as the package")
  func package() async throws {
    try scratch.write("page", to: "desk/Trip.textbundle/text.md")
    let package = scratch["desk/Trip.textbundle"]
    _ = try await impatient().coordinate(writingItemAt: package) { _ in
      let code = try await codeElsewhere { [self] in
        try await impatient().coordinate(
          readingItemAt: scratch["desk/Trip.textbundle/text.md"]
        ) { _ in }
      }
      #expect(code == .busy)
    }
    let seen = try await impatient().coordinate(
      readingItemAt: scratch["desk/Trip.textbundle/text.md"]
    ) { $0.lastPathComponent }
    #expect(seen == "text.md")
  }

  @Test(
    "A plain folder and what is in it are independent, and one that is moved is not",
    arguments: [false, true])
  func folders(isMoved: Bool) async throws {
    try await impatient().coordinate(
      writingItemAt: scratch["desk"], options: isMoved ? .forMoving : []
    ) { _ in
      let code = try await codeElsewhere { [self] in
        try await impatient().coordinate(readingItemAt: note) { _ in }
      }
      #expect(code == (isMoved ? .busy : nil))
    }
  }

  @Test("Coordinators with one purpose do not wait for each other, those with another do")
  func purposes() async throws {
    try await impatient(purpose: "backup").coordinate(writingItemAt: note) { _ in
      let codes = [
        try await codeElsewhere { [self] in
          try await impatient(purpose: "backup").coordinate(writingItemAt: note) { _ in }
        },
        try await codeElsewhere { [self] in
          try await impatient(purpose: "export").coordinate(writingItemAt: note) { _ in }
        },
      ]
      #expect(codes == [nil, .busy])
    }
  }

  // MARK: Nesting

  @Test("A write inside a write is refused at once, and a read inside a write is not")
  func nesting() async throws {
    let coordinator = impatient()
    try await coordinator.coordinate(writingItemAt: note) { _ in
      try await coordinator.coordinate(readingItemAt: note) { _ in }
      #expect(
        try await code { try await coordinator.coordinate(writingItemAt: map) { _ in } }
          == .wouldDeadlock)
      #expect(
        try await code { try await impatient().coordinate(readingItemAt: note) { _ in } }
          == .wouldDeadlock)
      try await impatient().coordinate(readingItemAt: map) { _ in }
    }
    try await coordinator.coordinate(writingItemAt: note, writingItemAt: map) { note, _ in
      try await coordinator.coordinate(writingItemAt: note) { _ in }
    }
  }

  @Test("Accesses to the same two items in either order do not wait in a circle")
  func twoItems() async throws {
    try await withThrowingTaskGroup(of: Void.self) { group in
      for number in 0..<20 {
        let (first, second) = number.isMultiple(of: 2) ? (note, map) : (map, note)
        group.addTask {
          try await FileCoordinator(patience: .seconds(900)).coordinate(
            writingItemAt: first, writingItemAt: second
          ) { first, second in
            let texts = try [first, second].map { try Data(contentsOf: $0) }
            try texts[0].write(to: second)
            try texts[1].write(to: first)
          }
        }
      }
      try await group.waitForAll()
    }
    #expect(
      Set([try scratch.read("desk/Note.md"), try scratch.read("desk/Map.md")]) == [
        "a tent", "a map",
      ])
  }

  // MARK: Cancelling

  @Test("A coordinator that is cancelled fails what waits and what comes later, and what runs ends")
  func cancelling() async throws {
    let coordinator = FileCoordinator(patience: .seconds(900))
    try await patient.coordinate(writingItemAt: note) { _ in
      let waiting = Task.detached { [self] () async throws -> CoordinationError.Code? in
        try await code { try await coordinator.coordinate(writingItemAt: note) { _ in } }
      }
      letPass(.milliseconds(20), because: "waiting gives no sign")
      coordinator.cancel()
      let found = try await waiting.value
      #expect(found == .cancelled)
    }
    #expect(
      try await code { try await coordinator.coordinate(readingItemAt: note) { _ in } }
        == .cancelled)
  }

  @Test("A task that is cancelled waits no longer")
  func cancelledTask() async throws {
    try await patient.coordinate(writingItemAt: note) { _ in
      let waiting = Task.detached { [self] in
        try await FileCoordinator(patience: .seconds(900)).coordinate(writingItemAt: note) { _ in }
      }
      letPass(.milliseconds(20), because: "waiting gives no sign")
      waiting.cancel()
      await #expect(throws: CancellationError.self) { try await waiting.value }
    }
  }

  // MARK: Options of reading

  @Test("A copy for uploading may be read while others write, and goes afterwards")
  func uploading() async throws {
    let copy = try await patient.coordinate(readingItemAt: note, options: .forUploading) {
      copy in
      try await patient.coordinate(writingItemAt: note) {
        try Data("a stove".utf8).write(to: $0)
      }
      #expect(try String(contentsOf: copy, encoding: .utf8) == "a tent")
      return copy
    }
    #expect(!FileManager.default.fileExists(atPath: copy.path))
  }

  @Test("A symbolic link is followed where that is asked for")
  func links() async throws {
    let link = scratch["desk/Link.md"]
    try FileManager.default.createSymbolicLink(at: link, withDestinationURL: note)
    let places = [
      try await patient.coordinate(readingItemAt: link) { $0.lastPathComponent },
      try await patient.coordinate(readingItemAt: link, options: .resolvesSymbolicLink) {
        $0.lastPathComponent
      },
    ]
    #expect(places == ["Link.md", "Note.md"])
  }

  @Test("Metadata alone is read without waiting")
  func metadata() async throws {
    try await patient.coordinate(writingItemAt: note) { _ in
      let isThere = try await Task.detached { [self] in
        try await impatient().coordinate(
          readingItemAt: note, options: .immediatelyAvailableMetadataOnly
        ) { FileManager.default.fileExists(atPath: $0.path) }
      }.value
      #expect(isThere)
    }
  }

  // MARK: Presenters

  @Test("A presenter hears nothing of its own accesses, and another one of the process does")
  func ownAccess() async throws {
    let (own, other) = (Recorder(note), Recorder(note))
    try await FileCoordinator.addFilePresenter(own)
    try await FileCoordinator.addFilePresenter(other)
    try await FileCoordinator(filePresenter: own, patience: .seconds(900)).coordinate(
      writingItemAt: note
    ) {
      try Data("a stove".utf8).write(to: $0)
    }
    let isNoted = try await comesTrue { await other.messages.last == "changed" }
    #expect(isNoted)
    let (heard, otherHeard) = (await own.messages, await other.messages)
    #expect(heard.isEmpty)
    #expect(otherHeard == ["relinquish to writer", "reacquire", "changed"])
    await FileCoordinator.removeFilePresenter(own)
    await FileCoordinator.removeFilePresenter(other)
  }

  @Test("A refusal has the presenter’s error as its cause, and is no change of the item")
  func refusal() async throws {
    let recorder = Recorder(note)
    await recorder.refuse(CocoaError(.fileWriteNoPermission))
    try await FileCoordinator.addFilePresenter(recorder)
    let error = await #expect(throws: CoordinationError.self) {
      try await patient.coordinate(writingItemAt: note, options: .forDeleting) { _ in }
    }
    #expect(error?.code == .refused)
    #expect((error?.cause as? CocoaError)?.code == .fileWriteNoPermission)
    #expect(try await comesTrue { await recorder.messages.contains("reacquire") })
    try await patient.coordinate(writingItemAt: note) { try Data("a stove".utf8).write(to: $0) }
    #expect(try await comesTrue { await recorder.messages.last == "changed" })
    let messages = await recorder.messages
    let access = ["relinquish to writer", "reacquire"]
    #expect(messages == access + access + ["changed"])
    await FileCoordinator.removeFilePresenter(recorder)
  }

  @Test("Only readers that want changes, and writers that merge, ask for saving")
  func saving() async throws {
    let recorder = Recorder(note)
    try await FileCoordinator.addFilePresenter(recorder)
    try await patient.coordinate(readingItemAt: note) { _ in }
    try await patient.coordinate(readingItemAt: note, options: .withoutChanges) { _ in }
    try await patient.coordinate(writingItemAt: note) { _ in }
    try await patient.coordinate(writingItemAt: note, options: .forMerging) { _ in }
    let saves = await recorder.messages.count { $0 == "save" }
    #expect(saves == 2)
    await FileCoordinator.removeFilePresenter(recorder)
    let before = await recorder.messages.count { $0.hasPrefix("relinquish") }
    try await patient.coordinate(writingItemAt: note) { _ in }
    let after = await recorder.messages.count { $0.hasPrefix("relinquish") }
    #expect(after == before)
  }

  @Test("A presenter of a folder is notified of what happens inside, at any depth")
  func folderPresenter() async throws {
    let recorder = Recorder(scratch.url)
    try await FileCoordinator.addFilePresenter(recorder)
    try await patient.coordinate(writingItemAt: scratch["desk/New.md"]) {
      try Data("new".utf8).write(to: $0)
    }
    let coordinator = patient
    try await coordinator.coordinate(
      writingItemAt: note, options: .forMoving, writingItemAt: scratch["desk/Old.md"],
      options: .forReplacing
    ) { note, old in
      try FileManager.default.moveItem(at: note, to: old)
      try coordinator.item(at: note, didMoveTo: old)
    }
    try await coordinator.coordinate(writingItemAt: map) { try Data("b".utf8).write(to: $0) }
    let expected = ["appeared New.md", "moved Note.md to Old.md", "changed Map.md"]
    _ = try await comesTrue { await recorder.messages == expected }
    let messages = await recorder.messages
    #expect(messages == expected)
    await FileCoordinator.removeFilePresenter(recorder)
  }

  @Test("Preparing asks all inside once, and excludes nothing")
  func preparing() async throws {
    let recorders = [Recorder(note), Recorder(map)]
    for recorder in recorders { try await FileCoordinator.addFilePresenter(recorder) }
    let coordinator = patient
    try await coordinator.prepare(forReadingItemsAt: [scratch["desk"]]) {
      try await coordinator.coordinate(readingItemAt: note, options: .withoutChanges) { _ in }
      try await patient.coordinate(readingItemAt: map, options: .withoutChanges) { _ in }
    }
    for recorder in recorders {
      let saves = await recorder.messages.count { $0 == "save" }
      #expect(saves == 1)
      await FileCoordinator.removeFilePresenter(recorder)
    }
  }

  @Test("What is said outside of a coordinated write is refused")
  func outside() async throws {
    let coordinator = patient
    #expect(throws: CoordinationError.self) {
      try coordinator.item(at: note, didMoveTo: map)
    }
    try await coordinator.coordinate(readingItemAt: note) { note in
      _ = #expect(throws: CoordinationError.self) {
        try coordinator.item(at: note, didMoveTo: map)
      }
    }
    try await coordinator.coordinate(writingItemAt: note) { note in
      try coordinator.item(at: note, didMoveTo: note)
    }
  }

  @Test("Observed attributes are reported")
  func attributes() async throws {
    let recorder = Recorder(note)
    try await FileCoordinator.addFilePresenter(recorder)
    let coordinator = patient
    try await coordinator.coordinate(
      writingItemAt: note, options: .contentIndependentMetadataOnly
    ) { try coordinator.item(at: $0, didChangeUbiquityAttributes: ["downloaded", "other"]) }
    let isNoted = try await comesTrue { await recorder.messages.contains("attributes downloaded") }
    #expect(isNoted)
    await FileCoordinator.removeFilePresenter(recorder)
  }

  @Test("A thousand presenters are asked, and only those that are concerned")
  func many() async throws {
    var recorders: [Recorder] = []
    for number in 0..<1_000 {
      let recorder = Recorder(scratch["desk/\(number).md"])
      try await FileCoordinator.addFilePresenter(recorder)
      recorders.append(recorder)
    }
    try await patient.coordinate(writingItemAt: scratch["desk/500.md"]) {
      try Data("new".utf8).write(to: $0)
    }
    let concerned = recorders[500]
    let isNoted = try await comesTrue { await concerned.messages.last == "changed" }
    #expect(isNoted)
    let unconcerned = await recorders[499].messages
    #expect(unconcerned.isEmpty)
    for recorder in recorders { await FileCoordinator.removeFilePresenter(recorder) }
    let left = FileCoordinator.filePresenters
    #expect(!left.contains { presenter in recorders.contains { $0 === presenter } })
  }

  // MARK: What others do without coordinating

  @Test("A change by a program that coordinates nothing is reported once, and one’s own is not")
  func uncoordinated() async throws {
    let recorder = Recorder(note)
    try await FileCoordinator.addFilePresenter(recorder)
    try Data("a stove".utf8).write(to: note)
    let isNoted = try await comesTrue { await recorder.messages == ["changed"] }
    #expect(isNoted)
    try await FileCoordinator(filePresenter: recorder, patience: .seconds(900)).coordinate(
      writingItemAt: note
    ) {
      try Data("a cup".utf8).write(to: $0)
    }
    // A later change is reported after an earlier one.
    try Data("a boat".utf8).write(to: note)
    let isNotedAgain = try await comesTrue { await recorder.messages.count >= 2 }
    #expect(isNotedAgain)
    let messages = await recorder.messages
    #expect(messages == ["changed", "changed"])
    await FileCoordinator.removeFilePresenter(recorder)
  }

  @Test("Versions that come, go and are resolved are reported, also one’s own")
  func versions() async throws {
    let store = VersionStore(identity: Identity(author: "Mira", device: "mira-laptop"))
    let base = try await store.save(note).version
    let recorder = Recorder(note)
    try await FileCoordinator.addFilePresenter(recorder)
    try Data("a map".utf8).write(to: note)
    try await store.save(note)
    try Data("a stove".utf8).write(to: note)
    try await store.save(note, base: base)
    let isGained = try await comesTrue { await recorder.messages.count { $0 == "gained" } >= 2 }
    #expect(isGained)
    try await FileVersion.unresolvedConflicts(of: note, store: store)?.first?.markResolved()
    let isResolved = try await comesTrue { await recorder.messages.contains("resolved") }
    #expect(isResolved)
    try await base.remove()
    let isLost = try await comesTrue { await recorder.messages.contains("lost") }
    #expect(isLost)
    await FileCoordinator.removeFilePresenter(recorder)
  }

  // MARK: The folder of sockets

  @Test("A file in the place of the sockets’ folder is a typed error, and accesses go on")
  func noFolder() async throws {
    try scratch.write("", to: "desk/.docversions/presenters")
    let recorder = Recorder(note)
    let code = try await code { try await FileCoordinator.addFilePresenter(recorder) }
    #expect(code == .noSockets)
    try await patient.coordinate(writingItemAt: note) { try Data("b".utf8).write(to: $0) }
    #expect(try scratch.read("desk/Note.md") == "b")
  }

  @Test("Sockets work in a folder with a path longer than theirs may be")
  func longPath() async throws {
    let name = String(repeating: "long ", count: 30)
    let deep = try scratch.write("a tent", to: "\(name)/\(name)/Note.md")
    let recorder = Recorder(deep)
    try await FileCoordinator.addFilePresenter(recorder)
    try await patient.coordinate(writingItemAt: deep) { try Data("b".utf8).write(to: $0) }
    let isNoted = try await comesTrue { await recorder.messages.last == "changed" }
    #expect(isNoted)
    await FileCoordinator.removeFilePresenter(recorder)
  }
}

/// A presenter that records its requests and notifications.
private actor Recorder: FilePresenter {
  let url: URL
  private(set) var messages: [String] = []

  private var refusal: CocoaError?

  init(_ url: URL) { self.url = url }

  /// Refuses deletions from now on.
  func refuse(_ error: CocoaError) { refusal = error }

  var presentedItemURL: URL? { url }
  var observedPresentedItemUbiquityAttributes: Set<String> { ["downloaded"] }

  func relinquishPresentedItem(toReader reader: FileAccess) async -> Reacquirer? {
    messages.append("relinquish to reader")
    return nil
  }
  func relinquishPresentedItem(toWriter writer: FileAccess) async -> Reacquirer? {
    messages.append("relinquish to writer")
    return { await self.record("reacquire") }
  }
  func savePresentedItemChanges() async throws { messages.append("save") }
  func accommodatePresentedItemDeletion() async throws {
    if let refusal { throw refusal }
  }
  func presentedItemDidChange() async { messages.append("changed") }
  func presentedItemDidChangeUbiquityAttributes(_ attributes: Set<String>) async {
    messages.append("attributes \(attributes.sorted().joined(separator: " "))")
  }
  func presentedSubitemDidAppear(at url: URL) async {
    messages.append("appeared \(url.lastPathComponent)")
  }
  func presentedSubitemDidChange(at url: URL) async {
    messages.append("changed \(url.lastPathComponent)")
  }
  func presentedSubitem(at former: URL, didMoveTo url: URL) async {
    messages.append("moved \(former.lastPathComponent) to \(url.lastPathComponent)")
  }
  func presentedItemDidGain(_ version: FileVersion) async { messages.append("gained") }
  func presentedItemDidLose(_ version: FileVersion) async { messages.append("lost") }
  func presentedItemDidResolveConflict(_ version: FileVersion) async { messages.append("resolved") }
  private func record(_ message: String) { messages.append(message) }
}
