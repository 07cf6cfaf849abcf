internal import Synchronization

/// The progress of a long operation, in bytes, and the means to stop it.
///
/// The names are those of Foundation's `Progress`, which makes a small program start slower. To forward to it:
///
/// ```swift
/// store.progress = OperationProgress { [progress] now in
///   progress.totalUnitCount = now.totalUnitCount
///   progress.completedUnitCount = now.completedUnitCount
///   if progress.isCancelled { now.cancel() }
/// }
/// ```
public final class OperationProgress: Sendable {
  private struct State {
    var total: Int64 = 0
    var completed: Int64 = 0
    var isCancelled = false
  }

  private let state = Mutex(State())
  private let onChange: (@Sendable (OperationProgress) -> Void)?

  /// Makes a progress of which nothing is known yet.
  ///
  /// - Parameter onChange: called whenever the operation reports its progress, on its thread.
  public init(onChange: (@Sendable (OperationProgress) -> Void)? = nil) {
    self.onChange = onChange
  }

  /// The bytes to do in all; 0 while that is not known.
  public var totalUnitCount: Int64 {
    get { state.withLock { $0.total } }
    set { change { $0.total = newValue } }
  }

  /// The bytes that are done.
  public var completedUnitCount: Int64 {
    get { state.withLock { $0.completed } }
    set { change { $0.completed = newValue } }
  }

  /// The part that is done, from 0 to 1; 0 while the total is not known.
  public var fractionCompleted: Double {
    state.withLock { $0.total > 0 ? min(1, Double($0.completed) / Double($0.total)) : 0 }
  }

  /// True if all is done.
  public var isFinished: Bool {
    state.withLock { $0.total > 0 && $0.completed >= $0.total }
  }

  /// True if the operation shall stop.
  public var isCancelled: Bool { state.withLock { $0.isCancelled } }

  /// Asks the operation to stop.
  public func cancel() {
    state.withLock { $0.isCancelled = true }
  }

  private func change(_ body: (inout State) -> Void) {
    state.withLock { body(&$0) }
    onChange?(self)
  }
}
