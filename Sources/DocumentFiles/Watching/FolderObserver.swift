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
    private let member: [UInt8]?

    fileprivate init(_ observer: FolderObserver, mark: Int32, number: Int, member: [UInt8]?) {
      self.observer = observer
      self.mark = mark
      self.number = number
      self.member = member
    }

    deinit { observer.end(mark, number, member) }
  }

  /// Why not every change in a folder is reported.
  package enum Obstacle: Error {
    /// Other machines may write to its file system, or it can't be opened.
    case place
    /// The user's programs observe as many folders as the system allows.
    case folderLimit
    /// As many of the user's programs observe folders as the system allows.
    case programLimit
  }

  private struct State {
    /// The inotify instance; nil before the first observation.
    var watch: Int32?
    var isRunning = false
    var count = 0
    var handlers: [Int32: Handlers] = [:]
  }

  /// The handlers of one folder, by their numbers.
  private struct Handlers {
    typealias Handler = @Sendable (_ member: [UInt8]?) -> Void

    private var ofAll: [Int: Handler] = [:]
    private var ofMembers: [[UInt8]: [Int: Handler]] = [:]

    var isEmpty: Bool { ofAll.isEmpty && ofMembers.isEmpty }

    /// Those for which something that happened to a member counts; all of them for nil.
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

  /// Observes a folder, and nothing below its members.
  ///
  /// - Parameters:
  ///   - folder: a folder; what its path leads to now is observed, wherever it is moved.
  ///   - member: the name of the only member that counts; nil for all of them.
  ///   - handler: called after a change of the folder or of a member that counts.
  /// - Returns: nil if not every change is reported.
  package func observe(
    _ folder: FilePath, member: [UInt8]? = nil, _ handler: @escaping @Sendable () -> Void
  ) -> Observation? {
    do { return try begin(folder, member: member) { _ in handler() } } catch { return nil }
  }

  /// Observes a folder, and nothing below its members.
  ///
  /// - Parameter handler: gets the name of the member that changed; nil for the folder itself, and where anything in it may
  ///   have changed.
  /// - Returns: nil if not every change is reported.
  package func observe(
    membersOf folder: FilePath, _ handler: @escaping @Sendable (_ member: [UInt8]?) -> Void
  ) -> Observation? {
    do { return try begin(folder, member: nil, handler) } catch { return nil }
  }

  /// Observes a folder as ``observe(membersOf:_:)`` does, and says what keeps it from that.
  package func observeOrExplain(
    membersOf folder: FilePath, _ handler: @escaping @Sendable (_ member: [UInt8]?) -> Void
  ) -> Result<Observation, Obstacle> {
    Result { () throws(Obstacle) in try begin(folder, member: nil, handler) }
  }

  /// Calls a handler whenever something is mounted or unmounted, for as long as the observation lives.
  package func observeMounts(_ handler: @escaping @Sendable () -> Void) -> Observation? {
    state.withLock { state in
      guard let watch = state.watch, state.isRunning, watch >= 0 else { return nil }
      state.count += 1
      state.handlers[Self.mounts, default: Handlers()].add(
        { _ in handler() }, number: state.count, of: nil)
      return Observation(self, mark: Self.mounts, number: state.count, member: nil)
    }
  }

  /// The mark of no folder.
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

  /// Waits for reports, and calls handlers, for as long as the process lives.
  private func deliver(from watch: Int32) {
    withUnsafeTemporaryAllocation(
      of: docversions_watch_report.self, capacity: Int(DOCVERSIONS_WATCH_REPORTS)
    ) { reports in
      // Its contents never matter, only that they changed; without it, -1 is no file.
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
        // Reports were lost: anything may have changed.
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

  /// Something that happened in a folder.
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
