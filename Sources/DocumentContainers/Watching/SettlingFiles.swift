internal import DocumentFiles
internal import DocumentStore
internal import Foundation
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
    /// The identity of the file, by which it is found at another path.
    var mark: ItemMark?
    /// The path from which it was moved since the first change.
    var origin: FilePath?
  }

  private var changes: [FilePath: Change] = [:]

  init(pause: Duration) { self.pause = pause }

  /// Returns the time since a file last changed; zero if the clock was set back.
  static func age(of status: FileStatus?, at date: Date) -> Duration {
    guard let status else { return .zero }
    let age = date.timeIntervalSince1970 - Double(status.modified) / 1e9
    return age > 0 ? .seconds(min(age, 86_400)) : .zero
  }

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
    change.mark = status.map { ItemMark($0, at: file) }
    changes[file] = change
  }

  /// Forgets the changes of files.
  mutating func forget(where isForgotten: (FilePath) -> Bool) {
    changes = changes.filter { !isForgotten($0.key) }
  }

  /// Returns the files that were moved to other paths before they were due, by their paths at the first change.
  ///
  /// - Parameter left: the paths of items that are no longer there; those of folders stand for all files in
  ///   them.
  mutating func takeMoved(from left: Set<FilePath>) -> [FilePath: FilePath] {
    guard !left.isEmpty else { return [:] }
    let gone = changes.filter { change in
      sequence(first: change.key) { $0.components.isEmpty ? nil : $0.parentFolder }
        .contains(where: left.contains)
    }
    guard !gone.isEmpty else { return [:] }
    for file in gone.keys { changes[file] = nil }
    let places = Dictionary(
      changes.compactMap { file, change in change.mark.map { ($0, file) } },
      uniquingKeysWith: { first, _ in first })
    var moved: [FilePath: FilePath] = [:]
    for (file, change) in gone {
      guard let place = change.mark.flatMap({ places[$0] }) else { continue }
      let origin = change.origin ?? file
      changes[place]?.origin = origin
      moved[origin] = place
    }
    return moved
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
