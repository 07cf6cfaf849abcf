internal import CFileSystem
internal import Synchronization
package import SystemPackage

#if canImport(Glibc)
internal import Glibc
#else
internal import Darwin
#endif

/// Calls handlers when folders change, with one inotify instance and one thread for the process.
///
/// A handler is called on that thread, and must be quick. It may be called without a relevant change, so it
/// compares the state that it depends on. If the system doesn't report every change, nothing is observed, and
/// callers poll.
package final class FolderObserver: Sendable {
  /// The observer of this process.
  package static let shared = FolderObserver()

  /// An observed folder, for as long as this value exists.
  package final class Observation: Sendable {
    private let observer: FolderObserver
    private let mark: Int32
    private let number: Int
    private let member: [UInt8]?

    fileprivate init(_ observer: FolderObserver, mark: Int32, number: Int, member: [UInt8]?) {
      self.observer = observer
      self.mark = mark
      self.number = number
      self.member = member
    }

    deinit { observer.end(mark, number, member) }
  }

  /// The reason why not every change in a folder is reported.
  package enum Obstacle: Error {
    /// Other machines may write to its file system, or it can't be opened.
    case place
    /// The user's programs already observe as many folders as the system allows.
    case folderLimit
    /// The user already has as many programs that observe folders as the system allows.
    case programLimit
  }

  private struct State {
    /// The inotify instance; nil before the first observation.
    var watch: Int32?
    var isRunning = false
    var count = 0
    var handlers: [Int32: Handlers] = [:]
  }

  /// The handlers of one folder, by their identifiers.
  private struct Handlers {
    typealias Handler = @Sendable (_ member: [UInt8]?) -> Void

    private var ofAll: [Int: Handler] = [:]
    private var ofMembers: [[UInt8]: [Int: Handler]] = [:]

    var isEmpty: Bool { ofAll.isEmpty && ofMembers.isEmpty }

    /// Returns the handlers for a change of a member; all handlers for nil.
    func concerned(by member: [UInt8]?) -> [Handler] {
      guard let member else { return Array(ofAll.values) + ofMembers.values.flatMap(\.values) }
      return Array(ofAll.values) + Array((ofMembers[member] ?? [:]).values)
    }

    mutating func add(_ handler: @escaping Handler, number: Int, of member: [UInt8]?) {
      if let member {
        ofMembers[member, default: [:]][number] = handler
      } else {
        ofAll[number] = handler
      }
    }

    mutating func remove(_ number: Int, of member: [UInt8]?) {
      guard let member else { return ofAll[number] = nil }
      ofMembers[member]?[number] = nil
      if ofMembers[member]?.isEmpty == true { ofMembers[member] = nil }
    }
  }

  private let state = Mutex(State())

  /// Observes a folder, but nothing below its members.
  ///
  /// - Parameters:
  ///   - folder: the path of a folder, which is observed even if it is moved.
  ///   - member: the name of the only relevant member; nil for all of them.
  ///   - handler: called after a change of the folder or of a relevant member.
  /// - Returns: nil if not every change is reported.
  package func observe(
    _ folder: FilePath, member: [UInt8]? = nil, _ handler: @escaping @Sendable () -> Void
  ) -> Observation? {
    do { return try begin(folder, member: member) { _ in handler() } } catch { return nil }
  }

  /// Observes a folder, but nothing below its members.
  ///
  /// - Parameter handler: receives the name of the member that changed; nil for the folder itself, and if
  ///   anything in it may have changed.
  /// - Returns: nil if not every change is reported.
  package func observe(
    membersOf folder: FilePath, _ handler: @escaping @Sendable (_ member: [UInt8]?) -> Void
  ) -> Observation? {
    do { return try begin(folder, member: nil, handler) } catch { return nil }
  }

  /// Observes a folder like ``observe(membersOf:_:)``, and returns the obstacle if that fails.
  package func observeOrExplain(
    membersOf folder: FilePath, _ handler: @escaping @Sendable (_ member: [UInt8]?) -> Void
  ) -> Result<Observation, Obstacle> {
    Result { () throws(Obstacle) in try begin(folder, member: nil, handler) }
  }

  /// Calls a handler whenever a file system is mounted or unmounted, for as long as the observation exists.
  package func observeMounts(_ handler: @escaping @Sendable () -> Void) -> Observation? {
    state.withLock { state in
      guard let watch = state.watch, state.isRunning, watch >= 0 else { return nil }
      state.count += 1
      state.handlers[Self.mounts, default: Handlers()].add(
        { _ in handler() }, number: state.count, of: nil)
      return Observation(self, mark: Self.mounts, number: state.count, member: nil)
    }
  }

  /// The mark for mounts, which no folder has.
  private static let mounts: Int32 = -1

  private func begin(
    _ folder: FilePath, member: [UInt8]?, _ handler: @escaping Handlers.Handler
  ) throws(Obstacle) -> Observation {
    let opened = folder.withPlatformString { open($0, O_RDONLY | O_DIRECTORY | O_CLOEXEC) }
    guard opened >= 0 else { throw .place }
    defer { close(opened) }
    guard docversions_is_changed_here_only(opened) != 0 else { throw .place }
    return try state.withLock { state throws(Obstacle) in
      if state.watch == nil {
        var most = 0
        let watch = docversions_watch_open(opened, &most)
        guard watch >= 0 else { throw .programLimit }
        state.watch = watch
      }
      guard let watch = state.watch else { throw .programLimit }
      if !state.isRunning {
        state.isRunning = Threads.detach { [self] in deliver(from: watch) }
        guard state.isRunning else { throw .programLimit }
      }
      let mark = folder.withPlatformString { docversions_watch_add(watch, $0) }
      guard mark >= 0 else { throw errno == ENOSPC ? .folderLimit : .place }
      state.count += 1
      state.handlers[mark, default: Handlers()].add(handler, number: state.count, of: member)
      return Observation(self, mark: mark, number: state.count, member: member)
    }
  }

  private func end(_ mark: Int32, _ number: Int, _ member: [UInt8]?) {
    state.withLock { state in
      state.handlers[mark]?.remove(number, of: member)
      guard state.handlers[mark]?.isEmpty == true, let watch = state.watch else { return }
      state.handlers[mark] = nil
      guard mark != Self.mounts else { return }
      docversions_watch_remove(watch, mark)
    }
  }

  /// Waits for reports and calls handlers, as long as the process runs.
  private func deliver(from watch: Int32) {
    withUnsafeTemporaryAllocation(
      of: docversions_watch_report.self, capacity: Int(DOCVERSIONS_WATCH_REPORTS)
    ) { reports in
      // Its contents don't matter, only their changes; if it can't be opened, -1 is ignored.
      let mounts = open("/proc/self/mounts", O_RDONLY | O_CLOEXEC)
      while true {
        var waiting = [
          pollfd(fd: watch, events: Int16(POLLIN), revents: 0),
          pollfd(fd: mounts, events: Int16(POLLPRI), revents: 0),
        ]
        guard poll(&waiting, 2, -1) > 0 else { continue }
        if waiting[1].revents != 0 {
          let handlers = state.withLock { $0.handlers[Self.mounts]?.concerned(by: nil) ?? [] }
          for handler in handlers { handler(nil) }
        }
        guard waiting[0].revents != 0 else { continue }
        let count = docversions_watch_read(watch, reports.baseAddress)
        // Reports were lost, so anything may have changed.
        let changed = count < 0 ? nil : Set(reports.prefix(Int(count)).map(Change.init))
        let handlers = state.withLock { state in
          guard let changed else {
            return state.handlers.values.flatMap { $0.concerned(by: nil) }.map {
              ($0, [UInt8]?.none)
            }
          }
          return changed.flatMap { change in
            (state.handlers[change.mark]?.concerned(by: change.member) ?? [])
              .map { ($0, change.member) }
          }
        }
        for (handler, member) in handlers { handler(member) }
      }
    }
  }

  /// A change in a folder.
  private struct Change: Hashable {
    let mark: Int32
    /// The name of the member; nil for the folder itself.
    let member: [UInt8]?

    init(_ report: docversions_watch_report) {
      mark = report.mark
      let name = withUnsafeBytes(of: report.name) { Array($0.prefix { $0 != 0 }) }
      member = name.isEmpty ? nil : name
    }
  }
}
