import DocumentFiles
import DocumentTestSupport
import DocumentWorld
import Foundation
import Synchronization
import Testing

@testable import DocumentStore
import DocumentSync

@Suite("Asynchronous calls")
struct AsynchronousCallTests {
  private let desk: Device
  private let version: FileVersion

  init() throws {
    desk = try Device()
    version = try desk.save("text", as: "a.md")
  }

  @Test func `operations that wait hold up no other task`() async throws {
    let store = desk.store
    let mayGoOn = DispatchSemaphore(value: 0)
    try await withThrowingTaskGroup { group in
      for _ in 0..<24 { group.addTask { try await store.perform { _ in mayGoOn.wait() } } }
      // It would never end if the others had all of Swift's threads.
      let other = Task.detached { 1 }
      #expect(await other.value == 1)
      for _ in 0..<24 { mayGoOn.signal() }
      try await group.waitForAll()
    }
  }

  @Test func `more operations than there are threads are all done`() async throws {
    let store = desk.store
    let sum = try await withThrowingTaskGroup { group in
      for number in 0..<200 { group.addTask { try await store.perform { _ in number } } }
      return try await group.reduce(0, +)
    }
    #expect(sum == 199 * 200 / 2)
  }

  @Test(
    "A cancelled task does not go on with a version",
    arguments: ["contents", "replaceItem", "restore"])
  func cancelled(call: String) async throws {
    let (version, place) = (version, call == "restore" ? desk["a.md"] : desk["copy.md"])
    try desk.write("not saved", to: "a.md")
    let task = Task.detached {
      while !Task.isCancelled { await Task.yield() }
      if call == "contents" { return _ = try await version.contents() }
      try await version.replaceItem(at: place)
    }
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(try desk.read("a.md") == "not saved")
    #expect(!FileManager.default.fileExists(atPath: desk["copy.md"].path))
    #expect(try desk.texts("a.md").last == "text")
  }

  @Test func `a version does not remember that the operation which found it was stopped`() throws {
    var store = desk.store
    let progress = OperationProgress()
    store.progress = progress
    let found = try #require(try FileVersion.current(of: desk["a.md"], store: store))
    let read = progress.completedUnitCount
    progress.cancel()
    #expect(try found.contents() == Data("text".utf8))
    try found.replaceItem(at: desk["copy.md"])
    #expect(progress.completedUnitCount == read)
  }

  /// The timeout is long, because other tests may keep the threads of these busy.
  private static let longTimeout = Duration.seconds(600)

  @Test func `who waits for another process ends with its task`() async throws {
    let waits = Mutex(0)
    var store = VersionStore(desk.store)
    store.lockTimeout = Self.longTimeout
    store.progress = OperationProgress { _ in waits.withLock { $0 += 1 } }
    let document = try desk.write("not saved", to: "a.md")
    let lock = try DocumentLocation(of: document).lockStore(waitingAtMost: 1)
    let task = Task { [store] in try await store.save(document).version }
    // Usually it waits by now; if other tests have all threads, it is canceled before it begins.
    _ = await eventually { waits.withLock { $0 > 2 } }
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
    lock.release()
    #expect(try desk.texts("a.md") == ["text"])
  }

  @Test func `many calls that wait for one lock hold up no other call`() async throws {
    let store = VersionStore(desk.store)
    let document = try desk.write("not saved", to: "a.md")
    try desk.write("other", to: "b.md")
    let lock = try DocumentLocation(of: document).lockStore(waitingAtMost: 1)
    let begun = Mutex<Set<Int>>([])
    let waiting = (0..<100).map { number in
      var store = store
      store.lockTimeout = Self.longTimeout
      store.progress = OperationProgress { _ in begun.withLock { _ = $0.insert(number) } }
      return Task { [store] in try await store.save(document).version }
    }
    let other = desk["b.md"]
    // Usually all wait by now; if other tests have all threads, some begin later.
    _ = await eventually { begun.withLock { $0.count == 100 } }
    let saved = try await store.save(other).version
    #expect(saved.localizedName == "b.md")
    // None has ended in the meantime.
    #expect(try desk.texts("a.md") == ["text"])
    lock.release()
    for task in waiting { _ = try await task.value }
    #expect(try desk.texts("a.md") == ["not saved", "text"])
  }

  @Test func `sending ends when it is stopped, and is done the next time`() throws {
    let cloud = desk.scratch["cloud"]
    var stopped = desk.store
    stopped.progress = OperationProgress()
    stopped.progress?.cancel()
    #expect(throws: CancellationError.self) {
      let results = try stopped.exchange(desk.container, through: cloud).documents
      for result in results { if let failure = result.failure { throw failure } }
    }
    let result = try #require(
      try desk.store.exchange(desk.container, through: cloud).documents.first)
    #expect(result.sent == 1)
    #expect(result.failure == nil)
  }
}
