internal import Synchronization

/// A signal that something may have changed, which is kept until it is waited for.
package final class ChangeSignal: Sendable {
  private let state = Mutex(State())

  private struct State {
    var isPending = false
    /// The stream of the present wait; a canceled wait ends its stream for good, so each has its own.
    var wait: AsyncStream<Void>.Continuation?
  }

  package init() {}

  package func send() {
    state.withLock { state in
      if let wait = state.wait { wait.yield() } else { state.isPending = true }
    }
  }

  /// Waits for a signal, up to a maximum time.
  package func next(within time: Duration) async {
    let (signals, signal) = AsyncStream.makeStream(
      of: Void.self, bufferingPolicy: .bufferingNewest(1))
    state.withLock { state in
      if state.isPending { signal.yield() }
      state = State(wait: signal)
    }
    await withTaskGroup(of: Void.self) { group in
      group.addTask { for await _ in signals { return } }
      group.addTask { do { try await Task.sleep(for: time) } catch {} }
      await group.next()
      group.cancelAll()
    }
    state.withLock { $0.wait = nil }
  }
}
