internal import DocumentCoordination
internal import DocumentPresenting
internal import DocumentStore

/// Following changes by other programs and devices to the file and its versions.
extension Document {
  /// Observes the file at its present location.
  func observe() async {
    await access.present()
    guard environment.observesFiles else { return }
    await monitor.begin(at: fileURL, isPackage: file.isPackage)
  }

  /// Compares the file with its last known state, and its versions with ``state``.
  package func check() async { await check(Set(FileMonitor.Subject.allCases)) }

  func check(_ subjects: Set<FileMonitor.Subject>) async {
    await FileCheck(of: self).run(subjects)
  }

  /// Compares the file after another program's access, and takes it back.
  func reacquire(from writer: FileAccess) async {
    await check([.file])
    if let index = coordinatedWriters.firstIndex(of: writer) {
      coordinatedWriters.remove(at: index)
    }
  }

  /// Waits until the document has no more automatic work at this time of its clock.
  package func settle() async {
    repeat {
      while autosaver.isDue || absence.isDue { await Task.yield() }
      do { try await lane.run {} } catch {}
    } while autosaver.isDue || absence.isDue
  }

  /// Updates the state from the versions in conflict, and notifies the presenter of added and removed versions.
  func refreshConflict() async {
    do {
      let found = try await PresentedVersions(of: fileURL, in: environment.store)
      setConflict(found.isInConflict)
      defer { versions = found }
      guard isOpen, let former = versions else { return }
      // Outside the lane, because an override may save.
      Task.outsideAccesses { [weak self] in await found.report(since: former, to: self) }
    } catch let error as VersionError where error.code == .damaged {
      file.damage = error
      reportDamage()
    } catch {
      report(error)
    }
  }

  func setConflict(_ isInConflict: Bool) {
    if isInConflict { state.insert(.inConflict) } else { state.remove(.inConflict) }
  }
}
