internal import DocumentFiles
internal import DocumentGit
internal import Foundation
internal import SystemPackage

/// Repairs one store, step by step; each leaves it no worse if it is the last one that happens.
///
/// What a step replaces is written and on the disk before the damaged part goes to the quarantine, so a
/// repair that is killed can be begun again.
final class StoreRepair {
  let location: DocumentLocation
  let store: VersionStore
  let options: VersionStore.RepairOptions
  /// The last look at the store.
  var examination: StoreExamination?
  private var steps: [Repair.Step] = []
  /// What is lost for good, and cannot be seen in the store any more.
  private var losses: [Verification.Finding] = []
  private var backup: FilePath?
  /// Objects that were found elsewhere.
  var fetched: Set<ObjectID> = []
  /// The name of this repair's folders: when it began, in UTC.
  private let time: String

  init(
    _ location: DocumentLocation, store: VersionStore, options: VersionStore.RepairOptions
  ) {
    self.location = location
    self.store = store
    self.options = options
    time = Self.name(of: store.clock())
  }

  var outcome: Repair {
    Repair(
      document: location.url, steps: steps,
      // What is damaged now may be repaired by the steps; without any, it is what can't be.
      losses: store.isDryRun && !steps.isEmpty
        ? [] : losses + (examination?.verification.damage ?? []),
      backup: backup.map { URL(filePath: $0.string, directoryHint: .isDirectory) })
  }

  /// Does everything that is to be done, in the order in which one step needs the other.
  func run() throws {
    // The rest is not known before these are out of the way.
    guard try moveMisplaced() else { return }
    try look()
    try refuseBorrowed()
    try repairLayout()
    try repairConfiguration()
    try repairHeadFile()
    try repairObjects()
    try fetchMissing()
    try repairReferences()
    try restoreLostReferences()
    // What the references lead to now may be missing, too.
    try fetchMissing()
    try giveUpLostVersions()
    try repairRail()
    try repairHead()
    try repairLedger()
    try removeCheckouts()
    try removeLeftovers()
    if !store.isDryRun { try look() }
  }

  /// Refuses a store that has its objects elsewhere: they are not lost.
  private func refuseBorrowed() throws {
    let name = "objects/info/alternates"
    guard try FileStatus.of(location.store.pushing(FilePath(name))) != nil,
      try !known().unreadable.isEmpty
    else { return }
    throw VersionError(
      .damaged, document: location.printable,
      message: """
        The store of “\(location.printable)” lacks objects, and its “\(name)” names a place where they may be.
        """,
      recovery: .copyBorrowedObjects)
  }

  /// Looks at the store again.
  @discardableResult
  func look() throws -> StoreExamination {
    let examination = try StoreExamination(location, meter: ByteMeter(progress: store.progress))
    try examination.run()
    self.examination = examination
    return examination
  }

  /// What the last look found of some kind.
  func findings(_ codes: Verification.Finding.Code...) throws -> [Verification.Finding] {
    try known().verification.findings.filter { codes.contains($0.code) }
  }

  /// The last look.
  func known() throws -> StoreExamination {
    if let examination { return examination }
    return try look()
  }

  /// Says what is done, and does it unless only telling is wanted.
  func step(
    _ code: Verification.Finding.Code, _ message: String, file: String? = nil,
    _ body: () throws -> Void
  ) throws {
    steps.append(Repair.Step(code: code, message: message, file: file.map(Printable.text)))
    guard !store.isDryRun else { return }
    try makeBackup()
    try body()
  }

  /// Notes what the store will not tell of any more.
  func keepLosses(_ findings: [Verification.Finding]) {
    losses += findings
  }

  // MARK: Keeping what was

  /// Moves a part of the store out of use.
  func quarantine(_ file: String) throws {
    try quarantine(FilePath(file))
  }

  /// The same by its path in the store, whatever bytes that has.
  func quarantine(_ file: FilePath) throws {
    let path = location.store.pushing(file)
    guard try FileStatus.of(path) != nil else { return }
    let folder = try ownFolder("quarantine").appending(time)
    var target = folder.pushing(file)
    var number = 1
    while try FileStatus.of(target) != nil {
      number += 1
      target = folder.pushing(file.parentFolder).appending(
        bytes: file.lastName + Array(" \(number)".utf8))
    }
    try Folder.create(target.parentFolder)
    try DocumentWriter.move(path, to: target)
  }

  /// A folder in the store, by another name where something else has the name.
  private func ownFolder(_ name: String) throws -> FilePath {
    var path = location.store.appending(name)
    var number = 1
    while let status = try FileStatus.of(path), status.kind != .folder {
      number += 1
      path = location.store.appending("\(name) \(number)")
    }
    return path
  }

  /// Copies what says which versions there are, once.
  private func makeBackup() throws {
    guard backup == nil else { return }
    let folder = try ownFolder("backup").appending(time)
    try Folder.create(folder)
    for name in ["HEAD", "config", "packed-refs", "ledger", "refs"] {
      try copy(location.store.appending(name), to: folder.appending(name))
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
      try Folder.create(target)
      for name in try Folder.names(in: path) {
        try copy(path.appending(bytes: name), to: target.appending(bytes: name))
      }
    default: return
    }
  }

  /// Puts a whole small file in place; on return it is on the disk.
  func replace(_ name: String, with text: String) throws {
    let path = location.store.appending(name)
    if let status = try FileStatus.of(path), status.kind != .file { try quarantine(name) }
    try SmallFile.replace(path, Array(text.utf8))
  }

  private static func name(of date: Date) -> String {
    Timestamp.text(date).replacing(":", with: "-")
  }
}
