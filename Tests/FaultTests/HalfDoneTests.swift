internal import DocumentTestSupport
internal import DocumentVersions
internal import DocumentWorld
internal import Foundation
internal import Testing

/// Commands that are killed halfway, and what a person does next: the state never misleads, and the same command, or the
/// next exchange, finishes what was begun.
@Suite("Commands that are killed halfway", .enabled(if: FaultInjector.isAvailable), .blocks)
struct HalfDoneTests {
  private static let lines = (1...9).map { "line \($0)\n" }.joined()

  /// Kills a command before each of its calls, in the short mode before some of those that name, move or remove something,
  /// and continues on each bed.
  ///
  /// - Parameter isWanted: whether a call is among those that matter.
  private func kill(
    _ arguments: [String], onBed prepare: @escaping @Sendable (FaultBed) throws -> Void,
    at isWanted: @escaping @Sendable (Call) -> Bool = { _ in true },
    _ next: @escaping @Sendable (FaultBed, _ place: Comment) throws -> Void
  ) async throws {
    let prepared = try await Workers.run {
      let bed = try FaultBed()
      try prepare(bed)
      return bed
    }
    let calls = try await Workers.run {
      try FaultBed(copyOf: prepared).run(arguments, isLogged: true).calls
    }.filter { call in
      isWanted(call)
        && (TestMode.isFull || ["rename", "unlink"].contains { call.name.hasPrefix($0) })
    }
    try #require(calls.count > 5)
    try await withThrowingTaskGroup { group in
      for call in TestMode.some(of: calls, atMost: 24, row: arguments[0]) {
        group.addTask {
          try await Workers.run {
            let bed = try FaultBed(copyOf: prepared)
            let fault = Fault(action: .killBefore, call: call.number)
            // Threads may make a call less.
            guard try bed.run(arguments, fault: fault).exitCode == nil else { return }
            try next(bed, "killed before \(call.line)")
          }
        }
      }
      try await group.waitForAll()
    }
  }

  @Test func `a conflicted copy is never a version without its base`() async throws {
    let lines = Self.lines
    try await kill(["adopt", "--merge", "."]) { bed in
      try bed.save(lines, as: "trip.md", minute: 1)
      try bed.expect(["exchange", "../cloud"], minute: 2)
      try bed.expect(["exchange", "../cloud"], minute: 2, as: "tom")
      try bed.write(
        lines.replacing("line 2", with: "the copy’s"),
        to: "trip (conflicted copy Tom 2026-11-20 101112).md", minute: 3)
      try bed.save(lines.replacing("line 5", with: "Mira’s"), as: "trip.md", minute: 4)
      try bed.save(lines.replacing("line 8", with: "Tom’s"), as: "trip.md", minute: 5, as: "tom")
      try bed.expect(["exchange", "../cloud"], minute: 6, as: "tom")
    } _: { bed, place in
      _ = try bed.run(["exchange", "../cloud"], minute: 31)
      for minute in [32, 33] {
        _ = try bed.run(["adopt", "--merge", "."], minute: minute)
        _ = try bed.run(["resolve", "--merge", "trip.md"], minute: minute)
      }
      let merged = lines.replacing("line 2", with: "the copy’s")
        .replacing("line 5", with: "Mira’s").replacing("line 8", with: "Tom’s")
      #expect(try bed.text("trip.md") == merged, place)
      let history = try bed.device().history("trip.md")
      #expect(history.unresolvedConflicts.isEmpty, place)
    }
  }

  @Test func `a document that was joined doesn't count as removed`() async throws {
    let store = ".docversions/documents/plan.md.git"
    try await kill(["join", "trip.md", "plan.md"]) { bed in
      try bed.save("a tent\n", as: "trip.md", minute: 1)
      try bed.save("a tent\n", as: "plan.md", minute: 1)
      try bed.save("a tent\na map\n", as: "plan.md", minute: 2)
    } _: { bed, place in
      let status = try bed.run(["status"])
      #expect(status.exitCode == 0 && !status.text.contains("delete plan.md"), place)
      if !bed.isThere("plan.md"), bed.isThere(store) {
        #expect(status.text.contains("docversions join trip.md plan.md"), place)
        let deletion = try bed.run(["delete", "plan.md"])
        #expect(deletion.exitCode == 2, place)
      }
      // Without the store, only the file may not show the joined contents yet, until the next operation.
      let next = bed.isThere(store) ? ["join", "trip.md", "plan.md"] : ["save", "trip.md"]
      try bed.expect(next, minute: 31)
      #expect(!bed.isThere("plan.md") && !bed.isThere(store), place)
      #expect(try bed.text("trip.md") == "a tent\na map\n", place)
      let history = try bed.device().history("trip.md")
      #expect(history.unresolvedConflicts.isEmpty, place)
      #expect(history.versions.filter(\.isDeletion).isEmpty, place)
    }
  }

  @Test func `a document that is moved to another container blocks neither of them`() async throws {
    try await kill(["move", "trip.md", "../tom"]) { bed in
      try bed.save("Tom’s own\n", as: "own.md", minute: 1, as: "tom")
      try bed.save("a tent\n", as: "trip.md", minute: 1)
      try bed.save("a tent\na map\n", as: "trip.md", minute: 2)
    } _: { bed, place in
      let status = try bed.run(["status"], as: "tom")
      #expect(status.exitCode == 0, "\(place): \(status.errorOutput)")
      let former = try bed.run(["status"])
      #expect(!former.text.contains("missing"), place)
      if bed.isThere("trip.md") { try bed.expect(["move", "trip.md", "../tom"], minute: 31) }
      #expect(!bed.isThere("trip.md"), place)
      #expect(try bed.text("../tom/trip.md") == "a tent\na map\n", place)
      let history = try bed.device("tom").history("trip.md")
      #expect(history.versions.map(\.kind) == [.move, .save, .save], place)
      let check = try bed.run(["verify"], as: "tom")
      #expect(check.exitCode == 0, place)
    }
  }
}

extension FaultBed {
  fileprivate func isThere(_ path: String) -> Bool {
    FileManager.default.fileExists(atPath: self[path].path)
  }

  fileprivate func text(_ path: String) throws -> String {
    try String(contentsOf: self[path], encoding: .utf8)
  }
}
