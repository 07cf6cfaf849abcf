import DocumentTestSupport
import DocumentVersions
import Foundation

/// Two people with a device each: Anna's folder "A" is the one that the page shows.
struct Devices {
  let folder: ScratchFolder
  let anna = VersionStore(identity: Identity(author: "Anna", device: "laptop"))
  let ben = VersionStore(identity: Identity(author: "Ben", device: "desktop"))

  init() throws {
    folder = try ScratchFolder()
    for name in ["A", "B", "X"] {
      try FileManager.default.createDirectory(at: folder[name], withIntermediateDirectories: true)
    }
  }

  /// Saves a document of Anna's.
  func save(_ text: String, as name: String, note: String? = nil) async throws {
    try folder.write(text, to: "A/\(name)")
    try await anna.save(folder["A/\(name)"], note: note)
  }

  /// Creates a conflict, in which both edit Anna's first version.
  func disagree(
    about name: String, base: String, ours: String, theirs: String,
    notes: (String, String, String) = ("first", "ours", "theirs")
  ) async throws {
    try await save(base, as: name, note: notes.0)
    try await exchange(anna, "A")
    try await exchange(ben, "B")
    try folder.write(theirs, to: "B/\(name)")
    try await ben.save(folder["B/\(name)"], note: notes.2)
    try await exchange(ben, "B")
    try await save(ours, as: name, note: notes.1)
    try await exchange(anna, "A")
  }

  func exchange(_ store: VersionStore, _ name: String) async throws {
    try await store.exchange(folder[name], through: folder["X"])
  }
}
