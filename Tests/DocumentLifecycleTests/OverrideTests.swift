import DocumentTestSupport
import DocumentVersions
import Foundation
import Testing

/// The methods that a subclass of ``Document`` overrides are called.
@Suite("Methods that an app overrides")
@MainActor
struct OverrideTests {
  @Test("Closing, reverting, counting and the presenter’s methods are the subclass’s")
  func overrides() async throws {
    let desk = try Desk("a tent")
    let note = WatchfulNote(fileURL: desk.url, environment: desk.environment)
    try await note.open()
    note.text = "a map"
    note.updateChangeCount(.done)
    #expect(note.hasUnsavedChanges)
    let base = try await note.save()
    #expect(try await comesTrue { note.calls.contains("gain") })
    // Its own saves are no changes of others.
    #expect(!note.calls.contains("change"))
    try desk.write("a stove")
    #expect(try await comesTrue { note.text == "a stove" })
    try await note.revert(to: base)
    #expect(note.text == "a map")
    // Another program saves a version beside the current one, and the conflict is resolved.
    try desk.write("a cup")
    try await desk.store.save(desk.url, base: desk.versions.last)
    #expect(try await comesTrue { note.state.contains(.inConflict) })
    try await note.resolve(.latest)
    try await base?.remove()
    #expect(try await comesTrue { note.calls.contains("lose") })
    try await note.close()
    for call in ["count", "change", "revert", "gain", "resolved", "lose", "close"] {
      #expect(note.calls.contains(call), "\(call) in \(note.calls)")
    }
  }
}

private final class WatchfulNote: Document {
  var text = ""
  private(set) var calls: [String] = []

  override func contents(forType type: String) throws -> DocumentContents { .data(Data(text.utf8)) }
  override func load(
    _ contents: DocumentContents, ofType type: String, because reason: LoadReason
  ) throws {
    if case .data(let data) = contents { text = String(decoding: data, as: UTF8.self) }
  }

  override func updateChangeCount(_ change: DocumentChange) {
    calls.append("count")
    super.updateChangeCount(change)
  }
  override var hasUnsavedChanges: Bool { super.hasUnsavedChanges }
  override func close() async throws {
    calls.append("close")
    try await super.close()
  }
  override func revert(to version: FileVersion? = nil) async throws {
    calls.append("revert")
    try await super.revert(to: version)
  }
  override func presentedItemDidChange() async {
    calls.append("change")
    await super.presentedItemDidChange()
  }
  override func presentedItemDidGain(_ version: FileVersion) async { calls.append("gain") }
  override func presentedItemDidLose(_ version: FileVersion) async { calls.append("lose") }
  override func presentedItemDidResolveConflict(_ version: FileVersion) async {
    calls.append("resolved")
  }
}
