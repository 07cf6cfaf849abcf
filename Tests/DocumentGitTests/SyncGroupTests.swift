import DocumentFiles
import DocumentTestSupport
import Foundation
import Synchronization
import Testing

@testable import DocumentGit

@Suite("Waiting for the disk together")
struct SyncGroupTests {
  /// A disk that counts the waits for it, each of which takes a while.
  private final class Disk: Sendable {
    let waits = Atomic(0)
    let failure: Int32

    init(failure: Int32 = 0) {
      self.failure = failure
    }

    func group(device: UInt64 = 0, takingTurns takesTurns: Bool = false) -> SyncGroup {
      SyncGroup(device: device, takingTurns: takesTurns) { [self] in
        letPass(.milliseconds(2), because: "a disk takes as long")
        waits.wrappingAdd(1, ordering: .relaxed)
        return failure
      }
    }
  }

  @Test("One wait serves all that go on")
  func together() {
    let disk = Disk()
    let group = disk.group()
    DispatchQueue.concurrentPerform(iterations: 2) { _ in
      for _ in 0..<20 {
        #expect(throws: Never.self) { try group.join { try group.wait() } }
      }
    }
    #expect((20...40).contains(disk.waits.load(ordering: .relaxed)))
  }

  @Test("The group does not wait for a member that waits for another one")
  func waitingForEachOther() throws {
    let disk = Disk()
    let group = disk.group()
    let isReady = DispatchSemaphore(value: 0)
    let isOver = DispatchSemaphore(value: 0)
    Thread.detachNewThread {
      group.join {
        isReady.signal()
        isOver.wait()
      }
      isReady.signal()
    }
    isReady.wait()
    try group.join { try group.wait() }
    isOver.signal()
    isReady.wait()
    #expect(disk.waits.load(ordering: .relaxed) == 1)
  }

  @Test("Of operations that take turns, only one runs, except while the others wait")
  func turns() {
    let disk = Disk()
    let group = disk.group(takingTurns: true)
    let running = Atomic(0)
    DispatchQueue.concurrentPerform(iterations: 8) { _ in
      group.join {
        for _ in 0..<10 {
          #expect(running.wrappingAdd(1, ordering: .relaxed).oldValue == 0)
          letPass(.microseconds(100), because: "another operation could run in the meantime")
          running.wrappingSubtract(1, ordering: .relaxed)
          #expect(throws: Never.self) { try group.wait() }
        }
      }
    }
    #expect((10...80).contains(disk.waits.load(ordering: .relaxed)))
  }

  @Test("Every member gets the error of a failed sync")
  func failure() {
    let group = Disk(failure: ENOSPC).group()
    let failures = Atomic(0)
    DispatchQueue.concurrentPerform(iterations: 8) { _ in
      do { try group.join { try group.wait() } } catch {
        failures.wrappingAdd(1, ordering: .relaxed)
      }
    }
    #expect(failures.load(ordering: .relaxed) == 8)
  }

  @Test("A repository waits with a group of its file system, and alone beside others")
  func repositories() throws {
    let store = try Store()
    let path = try store.url.filePath
    let own = try #require(try FileStatus.of(path)).device
    for (device, isUsed) in [(own, true), (own &+ 1, false)] {
      let disk = Disk()
      let repository = try Repository(opening: path, waitingWith: disk.group(device: device))
      try repository.write([GitObject(.blob, [UInt8(isUsed ? 1 : 2)])])
      #expect((disk.waits.load(ordering: .relaxed) > 0) == isUsed)
    }
    try store.expectSound()
  }

  @Test("On a disk’s file system a group is made, and what it waits for gets there")
  func real() throws {
    let store = try Store()
    let path = try store.url.filePath
    #if os(Linux)
    guard let group = try SyncGroup(onFileSystemOf: path) else { return }
    let repository = try Repository(opening: path, waitingWith: group)
    try group.join { try repository.write([GitObject(.blob, [7])]) }
    #expect(try store.open().contains(GitObject(.blob, [7]).id))
    #endif
    #expect(try SyncGroup(onFileSystemOf: store["nowhere"].filePath) == nil)
  }
}
