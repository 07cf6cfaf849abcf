internal import CFileSystem
internal import Synchronization
package import SystemPackage

#if canImport(Glibc)
internal import Glibc
#else
internal import Darwin
#endif

/// Calls handlers when something happens in folders: with one inotify instance and one thread for the process.
///
/// A handler is called on that thread, and must be quick. It is called too often rather than too seldom: it compares what
/// it is interested in. Where the system does not report every change, nothing is observed, and callers poll.
package final class FolderObserver: Sendable {
  /// The observer of this process.
  package static let shared = FolderObserver()

  /// A folder that is observed as long as this value lives.
  package final class Observation: Sendable {
    private let observer: FolderObserver
    private let mark: Int32
    private let number: Int

    fileprivate init(_ observer: FolderObserver, mark: Int32, number: Int) {
      self.observer = observer
      self.mark = mark
      self.number = number
    }

    deinit { observer.end(mark, number) }
  }

  private struct State {
    /// The inotify instance; nil before the first observation.
    var watch: Int32?
    var isRunning = false
    var count = 0
    var handlers: [Int32: [Int: @Sendable () -> Void]] = [:]
  }

  private let state = Mutex(State())

  /// Observes a folder, and nothing below its members.
  ///
  /// - Parameters:
  ///   - folder: a folder; what its path leads to now is observed, wherever it is moved.
  ///   - handler: called after a change of the folder or of an item in it.
  /// - Returns: nil where not every change is reported.
  package func observe(
    _ folder: FilePath, _ handler: @escaping @Sendable () -> Void
  ) -> Observation? {
    let opened = folder.withPlatformString { open($0, O_RDONLY | O_DIRECTORY | O_CLOEXEC) }
    guard opened >= 0 else { return nil }
    defer { close(opened) }
    guard docversions_is_changed_here_only(opened) != 0 else { return nil }
    return state.withLock { state in
      if state.watch == nil {
        var most = 0
        let watch = docversions_watch_open(opened, &most)
        guard watch >= 0 else { return nil }
        state.watch = watch
      }
      guard let watch = state.watch else { return nil }
      if !state.isRunning {
        state.isRunning = Threads.detach { [self] in deliver(from: watch) }
        guard state.isRunning else { return nil }
      }
      let mark = folder.withPlatformString { docversions_watch_add(watch, $0) }
      guard mark >= 0 else { return nil }
      state.count += 1
      state.handlers[mark, default: [:]][state.count] = handler
      return Observation(self, mark: mark, number: state.count)
    }
  }

  private func end(_ mark: Int32, _ number: Int) {
    state.withLock { state in
      state.handlers[mark]?[number] = nil
      guard state.handlers[mark]?.isEmpty == true, let watch = state.watch else { return }
      state.handlers[mark] = nil
      docversions_watch_remove(watch, mark)
    }
  }

  /// Waits for reports, and calls handlers, for as long as the process lives.
  private func deliver(from watch: Int32) {
    withUnsafeTemporaryAllocation(of: Int32.self, capacity: Int(DOCVERSIONS_WATCH_MARKS)) { marks in
      while true {
        var waiting = pollfd(fd: watch, events: Int16(POLLIN), revents: 0)
        guard poll(&waiting, 1, -1) > 0 else { continue }
        let count = docversions_watch_read(watch, marks.baseAddress)
        // Reports were lost: anything may have changed.
        let changed = count < 0 ? nil : Set(marks.prefix(Int(count)))
        let handlers = state.withLock { state in
          state.handlers.filter { changed?.contains($0.key) ?? true }.flatMap(\.value.values)
        }
        for handler in handlers { handler() }
      }
    }
  }
}
