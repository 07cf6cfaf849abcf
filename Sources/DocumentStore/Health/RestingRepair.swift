internal import DocumentFiles
internal import DocumentGit
internal import SystemPackage

/// Repairs a resting document.
///
/// Contents that are lost on the shelf are stored again if the file still has them. If a document's version
/// is lost in this device's copy of a remote and no sync has brought it back, the document gives up its
/// versions, and only its file is left.
struct RestingRepair {
  private let document: RestingDocument
  private let location: DocumentLocation
  private let environment: StoreEnvironment

  /// - Returns: `nil` if the document isn't a resting one.
  init?(_ location: DocumentLocation, _ environment: StoreEnvironment) throws {
    guard let document = try RestingDocuments.document(of: location) else { return nil }
    self.document = document
    self.location = location
    self.environment = environment
  }

  func repair() throws -> Repair {
    let findings = try check()
    guard findings.contains(where: \.isLoss) else { return outcome() }
    guard document.isOnShelf else { return try giveUp(findings) }
    guard let present = try presentIfAsSaved() else { return outcome(losses: findings) }
    let step = Repair.Step(
      code: .contents,
      message: "Stored the contents of the version again, as the document has them.", file: nil)
    guard !environment.isDryRun else { return outcome([step]) }
    try RestingDocuments.changing(in: location.container) {
      try Shelf.open(in: location.container, clock: environment.fileClock).write(present.objects)
    }
    return outcome([step], losses: try check())
  }

  private func giveUp(_ findings: [Verification.Finding]) throws -> Repair {
    let isLost = findings.contains {
      $0.isLoss && ($0.code == .record || $0.versions.contains(.init(document.head)))
    }
    guard isLost else { return outcome(losses: findings) }
    let step = Repair.Step(
      code: .record,
      message: """
        Gave up its versions, which this device has lost: a sync brings back what a remote has. The file stays, and can \
        be saved.
        """, file: nil)
    guard !environment.isDryRun else { return outcome([step]) }
    try RestingDocuments.changing(in: location.container) {
      try RestingDocuments.depart([document.path], in: location.container)
    }
    // The next sync searches everything on the remote for them.
    try Folder.removeTree(SyncFile.peers.path(in: location.container))
    return outcome([step])
  }

  private func check() throws -> [Verification.Finding] {
    var check = try RestingCheck(document, at: location, environment)
    return try check.verification().findings
  }

  /// Returns the file, if it matches the version; `nil` also if no version describes it any more.
  private func presentIfAsSaved() throws -> WorkingCopy? {
    guard let present = try WorkingCopy.read(location, clock: environment.fileClock) else {
      return nil
    }
    do {
      let shelf = try Shelf.openIfThere(in: location.container)
      let record = try Record(id: document.head, decoding: shelf.commit(document.head))
      return present.content.isSame(as: record.content) ? present : nil
    } catch let error as GitError where !error.isFromSystem {
      return nil
    }
  }

  private func outcome(
    _ steps: [Repair.Step] = [], losses: [Verification.Finding] = []
  ) -> Repair {
    Repair(
      document: location.url, steps: steps, losses: losses.filter(\.isLoss), backup: nil)
  }
}
