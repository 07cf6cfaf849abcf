internal import Synchronization

/// How far a long operation is, in bytes, and the way to stop it.
///
/// Named as Foundation's `Progress`, which brings much along that a small program has to start with. To tell
/// that one:
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
  /// - Parameter onChange: called whenever the operation tells how far it is, on its thread.
  public init(onChange: (@Sendable (OperationProgress) -> Void)? = nil) {
    self.onChange = onChange
  }

  /// How much there is to do; 0 while that is not known.
  public var totalUnitCount: Int64 {
    get { state.withLock { $0.total } }
    set { change { $0.total = newValue } }
  }

  /// How much is done.
  public var completedUnitCount: Int64 {
    get { state.withLock { $0.completed } }
    set { change { $0.completed = newValue } }
  }

  /// What part is done, from 0 to 1; 0 while it is not known how much there is to do.
  public var fractionCompleted: Double {
    state.withLock { $0.total > 0 ? min(1, Double($0.completed) / Double($0.total)) : 0 }
  }

  /// Whether all is done.
  public var isFinished: Bool {
    state.withLock { $0.total > 0 && $0.completed >= $0.total }
  }

  /// Whether the operation shall stop.
  public var isCancelled: Bool { state.withLock { $0.isCancelled } }

  /// Tells the operation to stop.
  public func cancel() {
    state.withLock { $0.isCancelled = true }
  }

  private func change(_ body: (inout State) -> Void) {
    state.withLock { body(&$0) }
    onChange?(self)
  }
}
