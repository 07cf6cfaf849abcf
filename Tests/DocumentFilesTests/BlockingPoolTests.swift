import DocumentTestSupport
import Foundation
import Synchronization
import Testing

@testable import DocumentFiles

@Suite("Blocking pool")
struct BlockingPoolTests {
  /// The running jobs, and the finished ones.
  private final class Board: Sendable {
    private let counts = Mutex((now: 0, most: 0, done: [Int]()))
    private let ended = DispatchSemaphore(value: 0)

    var most: Int { counts.withLock { $0.most } }
    var done: [Int] { counts.withLock { $0.done } }

    func job(_ number: Int, _ body: @escaping @Sendable () -> Void = {}) -> @Sendable () -> Void {
      { [self] in
        counts.withLock {
          $0.now += 1
          $0.most = max($0.most, $0.now)
        }
        body()
        counts.withLock {
          $0.now -= 1
          $0.done.append(number)
        }
        ended.signal()
      }
    }

    /// Waits for jobs to end; returns false if one takes too long.
    func wait(for count: Int = 1) -> Bool {
      (0..<count).allSatisfy { _ in ended.wait(timeout: .now() + 60) == .success }
    }
  }

  @Test("Jobs begin in their order, no more at a time than the pool is wide, and all are done")
  func width() {
    let board = Board()
    let pool = BlockingPool(width: 3)
    for number in 0..<200 { pool.add(board.job(number, Self.work)) }
    #expect(board.wait(for: 200))
    #expect(board.most <= 3)
    #expect(board.done.sorted() == Array(0..<200))
    let order = Board()
    let one = BlockingPool(width: 1)
    for number in 0..<200 { one.add(order.job(number)) }
    #expect(order.wait(for: 200))
    #expect(order.done == Array(0..<200))
  }

  /// Work that takes some time, so that jobs overlap.
  private static let work = { @Sendable in
    letPass(.microseconds(100), because: "jobs that end at once do not overlap")
  }

  @Test("A task gets what a job returns or throws")
  func run() async throws {
    #expect(await BlockingPool(width: 1).run { 7 } == 7)
    await #expect(throws: CancellationError.self) {
      try await BlockingPool(width: 1).run { throw CancellationError() }
    }
  }

  @Test(
    "A job that waits for a lock holds up no other job, wherever in it the waiting happens",
    arguments: [false, true])
  func waitingForLock(isInPart: Bool) throws {
    let place = try Place()
    let path = place["lock"]
    let lock = try FileLock(path)
    let board = Board()
    let failures = Mutex(0)
    let take = { @Sendable in
      do { try FileLock(path, waitingAtMost: 60).release() } catch { failures.withLock { $0 += 1 } }
    }
    let pool = BlockingPool(width: 1)
    for number in 0..<20 {
      pool.add(
        board.job(number) {
          if isInPart { ForkJoin.perform(3, atMost: 3) { _ in take() } } else { take() }
        })
    }
    pool.add(board.job(20))
    #expect(board.wait())
    #expect(board.done == [20])
    lock.release()
    #expect(board.wait(for: 20))
    #expect(board.done.sorted() == Array(0...20))
    #expect(failures.withLock { $0 } == 0)
    // All threads are available again.
    pool.add(board.job(21))
    #expect(board.wait())
  }

  @Test("When enough jobs are away, the next one that waits for a lock keeps its place")
  func mostAway() throws {
    let place = try Place()
    let path = place["lock"]
    let lock = try FileLock(path)
    let board = Board()
    let pool = BlockingPool(width: 1, mostAway: 1)
    for number in 0..<2 {
      pool.add(
        board.job(number) {
          do { try FileLock(path, waitingAtMost: 60).release() } catch {}
        })
    }
    pool.add(board.job(2))
    letPass(.milliseconds(50), because: "that the job is not begun has no event")
    #expect(board.done.isEmpty)
    lock.release()
    #expect(board.wait(for: 3))
  }

  @Test("Where no thread is to be had, the caller does the job, or learns that it is not done")
  func withoutThreads() {
    let board = Board()
    let pool = BlockingPool(width: 4, startingThreads: { _ in false })
    pool.add(board.job(1))
    #expect(board.done == [1])
    let isDone = pool.addIfThreadIsFree(board.job(2))
    #expect(!isDone)
    #expect(board.done == [1])
    pool.add(board.job(3))
    #expect(board.done == [1, 3])
  }

  @Test("Where only one thread is to be had, it does all jobs")
  func oneThread() {
    let board = Board()
    let mayGoOn = DispatchSemaphore(value: 0)
    let isFirst = Mutex(true)
    let pool = BlockingPool(
      width: 4,
      startingThreads: { work in
        isFirst.withLock { exchange(&$0, with: false) } && Threads.detach(work)
      })
    pool.add(board.job(0) { mayGoOn.wait() })
    for number in 1..<10 { pool.add(board.job(number)) }
    #expect(board.done.isEmpty)
    mayGoOn.signal()
    #expect(board.wait(for: 10))
    #expect(board.done == Array(0..<10))
  }
}

@Suite("Fork and join")
struct ForkJoinTests {
  @Test("All parts are done once, and their results come in their order")
  func results() {
    let squares = ForkJoin.map(1_000, atMost: 4) { $0 * $0 }
    #expect(squares == (0..<1_000).map { $0 * $0 })
    let ranges = ForkJoin.mapRanges(of: 10, upTo: 4) { $0 }
    #expect(ranges == [0..<4, 4..<8, 8..<10])
    #expect(ForkJoin.map(0, atMost: 4) { $0 }.isEmpty)
  }

  @Test("No more parts are done at a time than asked for")
  func width() {
    let counts = Mutex((now: 0, most: 0))
    ForkJoin.perform(50, atMost: 3) { _ in
      counts.withLock {
        $0.now += 1
        $0.most = max($0.most, $0.now)
      }
      letPass(.microseconds(100), because: "parts that end at once do not overlap")
      counts.withLock { $0.now -= 1 }
    }
    #expect(counts.withLock { $0.most } <= 3)
  }
}
