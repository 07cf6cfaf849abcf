public import DocumentStore

/// Opening, closing and reverting.
extension Document {
  /// Opens the document: reads it, shows it, and begins to notice what others do to it (UL1).
  ///
  /// - Throws: the errors of reading the file and its versions, and of ``load(_:ofType:because:)``; the document stays
  ///   closed. ``DocumentError`` with code `open` where it is open.
  public func open() async throws {
    guard !isOpen else { throw DocumentError.isOpen(fileURL) }
    do {
      try await lane.run { [self] in
        // Another call may have opened it since.
        guard !isOpen else { throw DocumentError.isOpen(fileURL) }
        let form = form
        try await busy(form) {
          // Registered while no other program writes: none is missed between reading and registering.
          try await access.reading(asking: true) {
            try await read(because: .opened, as: form)
            // Where the file was edited by others, reverting goes back to the version that it was made from.
            file.lastKept = file.base
            await refreshConflict()
            await access.present()
          }
        }
        state.remove(.closed)
        if isReadOnly { state.insert(.editingDisabled) }
        await didOpen()
      }
    } catch {
      report(error)
      throw error
    }
  }

  /// Closes the document; what was edited is saved first, as a version that may be thrown away (UL6).
  ///
  /// A document that was only looked at gets no version. Closing a closed document does nothing.
  ///
  /// - Throws: the error of saving; the document stays open then, with its changes.
  public func close() async throws {
    guard isOpen else { return }
    try await withoutEditing { [self] in
      var attempts = 0
      repeat {
        try await keepEdits()
        attempts += 1
        // An app that cannot stop its views at once may change something meanwhile.
      } while hasUnsavedChanges && attempts < 5
      try await lane.run { [self] in await didClose() }
    }
  }

  /// Reverts the document to a version (UL5, ND12).
  ///
  /// What was edited becomes a version first, which may be thrown away. Nothing can be undone afterwards; the versions in
  /// between stay.
  ///
  /// - Parameter version: the version; by default the one that was opened or saved last.
  /// - Throws: ``DocumentError`` where the document is closed; the errors of the store and of reading.
  public func revert(to version: FileVersion? = nil) async throws {
    guard isOpen else { throw DocumentError.isClosed(fileURL) }
    try await withoutEditing { [self] in
      try await keepEdits()
      try await lane.run { [self] in
        let form = form
        try await busy(form) {
          try await access.writing {
            if let target = version ?? file.lastKept {
              try await environment.store.restore(target, of: fileURL)
            }
            try await read(because: .reverted, as: form)
            await refreshConflict()
          }
        }
      }
    }
  }

  /// Does something while nothing can be edited.
  func withoutEditing(_ body: @MainActor () async throws -> Void) async throws {
    state.insert(.editingDisabled)
    disableEditing()
    defer {
      if !isReadOnly { state.remove(.editingDisabled) }
      enableEditing()
    }
    try await body()
  }

  /// Reads the file, and shows it; in the lane.
  ///
  /// Opening and reverting show it in any case. Otherwise what was typed meanwhile stays: the next save finds a file that is
  /// not what was loaded.
  func read(because reason: LoadReason, as form: DiskForm) async throws {
    let reading = try await file.read(as: form)
    knownUndoManager?.endEvent()
    guard [.opened, .reverted].contains(reason) || !hasUnsavedChanges else {
      return autosaver.schedule()
    }
    try show(reading.contents, because: reason)
    file.accept(reading)
  }

  /// How the document is read now.
  var form: DiskForm { DiskForm(format: fileFormat, type: fileType) }

  func didOpen() async {
    lastVersionTime = environment.clock.now()
    await observe()
  }

  func didClose() async {
    autosaver.stop()
    monitor.end()
    absence.stop()
    changes.clear()
    state = .closed
    await access.endPresenting()
  }
}
