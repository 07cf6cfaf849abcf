internal import DocumentFiles
internal import DocumentGit
internal import Foundation
internal import SystemPackage

/// The store's frame: its parts, its config, and what lies about.
extension StoreRepair {
  /// Moves away what somebody has put in the place of the store's own files and folders: what it is in the way of is
  /// still there, or is made again.
  ///
  /// - Returns: whether there was nothing, or nothing is there any more.
  func moveMisplaced() throws -> Bool {
    let items = try MisplacedItem.all(in: location.store)
    for item in items { try move(item) }
    return items.isEmpty || !store.isDryRun
  }

  /// Takes the store's lock; what is in its place goes first.
  ///
  /// Nobody can hold that, and only one repair at a time takes it for what it is.
  func lock() throws -> FileLock {
    let path = location.store.appending("lock")
    if try FileStatus.of(path).map({ $0.kind != .file }) == true {
      try Folder.alone(in: location.store, waitingAtMost: store.lockTimeout) {
        let items = try MisplacedItem.all(in: location.store)
        for item in items where item.file == "lock" { try move(item) }
      }
    }
    return try FileLock(path, waitingAtMost: store.lockTimeout)
  }

  private func move(_ item: MisplacedItem) throws {
    let name = item.file.printable
    try step(
      .foreignPart, "Move “\(name)”, which is \(item.words), to the quarantine.",
      file: item.file.string
    ) { try quarantine(item.file) }
  }

  /// Takes out what is not for a store, and makes the folders that must be there.
  func repairLayout() throws {
    for finding in try findings(.foreignPart) {
      guard let file = finding.file, file != "config" else { continue }
      guard try FileStatus.of(location.store.pushing(FilePath(file))) != nil else { continue }
      try step(.foreignPart, "Move “\(file)” to the quarantine.", file: file) {
        try quarantine(file)
      }
    }
    for folder in ["objects/pack", "refs/heads"] {
      let path = location.store.pushing(FilePath(folder))
      guard try FileStatus.of(path)?.kind != .folder else { continue }
      try step(.foreignPart, "Make the folder “\(folder)”.", file: folder) {
        try Folder.create(path)
      }
    }
  }

  /// Writes the config as a new store has it, with the id that the versions have.
  func repairConfiguration() throws {
    let isDamaged = try findings(.configuration, .foreignPart).contains { $0.file == "config" }
    let (led, stray) = try (known().records.values, known().strayRecords.values)
    let documents = Set((led.isEmpty ? stray : led).map(\.facts.document))
    // Whose versions these are must be certain.
    guard isDamaged, documents.count == 1, let document = documents.first else { return }
    try step(.configuration, "Write the config anew.", file: "config") {
      try replace("config", with: StoreCreation.configuration("document = \(document)"))
      try look()
    }
  }

  /// Removes damaged copies of versions: they are made again when they are wanted.
  func removeCheckouts() throws {
    for finding in try findings(.checkout) where finding.severity == .damage {
      guard let file = finding.file else { continue }
      try step(.checkout, "Remove the damaged copy “\(file)”; it is made again.", file: file) {
        try Folder.removeTree(location.store.pushing(FilePath(file)))
      }
    }
  }

  /// Removes what interrupted processes left at least ten minutes ago.
  func removeLeftovers() throws {
    // Beside the document, some hold an edit that somebody made last: the next change takes these in.
    let places = [location.store, location.store.parentFolder]
    for finding in try findings(.leftover) {
      guard let file = finding.file, try !file.hasPrefix("objects/") || isLeftover(file) else {
        continue
      }
      for place in places {
        let path = place.pushing(FilePath(file))
        guard let status = try FileStatus.of(path),
          FileClock.system.age(of: status) > 600
        else { continue }
        try step(.leftover, "Remove “\(file)”, which an interrupted process left.", file: file) {
          try Folder.removeTree(path)
        }
        break
      }
    }
  }

  /// Whether a file among the objects is a pack that was never completed, and that nobody writes just now.
  private func isLeftover(_ file: String) throws -> Bool {
    let folder = "objects/pack/"
    return try file.hasPrefix(folder)
      && known().repository.isLeftover(pack: String(file.dropFirst(folder.count)))
  }
}
