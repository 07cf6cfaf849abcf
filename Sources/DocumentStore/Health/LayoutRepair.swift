internal import DocumentFiles
internal import DocumentGit
internal import Foundation
internal import SystemPackage

/// Repairs the store's parts and its config, and removes stray files.
struct LayoutRepair {
  let session: RepairSession

  private var store: FilePath { session.location.store }

  // MARK: Misplaced items

  /// Moves away items that occupy the places of the store's own files and folders.
  ///
  /// The store's own file still exists, or is recreated.
  ///
  /// - Returns: whether the store can be checked now.
  func moveMisplaced() throws -> Bool {
    let items = try MisplacedItem.all(in: store)
    for item in items { try move(item) }
    return items.isEmpty || !session.environment.isDryRun
  }

  /// Takes the store's lock; another item in its place is moved away first.
  ///
  /// No process can hold such an item, and only one repair at a time moves it.
  func lock() throws -> FileLock {
    let path = StoreFile.lock.path(in: store)
    let timeout = session.environment.lockSeconds
    if try FileStatus.of(path).map({ $0.kind != .file }) == true {
      try Folder.alone(in: store, waitingAtMost: timeout) {
        let items = try MisplacedItem.all(in: store)
        for item in items where item.file == FilePath(StoreFile.lock.name) { try move(item) }
      }
    }
    return try FileLock(path, waitingAtMost: timeout)
  }

  private func move(_ item: MisplacedItem) throws {
    let name = item.file.printable
    try session.step(
      .foreignPart, "Move “\(name)”, which is \(item.words), to the quarantine.",
      file: item.file.string
    ) { try session.quarantine(item.file) }
  }

  // MARK: Parts

  /// Removes items that don't belong in a store, and creates missing folders.
  func repairParts() throws {
    for finding in try session.findings(.foreignPart) {
      guard let file = finding.file, file != StoreFile.config.name,
        try FileStatus.of(store.pushing(FilePath(file))) != nil
      else { continue }
      try session.step(.foreignPart, "Move “\(file)” to the quarantine.", file: file) {
        try session.quarantine(file)
      }
    }
    for folder in [StoreFile.packs, .heads] {
      let path = folder.path(in: store)
      guard try FileStatus.of(path)?.kind != .folder else { continue }
      try session.step(.foreignPart, "Make the folder “\(folder.name)”.", file: folder.name) {
        try Folder.createInside(path)
      }
    }
  }

  /// Removes access to the store for users who can't read the document.
  func narrow() throws {
    guard let exposure = try StoreReadership(of: session.location).exposedItem() else { return }
    try session.step(
      .permissions, "Take the store from users who can’t read the document."
    ) { try Folder.narrow(store, to: exposure.readership) }
  }

  /// Writes the config of a new store, with the ids from the versions.
  func repairConfiguration() throws {
    let file = StoreFile.config.name
    let isDamaged = try session.findings(.configuration, .foreignPart).contains { $0.file == file }
    let history = try session.check().history
    let records = history.records.isEmpty ? history.unreached.records : history.records
    let documents = Set(records.values.compactMap { DocumentIdentifier($0.facts.document) })
    guard isDamaged, let identity = DocumentIdentity(documents) else { return }
    try session.step(.configuration, "Write the config anew.", file: file) {
      try session.replace(file, with: StoreCreation.configuration(identity.section))
      try session.checkAgain()
    }
  }

  // MARK: Temporary files

  /// Removes damaged copies of versions, which are created again on the next use.
  func removeCheckouts() throws {
    for finding in try session.findings(.checkout) where finding.severity == .damage {
      guard let file = finding.file else { continue }
      let message = "Remove the damaged copy “\(file)”; it is made again."
      try session.step(.checkout, message, file: file) {
        try Folder.removeTree(store.pushing(FilePath(file)))
      }
    }
  }

  /// Removes temporary files that interrupted processes left at least ten minutes ago.
  func removeTemporaryFiles() throws {
    // Some files beside the document hold an edit from the last instant; the next change saves it.
    let places = [store, store.parentFolder]
    for finding in try session.findings(.leftover) {
      guard let file = finding.file,
        try !file.hasPrefix(StoreFile.objects.prefix) || isIncompletePack(file)
      else { continue }
      let path = places.map { $0.pushing(FilePath(file)) }
      guard let old = try path.first(where: isOld) else { continue }
      let message = "Remove “\(file)”, which an interrupted process left."
      try session.step(.leftover, message, file: file) { try Folder.removeTree(old) }
    }
  }

  private func isOld(_ path: FilePath) throws -> Bool {
    guard let status = try FileStatus.of(path) else { return false }
    return session.environment.fileClock.age(of: status) > 600
  }

  /// Returns whether a file among the objects is an incomplete pack that no process is writing.
  private func isIncompletePack(_ file: String) throws -> Bool {
    let prefix = StoreFile.packs.prefix
    return try file.hasPrefix(prefix)
      && session.check().objects.repository.isTemporary(pack: String(file.dropFirst(prefix.count)))
  }
}
