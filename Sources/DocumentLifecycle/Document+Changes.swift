internal import DocumentStore

/// Changes in memory, and saving by itself.
extension Document {
  /// Whether the document has changes that are not in its file (UD14).
  public var hasUnsavedChanges: Bool { changes.isChanged }

  /// Counts a change (UD15); the ``undoManager`` does so for what is registered with it.
  ///
  /// Ignored while contents are loaded, and of a read-only document.
  public func updateChangeCount(_ change: DocumentChange) {
    guard !isLoading, !isReadOnly else { return }
    changes.add(change)
    guard hasUnsavedChanges else { return stopAutosaving() }
    if isOpen, !isFileKept, !isKeepingFile { keepFileSoon() }
    scheduleAutosave()
  }

  /// Makes a version of what was loaded, in case that is none yet.
  private func keepFileSoon() {
    isKeepingFile = true
    Task { [weak self] in
      do {
        try await self?.lane.run { [weak self] in try await self?.keepFileOfOthers() }
      } catch {
        // Saving tries it again, and reports what is wrong.
      }
      self?.isKeepingFile = false
    }
  }

  /// Waits for a pause in editing, and writes the file.
  func scheduleAutosave() {
    guard isOpen else { return }
    let now = environment.clock.now()
    lastChange = now
    guard autosaveTask == nil else { return }
    firstChange = now
    let sleep = environment.clock.sleep
    autosaveTask = Task { [weak self] in
      while let delay = self?.timeToAutosave() {
        do { try await sleep(delay) } catch { return }
      }
      guard !Task.isCancelled else { return }
      await self?.autosaveNow()
    }
  }

  /// The time until the file is to be written; nil when that is due.
  private func timeToAutosave() -> Duration? {
    let policy = environment.autosave
    let due = min(lastChange + policy.idleTime, firstChange + policy.longestDelay)
    let delay = due - environment.clock.now()
    return delay > .zero ? delay : nil
  }

  private func autosaveNow() async {
    autosaveTask = nil
    await autosave()
    // Tried again after the longest delay, and with the next change.
    if hasUnsavedChanges, isOpen { scheduleAutosave() }
  }

  func stopAutosaving() {
    autosaveTask?.cancel()
    autosaveTask = nil
  }
}
