import DocumentTestSupport
import Foundation
import Synchronization
import Testing

/// Work that several threads do at the same time.
enum Crowd {
  /// Runs a body once for each member, each on a separate thread, and waits for all.
  ///
  /// It uses threads rather than tasks, because all must work at once, regardless of the number of
  /// processors.
  static func run(_ count: Int, _ body: @escaping @Sendable (Int) throws -> Void) throws {
    let loops = (0..<count).map { member in
      BackgroundLoop { _ in
        try body(member)
        return false
      }
    }
    for loop in loops { try loop.join() }
  }
}

/// Work that is repeated on a separate thread.
final class BackgroundLoop: Sendable {
  private let isStopping = Atomic(false)
  private let rounds = Atomic(0)
  private let failure = Mutex<(any Error)?>(nil)
  private let group = DispatchGroup()

  /// Starts.
  ///
  /// - Parameter work: receives the number of the round, and returns whether to continue.
  init(_ work: @escaping @Sendable (Int) throws -> Bool) {
    group.enter()
    Thread.detachNewThread { [self] in
      defer { group.leave() }
      do {
        while !isStopping.load(ordering: .acquiring) {
          let round = rounds.wrappingAdd(1, ordering: .relaxed).oldValue
          guard try work(round) else { return }
        }
      } catch {
        failure.withLock { $0 = error }
      }
    }
  }

  /// Waits until the work ends by itself.
  func join() throws {
    group.wait()
    if let error = failure.withLock({ $0 }) { throw error }
  }

  /// Ends the loop after the current round.
  ///
  /// - Parameter count: the minimum number of rounds, unless an error ended them.
  /// - Returns: the number of rounds.
  @discardableResult
  func stop(after count: Int = 0) throws -> Int {
    let isEnough = eventually {
      rounds.load(ordering: .relaxed) >= count || failure.withLock { $0 != nil }
    }
    #expect(isEnough, "there were less than \(count) rounds")
    isStopping.store(true, ordering: .releasing)
    try join()
    return rounds.load(ordering: .relaxed)
  }
}
