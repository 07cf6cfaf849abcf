internal import DocumentCoordination
internal import DocumentFiles
internal import DocumentStore
internal import DocumentSync
internal import Foundation

/// Opens, reverts and closes the file of a document.
@MainActor
struct FileOpening {
  private let document: Document
  private var file: TrackedFile { document.file }

  init(of document: Document) { self.document = document }

  func open() async throws {
    guard !document.isOpen else { throw DocumentError.isOpen(document.fileURL) }
    do {
      try await document.lane.run(isCancelledWithCaller: true) { [self] in
        // Another call may have opened it in the meantime.
        guard !document.isOpen else { throw DocumentError.isOpen(document.fileURL) }
        try await file.followLink()
        let form = document.form
        try await document.busy(form) {
          try await downloadIfListed(as: form)
          // Registered while no other program writes, so that no write is missed between reading and registering.
          try await document.access.reading(asking: true) {
            try await document.read(because: .opened, as: form)
            await document.refreshConflict()
            await document.access.present()
          }
        }
        if try await !file.canBeReplaced() { document.state.insert(.readOnly) }
        document.state.remove(.closed)
        if document.isUnchangeable { document.state.insert(.editingDisabled) }
        document.reportDamage()
        await document.didOpen()
      }
    } catch {
      // If another call opened it, the document hasn't failed.
      if !document.isOpen { document.report(error) }
      throw error
    }
  }

  /// Downloads a document that other devices have, and this one only lists.
  private func downloadIfListed(as form: DiskForm) async throws {
    let (url, access) = (document.fileURL, document.environment.access)
    try await file.store(form).perform { store in
      guard try FileStatus.of(url.filePath) == nil, try store.isOnlyListed(url) else { return }
      let outcome = try store.download([url], access: access, isPatient: true)
      if let failure = outcome.documents.first(where: { $0.document == url })?.failure {
        throw failure
      }
    }
  }

  func close() async throws {
    guard document.isOpen else { return }
    try await document.withoutEditing { [document] in
      try await FileSave(of: document).afterKeepingEdits { _ in
        await document.didClose()
        return true
      }
    }
  }

  func revert(to version: FileVersion?) async throws {
    guard document.isOpen else { throw DocumentError.isClosed(document.fileURL) }
    try await document.withoutEditing { [self] in
      try await FileSave(of: document).afterKeepingEdits(isCancelledWithCaller: true) {
        [self] hasEdits in
        let (form, formerItem) = (document.form, file.disk?.status)
        let isShown = try await document.busy(form) {
          try await document.access.writing {
            guard !hasEdits() else { return false }
            // What others wrote since is shown, not taken back.
            let isChanged = try await file.presence() == .changed
            if let target = version ?? (isChanged ? nil : file.lastKept) {
              try await file.store(form).restore(target, of: document.fileURL)
            }
            // Once the file has the version, the document shows it, even if the task is canceled meanwhile.
            return try await Task { [document, file] in
              let reading = try await file.read(as: document.form)
              let isShown = !hasEdits()
              if isShown { try document.show(reading.contents, because: .reverted) }
              // Edits that were made meanwhile become a version of this one, which is then restored again.
              file.accept(reading, isNewer: false)
              await document.refreshConflict()
              return isShown
            }.value
          }
        }
        if file.isFolder(replacing: formerItem) { await document.observe() }
        return isShown
      }
    }
  }
}
