import DocumentTestSupport
import Foundation
import SystemPackage
import Synchronization
import Testing

@testable import DocumentFiles

@Suite("Locks")
struct FileLockTests {
  @Test("Only one thread at a time has the lock")
  func threads() throws {
    let place = try Place()
    let path = place["lock"]
    let holders = Holders()
    let threads = (0..<4).map { _ in
      Meanwhile { _ in
        let lock = try FileLock(path, waitingAtMost: 120)
        holders.enter()
        letPass(.microseconds(500), because: "others would come in meanwhile")
        holders.leave()
        _ = consume lock
      }
    }
    #expect(eventually { holders.count >= 200 })
    for thread in threads { try thread.stop() }
    #expect(holders.most == 1)
  }

  private final class Holders: Sendable {
    private let counts = Mutex((all: 0, now: 0, most: 0))
    var most: Int { counts.withLock { $0.most } }
    var count: Int { counts.withLock { $0.all } }

    func enter() {
      counts.withLock {
        $0.all += 1
        $0.now += 1
        $0.most = max($0.most, $0.now)
      }
    }

    func leave() { counts.withLock { $0.now -= 1 } }
  }

  @Test("A lock that was released is free at once, also while other threads start processes")
  func released() throws {
    let place = try Place()
    let path = place["lock"]
    let starters = (0..<2).map { _ in
      Meanwhile { _ in
        let process = try Process.run(URL(filePath: "/bin/true"), arguments: [])
        process.waitUntilExit()
      }
    }
    defer { for starter in starters { #expect(throws: Never.self) { try starter.stop() } } }
    for _ in 0..<20_000 { try FileLock(path, waitingAtMost: 0).release() }
    for _ in 0..<20_000 { try Folder.alone(in: place.root, waitingAtMost: 0) {} }
  }

  @Test("A lock that is held is found without taking it")
  func held() throws {
    let place = try Place()
    let path = place["lock"]
    #expect(try !FileLock.isHeld(path))
    #expect(try FileStatus.of(path) == nil)
    let lock = try FileLock(path)
    #expect(try FileLock.isHeld(path))
    lock.release()
    #expect(try !FileLock.isHeld(path))
    try FileLock(path, waitingAtMost: 0).release()
  }

  @Test("A lock that was moved away while it was waited for is none")
  func movedAway() throws {
    let place = try Place()
    try Folder.create(place["store"])
    let path = place["store"].appending("lock")
    let held = try FileLock(path)
    let outcome = Mutex<Result<Void, any Error>?>(nil)
    let (isWaiting, isDone) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    Thread.detachNewThread {
      let result = Result { _ = try FileLock(path, waitingAtMost: 60) { isWaiting.signal() } }
      outcome.withLock { $0 = result }
      isDone.signal()
    }
    isWaiting.wait()
    try DocumentWriter.move(place["store"], to: place["moved"])
    held.release()
    isDone.wait()
    expectFileError(.changing) { try outcome.withLock { try $0?.get() } }
    // There is no folder any more.
    expectFileError(.changing) { _ = try FileLock(path) }
  }

  @Test("The lock is asked for every few milliseconds")
  func askedOften() throws {
    struct Enough: Error {}
    let place = try Place()
    let held = try FileLock(place["lock"])
    var count = 0
    let (_, time) = measured {
      #expect(throws: Enough.self) {
        _ = try FileLock(place["lock"], waitingAtMost: 300) {
          count += 1
          if count == 100 { throw Enough() }
        }
      }
    }
    #expect(time < .seconds(5))
    _ = consume held
  }

  @Test("The error after a wait that was too long names the process that holds the lock")
  func timeout() throws {
    let place = try Place()
    let held = try FileLock(place["lock"])
    let start = ContinuousClock.now
    let (error, time) = measured {
      expectFileError(.busy) { _ = try FileLock(place["lock"], waitingAtMost: 0.2) }
    }
    #expect(error?.message.contains("pid \(getpid())") == true)
    #expect(error?.message.contains("of this process") == true)
    #expect(ContinuousClock.now - start >= .milliseconds(200))
    #expect(time < .seconds(5))
    _ = consume held
    _ = try FileLock(place["lock"], waitingAtMost: 0)
  }

  @Test("Another process has the lock until it is killed")
  func processes() throws {
    let place = try Place()
    let path = place["lock"]
    try place.write("", to: "lock")
    let other = Process()
    other.executableURL = URL(filePath: "/usr/bin/env")
    other.arguments = [
      "python3", "-c",
      """
      import fcntl, sys, time
      file = open(sys.argv[1], "r+"); fcntl.flock(file, fcntl.LOCK_EX)
      file.write("pid 4711"); file.flush(); open(sys.argv[1] + ".held", "w").close(); time.sleep(60)
      """, path.string,
    ]
    try other.run()
    defer { other.waitUntilExit() }
    let isHeld = try eventually { try FileStatus.of(place["lock.held"]) != nil || !other.isRunning }
    #expect(isHeld)
    let error = expectFileError(.busy) { _ = try FileLock(path, waitingAtMost: 0.1) }
    #expect(error?.message.contains("pid 4711") == true)
    kill(other.processIdentifier, SIGKILL)
    let lock = try FileLock(path, waitingAtMost: 5)
    let isLeftBehind = lock.isLeftBehind
    #expect(isLeftBehind)
    _ = consume lock
    let isStillLeftBehind = try FileLock(path, waitingAtMost: 0).isLeftBehind
    #expect(!isStillLeftBehind)
  }

  @Test(
    "A lock file that is none is refused without waiting", arguments: ["link", "folder", "FIFO"])
  func noLockFile(kind: String) throws {
    let place = try Place()
    switch kind {
    case "link": try place.makeLink("lock", to: "elsewhere")
    case "folder": try place.makeFolder("lock")
    default:
      // It could be locked, too; but no reader waits for a writer, and no process writes to it.
      try #require(mkfifo(place["lock"].string, 0o600) == 0)
    }
    #expect(throws: FileError.self) { _ = try FileLock(place["lock"]) }
    #expect(try place.names() == ["lock"])
  }
}
