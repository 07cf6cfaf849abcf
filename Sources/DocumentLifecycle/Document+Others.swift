internal import DocumentCoordination
internal import DocumentStore

/// What other programs and devices do to the file and its versions.
extension Document {
  /// Observes the file where it is now.
  func observe() async {
    await access.present()
    guard environment.observesFiles else { return }
    await monitor.begin(at: fileURL, isPackage: file.isPackage)
  }

  /// Compares the file with what is known of it, and its versions with the state.
  ///
  /// The document does this by itself when something happens.
  package func check() async { await check(Set(FileMonitor.Subject.allCases)) }

  func check(_ subjects: Set<FileMonitor.Subject>) async {
    await FileCheck(of: self).run(subjects)
  }

  /// Waits until the document has nothing more to do by itself at this time of its clock.
  package func settle() async {
    repeat {
      while autosaver.isDue || absence.isDue { await Task.yield() }
      do { try await lane.run {} } catch {}
    } while autosaver.isDue || absence.isDue
  }

  /// Sets the state by the versions in conflict, and notifies the presenter of versions that came and went.
  func refreshConflict() async {
    do {
      let found = try await PresentedVersions(of: fileURL, in: environment.store)
      setConflict(found.isInConflict)
      defer { versions = found }
      guard isOpen, let former = versions else { return }
      // Outside of the lane: an override may save.
      Task { [weak self] in await found.report(since: former, to: self) }
    } catch {
      report(error)
    }
  }

  func setConflict(_ isInConflict: Bool) {
    if isInConflict { state.insert(.inConflict) } else { state.remove(.inConflict) }
  }
}
