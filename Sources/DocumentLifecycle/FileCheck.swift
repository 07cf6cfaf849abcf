/// Compares the file of an open document with what is known of it, in the lane, and lets the document follow (UL8–UL10).
@MainActor
struct FileCheck {
  private let document: Document
  private var file: TrackedFile { document.file }

  init(of document: Document) { self.document = document }

  /// Follows a move, shows what was changed, or begins to wait for a file that has gone.
  func run() async throws {
    switch try await file.presence() {
    case .known: return document.absence.stop()
    case .absent:
      guard try await file.followMove() else {
        return document.absence.begin { [weak document] in
          if let document { await FileCheck(of: document).closeIfDeleted() }
        }
      }
      await document.observe()
      // It may have been changed as well.
      return try await run()
    case .changed: document.absence.stop()
    }
    document.knownUndoManager?.endEvent()
    if file.isUnversioned, !document.hasUnsavedChanges {
      try await file.noteKept(document.contents(forType: document.savingFileType))
    }
    // What was written here, and is no version yet, is only in memory now.
    if file.isUnversioned { document.changes.add(.done) }
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
  private func closeIfDeleted() async {
    do {
      try await document.lane.run { [self] in
        guard document.isOpen, try await file.presence() == .absent else { return }
        // Never written again: the deletion was meant.
        await document.didClose()
      }
    } catch {
      document.report(error)
    }
  }
}
