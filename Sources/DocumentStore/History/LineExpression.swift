internal import Dispatch
internal import DocumentFiles
internal import Foundation
internal import Synchronization

/// A regular expression that is compared with lines, for a limited time.
///
/// Some expressions take a time that is exponential in the length of a line, and a search can't be stopped. So each
/// text is searched on a separate thread, which is abandoned if it makes no progress; then no other text is searched.
final class LineExpression: Sendable {
  private let pattern: String
  private let limit: Duration
  private let isStuck = Atomic(false)

  /// - Parameter limit: the longest time for a single line.
  init(_ pattern: String, longestMatch limit: Duration) {
    self.pattern = pattern
    self.limit = limit
  }

  /// Returns the matches in each line.
  ///
  /// - Throws: ``VersionError`` with code `invalidArgument` if a line takes too long.
  func matches(in lines: [ArraySlice<UInt8>]) throws -> [[String]] {
    guard !lines.isEmpty else { return [] }
    guard !isStuck.load(ordering: .relaxed) else { throw tooSlow }
    let search = Search(pattern, lines)
    guard Threads.detach(search.run) else {
      throw VersionError(
        .system, document: "", message: "The system has no thread left to search on.")
    }
    var done = -1
    while !search.hasEnded(within: limit) {
      let now = search.doneCount
      if now == done {
        search.abandon()
        isStuck.store(true, ordering: .relaxed)
        throw tooSlow
      }
      done = now
    }
    return try search.result()
  }

  private var tooSlow: VersionError {
    VersionError(
      .invalidArgument, document: "",
      message: """
        The expression “\(Printable.text(pattern))” takes more than \(Int((limit / .seconds(1)).rounded(.up))) s for \
        a line.
        """,
      hint: "Write it without repetitions inside repetitions: “a+$” instead of “(a+)+$”.")
  }
}

/// The search of one text; an abandoned search ends after the present line.
private final class Search: Sendable {
  private struct State {
    var matches: [[String]] = []
    var failure: (any Error)?
    var isAbandoned = false
  }

  private let pattern: String
  private let lines: [ArraySlice<UInt8>]
  private let state = Mutex(State())
  private let end = DispatchSemaphore(value: 0)

  init(_ pattern: String, _ lines: [ArraySlice<UInt8>]) {
    self.pattern = pattern
    self.lines = lines
  }

  @Sendable func run() {
    do {
      let expression = try Regex(pattern)
      for line in lines where !state.withLock(\.isAbandoned) {
        let text = String(decoding: line, as: UTF8.self)
        let found = text.matches(of: expression).map { String(text[$0.range]) }
        state.withLock { $0.matches.append(found) }
      }
    } catch {
      state.withLock { $0.failure = error }
    }
    end.signal()
  }

  func hasEnded(within limit: Duration) -> Bool {
    end.wait(timeout: .now() + limit / .seconds(1)) == .success
  }

  /// The number of searched lines.
  var doneCount: Int { state.withLock(\.matches.count) }

  func abandon() { state.withLock { $0.isAbandoned = true } }

  func result() throws -> [[String]] {
    try state.withLock { state in
      if let failure = state.failure { throw failure }
      return state.matches
    }
  }
}
