internal import DocumentCoordination
internal import DocumentStore

/// What other programs and devices do to the file and its versions (UL8–UL11).
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
  public func check() async { await check(Set(FileMonitor.Subject.allCases)) }

  func check(_ subjects: Set<FileMonitor.Subject>) async {
    do {
      try await lane.run { [self] in
        guard isOpen else { return }
        if subjects.contains(.file) { try await FileCheck(of: self).run() }
        if subjects.contains(.versions) { await refreshConflict() }
      }
    } catch let error as CoordinationError where error.code == .busy {
      // Another program is at it for long: then it is looked at again.
      recheck()
    } catch {
      report(error)
    }
  }

  private func recheck() {
    let moment = environment.clock.now() + .seconds(1)
    Task { [weak self, environment] in
      do { try await environment.clock.sleepUntil(moment) } catch { return }
      await self?.check()
    }
  }

  /// Waits until the document has nothing more to do by itself at this time of its clock.
  package func settle() async {
    repeat {
      while autosaver.isDue || absence.isDue { await Task.yield() }
      do { try await lane.run {} } catch {}
    } while autosaver.isDue || absence.isDue
  }

  /// Sets the state by the versions in conflict (UL11, AS20).
  func refreshConflict() async {
    do {
      let open = try await FileVersion.unresolvedConflicts(of: fileURL, store: environment.store)
      setConflict(open?.isEmpty == false)
    } catch {
      report(error)
    }
  }

  func setConflict(_ isInConflict: Bool) {
    if isInConflict { state.insert(.inConflict) } else { state.remove(.inConflict) }
  }
}
