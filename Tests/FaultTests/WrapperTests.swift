internal import DocumentTestSupport
internal import Foundation
internal import Testing

/// An app that saves a package in place and meets a fault leaves the old package or the new one, and its next save
/// works and tidies up.
@Suite("Faults while a wrapper is written", .enabled(if: FaultInjector.isAvailable), .blocks)
struct WrapperTests {
  private let program = BuiltProgram.url(of: "WrapperProgram")

  /// Creates a bed with a package, as apps make them.
  private func preparedBed() throws -> FaultBed {
    let bed = try FaultBed()
    let members = [
      ("Text.txt", "text\n"), ("Old.txt", "old\n"), ("Picture.png", "a picture"),
      ("Pages/1.txt", "one\n"), ("Pages/Deep/3.txt", "three\n"),
    ]
    for (name, text) in members { try bed.write(text, to: "Trip.notes/\(name)") }
    return bed
  }

  private func edit(
    _ bed: FaultBed, fault: Fault? = nil, isLogged: Bool = false, countsReads: Bool = false
  ) throws -> Run {
    try bed.run(
      ["Trip.notes"], fault: fault, isLogged: isLogged, countsReads: countsReads, program: program)
  }

  private func names(_ bed: FaultBed) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: bed.home.path).sorted()
  }

  @Test("The package is the old one or the new one", arguments: FaultAction.tried)
  func faults(action: FaultAction) async throws {
    try await Workers.run {
      let bed = try preparedBed()
      let before = try Snapshot(of: bed["Trip.notes"])
      let done = try FaultBed(copyOf: bed)
      let calls = try edit(done, isLogged: true, countsReads: action.hitsReads).calls
      let after = try Snapshot(of: done["Trip.notes"])
      try #require(before != after && !calls.isEmpty)
      let points = calls.filter { $0.canSuffer(action) }.map(\.number)
      let isWhole = action == .killBefore
      for point in TestMode.some(of: points, atMost: isWhole ? .max : 4, row: action.text) {
        let copy = try FaultBed(copyOf: bed)
        let run = try edit(copy, fault: Fault(action: action, call: point))
        let place = "\(action.testDescription) at \(calls[point - 1].line)"
        let found = try Snapshot(of: copy["Trip.notes"])
        #expect(found == before || found == after, "\(place)")
        #expect(!run.isHung, "\(place)")
        if run.exitCode == 0 { #expect(found == after, "success, \(place)") }
        try expectRetry(copy, found: found, after: after, place)
      }
    }
  }

  /// Writes again, without a fault.
  private func expectRetry(
    _ bed: FaultBed, found: Snapshot, after: Snapshot, _ place: String
  ) throws {
    let text = try String(contentsOf: bed["Trip.notes/Text.txt"], encoding: .utf8)
    let retry = try edit(bed)
    #expect(retry.exitCode == 0, "\(place): \(retry.errorOutput)")
    let now = try String(contentsOf: bed["Trip.notes/Text.txt"], encoding: .utf8)
    #expect(now == text + "more\n", "\(place)")
    if found != after { #expect(try Snapshot(of: bed["Trip.notes"]) == after, "\(place)") }
    // Between the exchange and the check of the displaced item, that item may hold the last edit, and stays.
    let litter = try names(bed).filter { $0 != "Trip.notes" && !$0.hasSuffix("-old.tmp") }
    #expect(litter.isEmpty, "\(place)")
  }

  @Test("What did not change is the same file as before")
  func hardLinks() throws {
    let bed = try preparedBed()
    func inode(_ name: String) throws -> Int? {
      try FileManager.default.attributesOfItem(atPath: bed["Trip.notes/\(name)"].path)[
        .systemFileNumber] as? Int
    }
    let before = try (inode("Picture.png"), inode("Pages/Deep/3.txt"), inode("Text.txt"))
    #expect(try edit(bed).exitCode == 0)
    let after = try (inode("Picture.png"), inode("Pages/Deep/3.txt"), inode("Text.txt"))
    #expect(before.0 == after.0 && before.1 == after.1)
    #expect(before.2 != after.2)
    #expect(try names(bed) == ["Trip.notes"])
  }
}
