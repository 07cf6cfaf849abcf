/// The values that a task yields; the sequence ends once the task has ended.
///
/// Canceling the task doesn't count as a failure. The task is canceled once the sequence has no reader.
package struct TaskStream<Element: Sendable>: AsyncSequence, Sendable {
  package typealias Stream = AsyncThrowingStream<Element, any Error>

  /// The values as a stream, which ends before the task if its reader is canceled.
  package let stream: Stream
  private let task: Task<Void, Never>

  package init(yieldedBy work: @escaping @Sendable (Stream.Continuation) async throws -> Void) {
    let (stream, continuation) = Stream.makeStream()
    let task = Task {
      do {
        try await work(continuation)
        continuation.finish()
      } catch is CancellationError {
        continuation.finish()
      } catch {
        continuation.finish(throwing: error)
      }
    }
    continuation.onTermination = { _ in task.cancel() }
    (self.stream, self.task) = (stream, task)
  }

  package func makeAsyncIterator() -> Iterator {
    Iterator(iterator: stream.makeAsyncIterator(), task: task)
  }

  package struct Iterator: AsyncIteratorProtocol {
    fileprivate var iterator: Stream.Iterator
    fileprivate let task: Task<Void, Never>

    package mutating func next(
      isolation actor: isolated (any Actor)?
    ) async throws -> Element? {
      let element: Element?
      do { element = try await iterator.next(isolation: actor) } catch {
        await task.value
        throw error
      }
      if element == nil { await task.value }
      return element
    }
  }
}
