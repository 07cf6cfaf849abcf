internal import DocumentFiles
internal import SystemPackage

/// The files that have changed and haven't been left alone for long enough yet.
struct SettlingFiles {
  /// The time without changes after which a file counts as settled.
  let pause: Duration
  /// The time after which a file that keeps changing is due nevertheless.
  var longest: Duration { max(pause * 10, .seconds(60)) }

  private struct Change {
    /// The times of the first and the last change that haven't been handled.
    var first, last: ContinuousClock.Instant
    var status: FileStatus?
  }

  private var changes: [FilePath: Change] = [:]

  init(pause: Duration) { self.pause = pause }

  /// Records a change.
  ///
  /// - Parameter age: the time since the file was modified, if that is known.
  mutating func touch(
    _ file: FilePath, _ status: FileStatus?, at now: ContinuousClock.Instant,
    age: Duration = .zero
  ) {
    let before = now - age
    var change = changes[file] ?? Change(first: before, last: before)
    change.last = max(change.last, before)
    change.status = status
    changes[file] = change
  }

  /// Removes and returns the files that are due, because they haven't changed during the pause, or the
  /// longest time has passed.
  ///
  /// - Parameters:
  ///   - status: returns the present status of a file; nil if it is gone. A status that differs from the one
  ///     at the last change is also a change, which the system didn't report.
  ///   - isHeld: returns whether a file stays for now.
  mutating func takeDue(
    at now: ContinuousClock.Instant, status: (FilePath) -> FileStatus?,
    except isHeld: (FilePath) -> Bool = { _ in false }
  ) -> [FilePath] {
    var due: [FilePath] = []
    for (file, change) in changes where isDue(change, at: now) && !isHeld(file) {
      let present = status(file)
      guard let present else {
        changes[file] = nil
        continue
      }
      if now - change.first < longest, change.status?.isSameContent(as: present) != true {
        changes[file]?.last = now
        changes[file]?.status = present
      } else {
        due.append(file)
        changes[file] = nil
      }
    }
    return due.sorted { $0.string < $1.string }
  }

  /// Removes all files, and returns those that haven't changed since the last recorded change, with the time
  /// since then.
  mutating func takeAll(
    at now: ContinuousClock.Instant, status: (FilePath) -> FileStatus?
  ) -> [(file: FilePath, age: Duration)] {
    defer { changes = [:] }
    return changes.filter { file, change in
      status(file).map { change.status?.isSameContent(as: $0) == true } ?? false
    }.map { ($0.key, now - $0.value.last) }.sorted { $0.file.string < $1.file.string }
  }

  private func isDue(_ change: Change, at now: ContinuousClock.Instant) -> Bool {
    now - change.last >= pause || now - change.first >= longest
  }

  /// Returns whether any file has changed within a time without being handled.
  func hasChanged(within time: Duration, before now: ContinuousClock.Instant) -> Bool {
    changes.values.contains { now - $0.last < time }
  }

  /// Returns whether a file has changed within a time and hasn't been handled.
  func contains(
    _ file: FilePath, changedWithin time: Duration, before now: ContinuousClock.Instant
  ) -> Bool {
    changes[file].map { now - $0.last < time } ?? false
  }

  /// Returns the time when the next file may be due; nil if there is none.
  func nextDue(except isHeld: (FilePath) -> Bool = { _ in false }) -> ContinuousClock.Instant? {
    // This avoids a copy, because there may be many files, and each change calls this.
    changes.reduce(nil) { next, change in
      guard !isHeld(change.key) else { return next }
      let due = min(change.value.last + pause, change.value.first + longest)
      return next.map { min($0, due) } ?? due
    }
  }

  var count: Int { changes.count }
}
