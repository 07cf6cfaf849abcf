internal import DocumentFiles
internal import DocumentGit
internal import Foundation
internal import SystemPackage

/// Repairs one store step by step; a repair that stops after any step leaves the store no worse.
///
/// The steps share the last check of the store, the steps so far, and the backup. Every step is planned here,
/// and carried out here unless the repair is a dry run. The file that a step replaces is copied or moved away
/// first: the replacement is on disk before the damaged part moves to the quarantine, so a killed repair can be
/// started again.
final class RepairSession {
  let location: DocumentLocation
  let environment: StoreEnvironment
  /// An exchange folder that also has the document.
  let exchangeFolder: FilePath?
  /// True if versions that nothing leads to are added beside the others.
  let findsLost: Bool
  /// When the repair begins.
  let date: Date
  /// The last check of the store; nil before the first one.
  private(set) var lastCheck: StoreCheck?
  private(set) var steps: [Repair.Step] = []
  /// Losses that the store no longer shows.
  private var losses: [Verification.Finding] = []
  private var backup: FilePath?
  /// The name of this repair's folders: its start time in UTC.
  private let name: String

  init(
    _ location: DocumentLocation, _ options: RepairOptions, in environment: StoreEnvironment
  ) throws {
    self.location = location
    self.environment = environment
    exchangeFolder = try options.exchangeFolder?.filePath.resolvingLinks()
    findsLost = options.findsLost
    date = environment.clock()
    name = Timestamp.text(date).replacing(":", with: "-")
  }

  var outcome: Repair {
    Repair(
      document: location.url, steps: steps,
      // Steps may repair the present damage; if there are none, it can't be repaired.
      losses: environment.isDryRun && !steps.isEmpty
        ? [] : losses + (lastCheck?.verification.findings ?? []).filter(\.isLoss),
      backup: backup.map { URL(filePath: $0.string, directoryHint: .isDirectory) })
  }

  // MARK: Checking

  /// Returns the last check of the store, and makes the first one if there is none.
  func check() throws -> StoreCheck {
    if let lastCheck { return lastCheck }
    let check = try StoreCheck(
      location, clock: environment.fileClock, meter: ByteMeter(progress: environment.progress))
    try check.run()
    lastCheck = check
    return check
  }

  /// Checks the store again after steps that changed it; a dry run changes nothing.
  func checkAgain() throws {
    guard !environment.isDryRun else { return }
    lastCheck = nil
    _ = try check()
  }

  /// Returns the last check's findings of certain kinds.
  func findings(_ codes: Verification.Finding.Code...) throws -> [Verification.Finding] {
    try check().verification.findings.filter { codes.contains($0.code) }
  }

  /// Keeps losses that the store will no longer show.
  func keepLosses(_ findings: [Verification.Finding]) {
    losses += findings
  }

  // MARK: Steps

  /// Plans a step, and carries it out unless this is a dry run.
  func step(
    _ code: Verification.Finding.Code, _ message: String, file: String? = nil,
    _ body: () throws -> Void
  ) throws {
    steps.append(Repair.Step(code: code, message: message, file: file.map(Printable.text)))
    guard !environment.isDryRun else { return }
    try makeBackup()
    try body()
  }

  /// Opens the repository, once its config and `HEAD` are intact enough for that.
  func openRepository() throws -> Repository {
    try Repository(store: location.store)
  }

  /// Writes a small file as a whole; on return, it is on disk.
  func replace(_ file: String, with text: String) throws {
    let path = location.store.pushing(FilePath(file))
    if let status = try FileStatus.of(path), status.kind != .file { try quarantine(file) }
    try SmallFile.replace(path, Array(text.utf8))
  }

  /// Moves a part of the store out of use.
  func quarantine(_ file: String) throws {
    try quarantine(FilePath(file))
  }

  /// Moves a part of the store out of use, by its path in the store, which may have any bytes.
  func quarantine(_ file: FilePath) throws {
    let path = location.store.pushing(file)
    guard try FileStatus.of(path) != nil else { return }
    let folder = try ownFolder(.quarantine).appending(name)
    var target = folder.pushing(file)
    var number = 1
    while try FileStatus.of(target) != nil {
      number += 1
      target = folder.pushing(file.parentFolder).appending(
        bytes: file.lastName + Array(" \(number)".utf8))
    }
    try Folder.createInside(target.parentFolder)
    try DocumentWriter.move(path, to: target)
  }

  // MARK: Backup

  /// Copies the files that determine the versions, once.
  private func makeBackup() throws {
    guard backup == nil else { return }
    let folder = try ownFolder(.backup).appending(name)
    try Folder.createInside(folder)
    for file in [StoreFile.head, .config, .packedReferences, .ledger, .references] {
      try copy(file.path(in: location.store), to: folder.appending(file.name))
    }
    backup = folder
  }

  private func copy(_ path: FilePath, to target: FilePath) throws {
    switch try FileStatus.of(path)?.kind {
    case .file:
      guard try FileStatus.of(target) == nil,
        let bytes = try SmallFile.read(path, limit: 64 << 20)
      else { return }
      try SmallFile.create(target, bytes)
      try Folder.synchronize(target.parentFolder)
    case .folder:
      try Folder.createInside(target)
      for name in try Folder.names(in: path) {
        try copy(path.appending(bytes: name), to: target.appending(bytes: name))
      }
    default: return
    }
  }

  /// Returns a folder in the store, under another name if the name is taken.
  private func ownFolder(_ file: StoreFile) throws -> FilePath {
    var path = file.path(in: location.store)
    var number = 1
    while let status = try FileStatus.of(path), status.kind != .folder {
      number += 1
      path = location.store.appending("\(file.name) \(number)")
    }
    return path
  }
}
