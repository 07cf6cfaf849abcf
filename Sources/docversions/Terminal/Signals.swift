internal import DocumentVersions
internal import Foundation
internal import Synchronization

/// The signals that stop the program.
///
/// A thread waits for them, so signal handlers do nothing. The first signal stops the work between two
/// pieces, without any change. If the work doesn't stop within two seconds, or at a second signal, the
/// program ends at once, which harms no store.
enum Signals {
  private struct State {
    /// The progress that cancels the work; `nil` while no work can be stopped.
    var progress: OperationProgress?
    var received: Int32?
    /// The exit code, once it is certain.
    var outcome: ExitStatus?
  }

  private static let state = Mutex(State())

  static func prepare() {
    // A program that reads the output may stop; this one still finishes its work.
    signal(SIGPIPE, SIG_IGN)
    // A limit on the file size is a failure like a full disk.
    signal(SIGXFSZ, SIG_IGN)
    var set = sigset_t()
    sigemptyset(&set)
    for number in [SIGINT, SIGTERM] {
      // A program started in the background may have inherited ignored signals.
      signal(number, SIG_DFL)
      sigaddset(&set, number)
    }
    // But `nohup` is respected.
    if !isIgnored(SIGHUP) { sigaddset(&set, SIGHUP) }
    // This precedes all other threads, because they inherit the mask.
    pthread_sigmask(SIG_BLOCK, &set, nil)
    let signals = set
    // If no thread can be created, the signals have their default effect, which harms no store either.
    if !Threads.detach({ waitForSignals(signals) }) {
      pthread_sigmask(SIG_UNBLOCK, &set, nil)
    }
  }

  /// Restores the default effect of signals, for the program that this process becomes.
  static func handBack() {
    var set = sigset_t()
    sigfillset(&set)
    pthread_sigmask(SIG_UNBLOCK, &set, nil)
  }

  /// The exit code after a signal.
  static var status: ExitStatus {
    switch state.withLock({ $0.received }) {
    case SIGTERM: .terminated
    case SIGHUP: .hungUp
    default: .interrupted
    }
  }

  /// True if a signal has arrived.
  static var isStopping: Bool { state.withLock { $0.received != nil } }

  /// From here on, a signal cancels the progress.
  ///
  /// - Parameter outcome: the exit code even then, because the command has reported it.
  /// - Throws: `CancellationError` if there was one already.
  static func beginCancellable(
    _ progress: OperationProgress, after outcome: ExitStatus? = nil
  ) throws {
    let isStopped = state.withLock { state in
      state.progress = progress
      state.outcome = outcome
      return state.received != nil
    }
    if isStopped { throw CancellationError() }
  }

  /// From here on, a signal ends the program.
  static func endCancellable() {
    state.withLock { $0.progress = nil }
  }

  private static func isIgnored(_ number: Int32) -> Bool {
    var action = sigaction()
    guard sigaction(number, nil, &action) == 0 else { return false }
    #if canImport(Glibc)
    let handler = action.__sigaction_handler.sa_handler
    #else
    let handler = action.__sigaction_u.__sa_handler
    #endif
    return unsafeBitCast(handler, to: UInt.self) == unsafeBitCast(SIG_IGN, to: UInt.self)
  }

  private static func waitForSignals(_ signals: sigset_t) {
    var set = signals
    while true {
      var number: Int32 = 0
      guard sigwait(&set, &number) == 0 else { continue }
      let progress = state.withLock { state -> OperationProgress? in
        defer { state.received = number }
        return state.received == nil ? state.progress : nil
      }
      guard let progress else { end() }
      progress.cancel()
      let endLater = { @Sendable in
        Threads.sleep(seconds: 2)
        if state.withLock({ $0.progress === progress }) { end() }
      }
      if !Threads.detach(endLater) { endLater() }
    }
  }

  private static func end() -> Never {
    ProgressLine.clear()
    SignInQuestion.restoreTerminal()
    // The pager uses the terminal until the person leaves it.
    Pager.end()
    _exit((state.withLock { $0.outcome } ?? status).rawValue)
  }
}
