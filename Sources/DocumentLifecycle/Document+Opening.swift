/// What opening, closing and reverting are made of.
extension Document {
  /// Does something while nothing can be edited.
  func withoutEditing(_ body: @MainActor () async throws -> Void) async throws {
    state.insert(.editingDisabled)
    disableEditing()
    defer {
      if !isUnchangeable { state.remove(.editingDisabled) }
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
    file.accept(reading, isNewer: reason == .changedElsewhere)
  }

  /// How the document is read now.
  var form: DiskForm { DiskForm(format: fileFormat, type: fileType) }

  func didOpen() async {
    lastVersionTime = environment.clock.now()
    await observe()
  }

  /// Ends the document as it is; what is not saved is given up.
  package func didClose() async {
    autosaver.stop()
    monitor.end()
    absence.stop()
    changes.clear()
    state = .closed
    versions = nil
    await access.endPresenting()
  }
}
