/// The steps of opening, closing and reverting.
extension Document {
  /// Performs work while editing is disabled, until the last of several such calls has ended.
  func withoutEditing<Result: Sendable>(
    _ body: @MainActor () async throws -> Result
  ) async throws -> Result {
    editingPauses += 1
    state.insert(.editingDisabled)
    if editingPauses == 1 { disableEditing() }
    defer {
      editingPauses -= 1
      if !isUnchangeable, editingPauses == 0 { state.remove(.editingDisabled) }
      if editingPauses == 0 { enableEditing() }
    }
    return try await body()
  }

  /// Reads the file and shows it, in the lane.
  ///
  /// Opening always shows it. Otherwise, text that was typed in the meantime or is about to be saved stays, and the next
  /// save finds a file that differs from the loaded one.
  func read(because reason: LoadReason, as form: DiskForm) async throws {
    let reading = try await file.read(as: form)
    knownUndoManager?.endAllGroups()
    let isUnsaved = hasUnsavedChanges || waitingSaves > 0
    guard reason == .opened || !isUnsaved else { return autosaver.schedule() }
    try show(reading.contents, because: reason)
    file.accept(reading, isNewer: reason == .changedElsewhere)
  }

  /// The form in which the document is currently read.
  var form: DiskForm { DiskForm(format: fileFormat, type: fileType) }

  func didOpen() async {
    lastVersionTime = environment.clock.now()
    await observe()
  }

  /// Ends the document, and discards unsaved changes.
  package func didClose() async {
    autosaver.stop()
    monitor.end()
    absence.stop()
    changes.clear()
    state = .closed
    versions = nil
    onClose?()
    await access.endPresenting()
  }
}
