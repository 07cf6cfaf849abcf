internal import Dispatch
package import DocumentFiles
internal import Synchronization
package import SystemPackage

#if canImport(Glibc)
internal import Glibc
#else
internal import Darwin
#endif

/// A group of concurrent operations that share their waits for the disk.
///
/// It uses `syncfs`, which waits for everything that was written to a file system. That pays off if many operations
/// wait, and is used only if failures are reported: on Linux 5.8 or later, on local file systems.
package final class SyncGroup: Sendable {
  /// The device of the file system.
  let device: UInt64
  private let synchronize: @Sendable () -> Int32
  /// Held by the operation whose turn it is; `nil` if all run at the same time.
  private let turn: DispatchSemaphore?
  private let state = Mutex(State())

  private struct State {
    /// The number of active operations.
    var active = 0
    /// The next wait.
    var round = Round()
  }

  /// A wait for the disk, shared by the operations that requested it before it began.
  private final class Round: Sendable {
    let isFull = DispatchSemaphore(value: 0)
    let isDone = DispatchSemaphore(value: 0)
    let members = Atomic(0)
    let failure = Atomic<Int32>(0)

    func isComplete(of active: Int) -> Bool {
      let members = members.load(ordering: .relaxed)
      return members > 0 && members >= active
    }
  }

  /// - Parameters:
  ///   - device: the device of the file system.
  ///   - takesTurns: whether only one operation runs at a time, and another one while it waits.
  ///   - synchronize: waits until everything written is on disk; returns the system’s error number, or 0.
  init(
    device: UInt64, takingTurns takesTurns: Bool = false,
    synchronize: @escaping @Sendable () -> Int32
  ) {
    self.device = device
    self.synchronize = synchronize
    turn = takesTurns ? DispatchSemaphore(value: 1) : nil
  }

  /// Creates a group for stores on the file system of a folder; `nil` if each must wait on its own.
  ///
  /// - Parameters:
  ///   - folder: the folder.
  ///   - takesTurns: whether only one operation runs at a time, and another one while it waits for the disk, so that
  ///     they can share what threads can’t use at the same time.
  package convenience init?(
    onFileSystemOf folder: FilePath, takingTurns takesTurns: Bool = false
  ) throws(FileError) {
    guard let status = try FileStatus.of(folder, followingLink: true),
      let disk = try DeferredWait(onFileSystemOf: folder)
    else { return nil }
    self.init(device: status.device, takingTurns: takesTurns) {
      do throws(FileError) { try disk.wait() } catch { return error.systemError ?? EIO }
      return 0
    }
  }

  /// Runs an operation that shares waits for the disk with the others.
  package func join<Result>(_ body: () throws -> Result) rethrows -> Result {
    state.withLock { $0.active += 1 }
    turn?.wait()
    defer {
      turn?.signal()
      state.withLock { state in
        state.active -= 1
        if state.round.isComplete(of: state.active) { state.round.isFull.signal() }
      }
    }
    return try body()
  }

  /// Waits until everything that was written before is on disk.
  ///
  /// The first operation waits only a short time for the others, because they may be busy, or wait for something else.
  func wait() throws(GitError) {
    let (round, isFirst) = state.withLock { state in
      let number = state.round.members.wrappingAdd(1, ordering: .relaxed).newValue
      if state.round.isComplete(of: state.active) { state.round.isFull.signal() }
      return (state.round, number == 1)
    }
    turn?.signal()
    defer { turn?.wait() }
    if isFirst {
      _ = round.isFull.wait(timeout: .now() + .milliseconds(30))
      let others = state.withLock { state in
        state.round = Round()
        return round.members.load(ordering: .relaxed) - 1
      }
      round.failure.store(synchronize(), ordering: .releasing)
      for _ in 0..<others { round.isDone.signal() }
    } else {
      round.isDone.wait()
    }
    let failure = round.failure.load(ordering: .acquiring)
    if failure != 0 { throw .fromSystem("write to disk", failure) }
  }
}
