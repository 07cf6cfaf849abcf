import DocumentTestSupport
import DocumentVersions
import Foundation
import Synchronization
import Testing

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// Processes that hold a document's lock and die or stop.
@Suite("Holders of the lock", .serialized, .blocks)
struct LockHolderTests {
  @Test("When holders are killed, the others go on", arguments: [4, 8])
  func killed(writers: Int) throws {
    let desk = try RaceDesk()
    let deaths = Mutex<[ContinuousClock.Instant]>([])
    let killer = BackgroundLoop { round in
      letPass(
        .microseconds(2_000 + (round * 1_709) % 9_000),
        because: "a prime step visits the whole length of a save, not the first moment of each")
      if let death = desk.killHolder() { deaths.withLock { $0.append(death) } }
      return deaths.withLock { $0.count } < writers * 10 / 4
    }
    try desk.race(writers: writers, saves: 10)
    try killer.stop()
    let killed = deaths.withLock { $0 }
    #expect(killed.count >= writers)
    let done = desk.ledger.withLock { $0.acknowledgements.count }
    try desk.save(as: 9, since: desk.write(9, 99))
    // None of the others gave up waiting; and one that was killed when its version was there already, and not noted yet, leaves a sibling.
    try desk.expectNothingLost(isLinear: false)
    print("\(writers) processes, \(killed.count) holders killed, \(done) saves acknowledged")
  }

  @Test("A holder that stands still keeps its lock; the others give up, naming it")
  func stopped() throws {
    let desk = try RaceDesk(name: "Trip.imagenotes")
    try desk.save(as: 0, since: desk.write(0, 0))
    // Many members, so that a save takes long enough to be stopped in the middle.
    for member in 0..<400 {
      try desk.scratch.write(
        "\(member)\n" + RaceDesk.text(0, 0), to: "mira/Trip.imagenotes/\(member).txt")
    }
    let stopped = try stopHolder(of: desk)
    let start = ContinuousClock.now
    let other = try desk.run("save", desk.document.path, "--json")
    #expect(other.exitCode == 4)
    #expect(other.errorOutput.contains("pid \(stopped.identifier)"), "\(other.errorOutput)")
    #expect(ContinuousClock.now - start >= .seconds(9))
    #expect(try desk.run("log", desk.document.path).exitCode == 0, "reading needs no lock")
    stopped.signal(SIGCONT)
    let end = try stopped.wait()
    #expect(end.exitCode == 0, "\(end.errorOutput)")
    let versions = try SynchronousStore().history(of: desk.document).versions
    #expect(versions.count == 2)
    let members = try SynchronousStore().members(of: #require(versions.first))
    #expect(members.count { $0.kind == "file" } == 405)
    #expect(try desk.run("save", desk.document.path).exitCode == 0)
    #expect(try SynchronousStore().history(of: desk.document).versions.count == 2)
    try desk.expectSoundStores()
  }

  /// Starts a save and stops it while it holds the lock.
  private func stopHolder(of desk: RaceDesk) throws -> RunningProgram {
    let program = try desk.start(["save", desk.document.path, "--json"])
    let lock = desk.store.appending(path: "lock").path
    let holder = Data("pid \(program.identifier)".utf8)
    func isHeld() -> Bool { FileManager.default.contents(atPath: lock) == holder }
    _ = eventually(every: .microseconds(200), isHeld)
    program.signal(SIGSTOP)
    #expect(isHeld(), "it was not stopped in the middle")
    return program
  }
}
