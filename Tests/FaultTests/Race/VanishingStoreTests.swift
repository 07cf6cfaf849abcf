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

/// A store that disappears or becomes read-only during saves.
@Suite("Stores that vanish", .serialized, .blocks)
struct VanishingStoreTests {
  /// The exit codes with which the program explains what is wrong.
  private static let explained: Set<Int32> = [3, 4, 5, 6]

  @Test("A store that is moved away while it is saved into keeps every version")
  func moved() throws {
    for round in 0..<TestMode.pick(short: 3, full: 20) {
      let desk = try RaceDesk()
      try desk.save(as: 0, since: desk.write(0, 0))
      let away = desk.scratch["away/trip.md.git"]
      try FileManager.default.createDirectory(
        at: away.deletingLastPathComponent(), withIntermediateDirectories: true)
      let mover = BackgroundLoop { _ in
        letPass(
          .milliseconds(60 + round * 7), because: "each round meets the saves at another moment")
        guard rename(desk.store.path, away.path) == 0 else { throw CocoaError(.fileWriteUnknown) }
        return false
      }
      try desk.race(writers: 2, saves: 5)
      try mover.stop()
      try expectExplained(desk)
      #expect(try GitCheck.problems(inStore: away) == [])
      try expectUsable(desk)
      // Everything that was acknowledged is in one of the two.
      let kept = desk.scratch.url.appending(path: "kept")
      let moved = kept.appending(path: ".docversions/documents/trip.md.git")
      try FileManager.default.createDirectory(
        at: moved.deletingLastPathComponent(), withIntermediateDirectories: true)
      try FileManager.default.moveItem(at: away, to: moved)
      let documents = [desk.document, kept.appending(path: "trip.md")]
      let ids = try documents.flatMap { try SynchronousStore().history(of: $0).versions }
        .map(\.id.description)
      for save in desk.ledger.withLock({ $0.acknowledgements }) {
        #expect(ids.contains(save.version), "version \(save.version) is in neither store")
      }
    }
  }

  @Test("A store that is deleted while it is saved into is begun anew, or named as damaged")
  func deleted() throws {
    for round in 0..<TestMode.pick(short: 3, full: 20) {
      let desk = try RaceDesk()
      try desk.save(as: 0, since: desk.write(0, 0))
      let remover = BackgroundLoop { _ in
        letPass(
          .milliseconds(60 + round * 7), because: "each round meets the saves at another moment")
        _ = try Command.run("rm", ["-rf", desk.container.appending(path: ".docversions").path])
        return false
      }
      try desk.race(writers: 2, saves: 5)
      try remover.stop()
      try expectExplained(desk)
      // Files that a save wrote into just emptied folders may be left, which is reported as a damaged store.
      if try desk.save(as: 9, since: desk.write(9, 98)).exitCode == 6 {
        try FileManager.default.removeItem(at: desk.store)
      }
      try expectUsable(desk)
    }
  }

  @Test(
    "Permission that is lost midway is named, and what was saved stays",
    .enabled(if: geteuid() != 0 || FileManager.default.fileExists(atPath: "/usr/bin/setpriv")))
  func permissionLost() throws {
    let isRoot = geteuid() == 0
    let desk = try RaceDesk(
      launcher: isRoot
        ? ["/usr/bin/setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"] : [])
    if isRoot { _ = try Command.run("chown", ["-R", "65534:65534", desk.scratch.url.path]) }
    try desk.save(as: 0, since: desk.write(0, 0))
    let gatekeeper = BackgroundLoop { round in
      letPass(.milliseconds(90), because: "some saves come through in between")
      _ = try Command.run(
        "chmod", ["-R", round % 2 == 0 ? "a-w" : "u+w", desk.store.path])
      return true
    }
    try desk.race(writers: 2, saves: TestMode.pick(short: 8, full: 30))
    try gatekeeper.stop()
    _ = try Command.run("chmod", ["-R", "u+w", desk.store.path])
    try expectExplained(desk)
    let refused = desk.ledger.withLock { $0.refusals.count }
    #expect(refused > 0)
    try desk.save(as: 9, since: desk.write(9, 99))
    // This process reads it, too.
    if isRoot { _ = try Command.run("chown", ["-R", "0:0", desk.scratch.url.path]) }
    try desk.expectNothingLost(refused: refused, isLinear: false)
  }

  /// Checks that every refusal has its own code and sentence, and isn't an internal error.
  private func expectExplained(_ desk: RaceDesk) throws {
    for refusal in desk.ledger.withLock({ $0.refusals }) {
      #expect(Self.explained.contains(refusal.code), "\(refusal)")
      #expect(refusal.message.contains("\"message\""), "\(refusal)")
    }
  }

  /// Checks that the document can be saved now.
  private func expectUsable(_ desk: RaceDesk) throws {
    let end = try desk.save(as: 9, since: desk.write(9, 99))
    #expect(end.exitCode == 0, "the next save: \(end.errorOutput)")
    try desk.expectSoundStores()
  }
}
