internal import DocumentStore

/// What other programs and devices do to the file and its versions (UL8–UL11).
extension Document {
  /// Observes the file where it is now.
  func observe() async {
    await monitor.begin(at: fileURL, isPackage: file.isPackage)
  }

  /// Compares the file with what is known of it, and its versions with the state.
  ///
  /// The document does this by itself when something happens.
  public func check() async { await check(Set(FileMonitor.Subject.allCases)) }

  func check(_ subjects: Set<FileMonitor.Subject>) async {
    do {
      try await lane.run { [self] in
        guard isOpen else { return }
        if subjects.contains(.file) { try await checkFile() }
        if subjects.contains(.versions) { await refreshConflict() }
      }
    } catch {
      report(error)
    }
  }

  private func checkFile() async throws {
    switch try await file.presence() {
    case .known: return absence.end()
    case .absent:
      guard try await file.followMove() else {
        return absence.begin { [weak self] in await self?.closeIfDeleted() }
      }
      await observe()
      // It may have been changed as well.
      return try await checkFile()
    case .changed: absence.end()
    }
    knownUndoManager?.endEvent()
    // What was written here, and is no version yet, is only in memory now.
    if file.isUnversioned { changes.add(.done) }
    // What is typed here goes on: the next save is made from what was loaded, beside the other's.
    guard !hasUnsavedChanges else { return autosaver.schedule() }
    try await withoutEditing { [self] in
      let form = form
      try await busy(form) { try await read(because: .changedElsewhere, as: form) }
    }
    if file.isPackage { await observe() }
  }

  /// Closes the document where it did not come back.
  private func closeIfDeleted() async {
    do {
      try await lane.run { [self] in
        guard isOpen, try await file.presence() == .absent else { return }
        // Never written again: the deletion was meant.
        didClose()
      }
    } catch {
      report(error)
    }
  }

  /// Sets the state by the versions in conflict (UL11, AS20).
  func refreshConflict() async {
    do {
      let open = try await FileVersion.unresolvedConflicts(of: fileURL, store: environment.store)
      if open?.isEmpty == false {
        state.insert(.inConflict)
      } else {
        state.remove(.inConflict)
      }
    } catch {
      report(error)
    }
  }
}
