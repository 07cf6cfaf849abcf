internal import DocumentFiles
internal import DocumentStore
internal import SystemPackage

/// The documents of a container that stay out of its exchanges until their sync is resumed.
struct PausedDocuments {
  private let container: FilePath
  private var identifiers: Set<String> = []

  init(in container: FilePath) throws {
    self.container = container
    let bytes = try SmallFile.read(SyncFile.paused.path(in: container), limit: 256 << 20) ?? []
    identifiers = Set(
      bytes.split(separator: UInt8(ascii: "\n")).compactMap {
        String(validating: $0, as: UTF8.self)
      })
  }

  var isEmpty: Bool { identifiers.isEmpty }

  /// - Parameter known: all ids of a document.
  func contains(_ known: Set<String>) -> Bool { !identifiers.isDisjoint(with: known) }

  /// Pauses or resumes the sync of a document.
  mutating func set(_ isPaused: Bool, _ known: Set<String>) throws {
    guard contains(known) != isPaused else { return }
    identifiers.subtract(known)
    if isPaused, let identifier = known.min() { identifiers.insert(identifier) }
    try Folder.create(SyncFile.folder(of: container))
    let text = identifiers.sorted().map { $0 + "\n" }.joined()
    try SmallFile.replace(SyncFile.paused.path(in: container), Array(text.utf8))
  }
}
