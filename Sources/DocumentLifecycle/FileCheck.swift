internal import DocumentCoordination
internal import DocumentPresenting
internal import Foundation

/// Compares the file of an open document with its last known state, in the lane, and updates the document.
@MainActor
struct FileCheck {
  private let document: Document
  private var file: TrackedFile { document.file }

  init(of document: Document) { self.document = document }

  /// Follows the system's reports.
  ///
  /// A subclass is notified of a change like any presenter; the default implementation leads to the same check.
  func follow(_ subjects: Set<FileMonitor.Subject>) async {
    // The file is compared at the end of coordinated accesses.
    let subjects = document.coordinatedWriters.isEmpty ? subjects : subjects.subtracting([.file])
    if await run(subjects, leavingChanges: true) { await document.presentedItemDidChange() }
  }

  /// Compares the file, its versions, or both, after earlier accesses.
  ///
  /// - Parameter leavesChanges: whether the caller handles a changed file.
  /// - Returns: whether a changed file was left to the caller.
  @discardableResult
  func run(
    _ subjects: Set<FileMonitor.Subject>, leavingChanges leavesChanges: Bool = false
  ) async -> Bool {
    do {
      return try await document.lane.run { [self] in
        guard document.isOpen else { return false }
        var isLeft = false
        if subjects.contains(.file) {
          let presence = try await file.presence()
          isLeft = leavesChanges && presence == .changed
          if !isLeft { try await checkFile(presence) }
        }
        if subjects.contains(.versions) { await document.refreshConflict() }
        return isLeft
      }
    } catch let error as CoordinationError where [.busy, .unanswered].contains(error.code) {
      // Another program's access takes long, so the check is repeated.
      repeatLater()
    } catch {
      document.report(error)
    }
    return false
  }

  private func repeatLater() {
    let environment = document.environment
    let moment = environment.clock.now() + .seconds(1)
    Task.outsideAccesses { [weak document] in
      do { try await environment.clock.sleepUntil(moment) } catch { return }
      await document?.check()
    }
  }

  /// Follows the file to the location to which another program reported moving it.
  func follow(to url: URL) async {
    do {
      try await document.lane.run { [self] in
        guard document.isOpen else { return }
        if try await file.followMove(to: url) { await document.observe() }
      }
    } catch {
      document.report(error)
    }
  }

  /// Follows a move, shows a change, or starts to wait for a missing file.
  private func checkFile(_ presence: TrackedFile.Presence) async throws {
    switch presence {
    case .known: return document.absence.stop()
    case .absent, .changed:
      if try await file.followMove() {
        await document.observe()
        // The moved file may also have changed.
        return try await checkFile(file.presence())
      }
      guard presence == .changed else {
        return document.absence.begin { [weak document] in
          if let document { await FileCheck(of: document).closeIfRemoved() }
        }
      }
      document.absence.stop()
    }
    document.knownUndoManager?.endAllGroups()
    if document.hasUnsavedChanges || file.isAutosaved {
      // A program reads and writes within its access, but what it writes for a presenter may come from the presenter's
      // memory.
      let isRead = document.coordinatedWriters.contains { !$0.isForPresenter }
      try await file.keepFormer(isRead: isRead)
    }
    // Unsaved changes stay: the next save is based on the loaded version, beside the other program's.
    guard !document.hasUnsavedChanges else { return document.autosaver.schedule() }
    // The save that the app requested has the present contents.
    guard document.waitingSaves == 0 else { return repeatLater() }
    try await document.withoutEditing { [document] in
      let form = document.form
      try await document.busy(form) {
        try await document.access.reading(asking: false) {
          try await document.read(because: .changedElsewhere, as: form)
        }
      }
    }
    if file.isPackage { await document.observe() }
  }

  /// Closes the document if the file didn't come back.
  ///
  /// The deletion was intended, so the file isn't written again. Unsaved changes become a version.
  private func closeIfRemoved() async {
    do {
      try await document.lane.run { [self] in
        guard document.isOpen, try await file.presence() == .absent else { return }
        document.knownUndoManager?.endAllGroups()
        let isUnsaved = document.hasUnsavedChanges || file.isAutosaved
        if isUnsaved { try await file.keepFormer() }
        if document.hasUnsavedChanges {
          let edits = try DocumentSnapshot(of: document, for: .discardableVersion)
          let contents = UnkeptContents(edits.contents, nil, edits.form, isWrittenHere: true)
          try await file.orInCopy(of: contents) {
            try await file.add(edits.contents, as: edits.form)
          }
        }
        await document.didClose()
        if isUnsaved { document.report(DocumentError.wasRemoved(document.fileURL)) }
      }
    } catch {
      document.report(error)
    }
  }
}
