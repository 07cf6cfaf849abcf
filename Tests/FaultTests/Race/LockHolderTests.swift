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

/// Processes that hold a document's lock and die, or stand still.
@Suite("Holders of the lock", .serialized)
struct LockHolderTests {
  @Test("When holders are killed, the others go on within a second", arguments: [4, 8])
  func killed(writers: Int) throws {
    let desk = try RaceDesk()
    try desk.race(writers: writers, saves: 2)
    // On top of the second there is the time that processes take to start, and to have their turn.
    let patience = Duration.seconds(1) + desk.longestPause() * 2
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
    let done = desk.ledger.withLock { $0.acknowledgements.map(\.acknowledged) }
    for death in killed {
      // After the last of all saves no process is left to go on.
      guard let next = done.filter({ $0 > death }).min() else { continue }
      #expect(next - death < patience, "the others went on after \(next - death)")
    }
    try desk.save(as: 9, since: desk.write(9, 99))
    // One that was killed when its version was there already, and not noted yet, leaves a sibling.
    try desk.expectNothingLost(isLinear: false)
    print("\(writers) processes, \(killed.count) holders killed, \(done.count) saves acknowledged")
  }

  @Test("A holder that stands still keeps its lock; the others give up, naming it")
  func stopped() throws {
    let desk = try RaceDesk(name: "Trip.imagenotes")
    try desk.save(as: 0, since: desk.write(0, 0))
    // Many members, so that a save takes long enough to be stopped in the middle.
    for member in 0..<400 {
      try desk.scratch.write(
        "\(member)\n" + RaceDesk.text(0, 0), to: "desk/Trip.imagenotes/\(member).txt")
    }
    let stopped = try stopHolder(of: desk)
    let start = ContinuousClock.now
    let other = try desk.run("save", desk.document.path, "--json")
    #expect(other.code == 4)
    #expect(other.errorOutput.contains("pid \(stopped.process)"), "\(other.errorOutput)")
    #expect((.seconds(9)..<(.seconds(30))).contains(ContinuousClock.now - start))
    #expect(try desk.run("log", desk.document.path).code == 0, "reading needs no lock")
    stopped.signal(SIGCONT)
    let end = try stopped.wait()
    #expect(end.code == 0, "\(end.errorOutput)")
    let versions = try SynchronousStore().history(of: desk.document).versions
    #expect(versions.count == 2)
    let members = try SynchronousStore().members(of: #require(versions.first))
    #expect(members.count { $0.kind == "file" } == 405)
    #expect(try desk.run("save", desk.document.path).code == 0)
    #expect(try SynchronousStore().history(of: desk.document).versions.count == 2)
    try desk.expectSoundStores()
  }

  /// Starts a save and stops it while it holds the lock.
  private func stopHolder(of desk: RaceDesk) throws -> RunningProgram {
    let program = try desk.start(["save", desk.document.path, "--json"])
    let lock = desk.store.appending(path: "lock").path
    let holder = Data("pid \(program.process)".utf8)
    func isHeld() -> Bool { FileManager.default.contents(atPath: lock) == holder }
    _ = eventually(within: .seconds(10), every: .microseconds(200), isHeld)
    program.signal(SIGSTOP)
    #expect(isHeld(), "it was not stopped in the middle")
    return program
  }
}
