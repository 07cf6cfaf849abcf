internal import DocumentFiles
internal import SystemPackage

/// The files that have changed, until they have been left alone for long enough.
struct SettlingFiles {
  /// How long a file is left alone before it counts as settled.
  let pause: Duration
  /// A file that never comes to rest is taken all the same after this time.
  var longest: Duration { max(pause * 10, .seconds(60)) }

  private struct Change {
    /// When the first change was seen that is not dealt with, and the last one.
    var first, last: ContinuousClock.Instant
    var status: FileStatus?
  }

  private var changes: [FilePath: Change] = [:]

  init(pause: Duration) { self.pause = pause }

  /// Takes note of a change.
  ///
  /// - Parameter age: how long ago the file was modified, where that is known.
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

  /// Takes files out that are due: nothing has happened to them for the pause, or the longest time has passed.
  ///
  /// - Parameters:
  ///   - status: the status that a file has now; nil if it is gone. One that is another than at the last change is a
  ///     change, too, which the system did not report.
  ///   - isHeld: whether a file stays for now.
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

  /// Takes all files out, and returns those that are as they were at the last change, with the time since.
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

  /// Returns whether a file has changed within a time, and is not dealt with.
  func hasChanged(within time: Duration, before now: ContinuousClock.Instant) -> Bool {
    changes.values.contains { now - $0.last < time }
  }

  /// Returns whether a file is waited for that has changed within a time.
  func contains(
    _ file: FilePath, changedWithin time: Duration, before now: ContinuousClock.Instant
  ) -> Bool {
    changes[file].map { now - $0.last < time } ?? false
  }

  /// When the next file may be due; nil if none is waited for.
  func nextDue(except isHeld: (FilePath) -> Bool = { _ in false }) -> ContinuousClock.Instant? {
    // Without a copy of them: there may be many, and each change asks this.
    changes.reduce(nil) { next, change in
      guard !isHeld(change.key) else { return next }
      let due = min(change.value.last + pause, change.value.first + longest)
      return next.map { min($0, due) } ?? due
    }
  }

  var count: Int { changes.count }
}
