internal import DocumentFiles
internal import DocumentStore
internal import SystemPackage

/// The documents of a container that stay out of its exchanges until their sync is resumed.
struct PausedDocuments {
  private let identifiers: Set<String>

  init(in container: FilePath) throws {
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
  static func set(_ isPaused: Bool, _ known: Set<String>, in container: FilePath) throws {
    try SyncFile.changingSettings(of: container) {
      let paused = try PausedDocuments(in: container)
      guard paused.contains(known) != isPaused else { return }
      var identifiers = paused.identifiers.subtracting(known)
      if isPaused, let identifier = known.min() { identifiers.insert(identifier) }
      let text = identifiers.sorted().map { $0 + "\n" }.joined()
      try SmallFile.replace(SyncFile.paused.path(in: container), Array(text.utf8))
    }
  }
}

extension SyncFile {
  /// Runs a closure while no other process changes the remotes or the paused documents of a container.
  static func changingSettings<Result>(
    of container: FilePath, _ body: () throws -> Result
  ) throws -> Result {
    try Folder.create(folder(of: container))
    let lock = try FileLock(
      settingsLock.path(in: container),
      heldFor: "changing the settings of “\(container.printable)”")
    let result = try body()
    lock.release()
    return result
  }
}
