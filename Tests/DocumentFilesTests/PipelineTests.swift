import Foundation
import DocumentTestSupport
import Synchronization
import Testing

@testable import DocumentFiles

@Suite("Pipeline")
struct PipelineTests {
  @Test("Pieces are done in the order in which they come, each before the wait is over")
  func order() {
    let work = Pipeline(depth: 3)
    let done = Mutex<[Int]>([])
    for number in 0..<1_000 {
      work.add { done.withLock { $0.append(number) } }
      if number % 100 == 99 {
        work.wait()
        #expect(done.withLock { $0 } == Array(0...number))
      }
    }
  }

  @Test("The producer waits while as many pieces as the depth are not done")
  func bound() {
    let work = Pipeline(depth: 2)
    let (mayGoOn, isAdded) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    let added = Mutex(0)
    let hasBegun = Threads.detach {
      for _ in 0..<5 {
        work.add { mayGoOn.wait() }
        added.withLock { $0 += 1 }
      }
      isAdded.signal()
    }
    #expect(hasBegun)
    #expect(eventually { added.withLock { $0 } == 2 })
    letPass(.milliseconds(50), because: "that no third piece is added has no event")
    #expect(added.withLock { $0 } == 2)
    for _ in 0..<5 { mayGoOn.signal() }
    isAdded.wait()
    work.wait()
    #expect(added.withLock { $0 } == 5)
  }
}
