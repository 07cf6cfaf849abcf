internal import DocumentCoordination
internal import Foundation

/// Compares the file of an open document with what is known of it, in the lane, and lets the document follow.
@MainActor
struct FileCheck {
  private let document: Document
  private var file: TrackedFile { document.file }

  init(of document: Document) { self.document = document }

  /// Follows what the system reports.
  ///
  /// A subclass is notified of a change as any presenter is; by default it comes to the same.
  func follow(_ subjects: Set<FileMonitor.Subject>) async {
    // A program that was handed the file says itself what it did.
    let isNotified = document.coordinatedWriters == 0
    if await run(subjects, leavingChanges: isNotified) { await document.presentedItemDidChange() }
  }

  /// Compares the file, its versions, or both, once it is their turn.
  ///
  /// - Parameter leavesChanges: whether a changed file is left to the caller.
  /// - Returns: whether it was.
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
      // Another program is at it for long: then it is checked again.
      repeatLater()
    } catch {
      document.report(error)
    }
    return false
  }

  private func repeatLater() {
    let environment = document.environment
    let moment = environment.clock.now() + .seconds(1)
    Task { [weak document] in
      do { try await environment.clock.sleepUntil(moment) } catch { return }
      await document?.check()
    }
  }

  /// Follows the file to the place where another program says that it has moved it.
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

  /// Follows a move, shows what was changed, or begins to wait for a file that has gone.
  private func checkFile(_ presence: TrackedFile.Presence) async throws {
    switch presence {
    case .known: return document.absence.stop()
    case .absent:
      guard try await file.followMove() else {
        return document.absence.begin { [weak document] in
          if let document { await FileCheck(of: document).closeIfRemoved() }
        }
      }
      await document.observe()
      // It may have been changed as well.
      return try await checkFile(file.presence())
    case .changed: document.absence.stop()
    }
    document.knownUndoManager?.endEvent()
    if document.hasUnsavedChanges || file.isAutosaved {
      try await file.keepFormer(isRead: document.coordinatedWriters > 0)
    }
    // What is typed here goes on: the next save is made from what was loaded, beside the other's.
    guard !document.hasUnsavedChanges else { return document.autosaver.schedule() }
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

  /// Closes the document where it did not come back.
  ///
  /// The deletion was meant: the file is not written again. What was not saved becomes a version.
  private func closeIfRemoved() async {
    do {
      try await document.lane.run { [self] in
        guard document.isOpen, try await file.presence() == .absent else { return }
        document.knownUndoManager?.endEvent()
        let isUnsaved = document.hasUnsavedChanges || file.isAutosaved
        if isUnsaved { try await file.keepFormer() }
        if document.hasUnsavedChanges {
          let edits = try DocumentSnapshot(of: document, for: .discardableVersion)
          try await file.add(edits.contents, as: edits.form)
        }
        await document.didClose()
        if isUnsaved { document.report(DocumentError.wasRemoved(document.fileURL)) }
      }
    } catch {
      document.report(error)
    }
  }
}
