internal import DocumentTestSupport
internal import Foundation
internal import Testing

/// A document that autosaves on a full disk keeps its text, reports the failure, and tries again.
@Suite("Faults while a document saves itself", .enabled(if: FaultInjector.isAvailable), .blocks)
struct AutosaveFaultTests {
  private let program = BuiltProgram.url(of: "DocumentProgram")

  private func run(
    _ bed: FaultBed, fault: Fault? = nil, isLogged: Bool = false
  ) throws -> Run {
    try bed.run(
      ["run-loop", "autosave", bed["Note.md"].path], fault: fault, isLogged: isLogged,
      program: program)
  }

  private func preparedBed() throws -> FaultBed {
    let bed = try FaultBed()
    try bed.save("a tent", as: "Note.md", minute: 1)
    return bed
  }

  @Test("The disk is full once, or from some moment on", arguments: ["once:ENOSPC", "from:ENOSPC"])
  func fullDisk(action: String) async throws {
    try await Workers.run {
      let bed = try preparedBed()
      let action = FaultAction(text: action, trait: "a")
      let calls = try run(FaultBed(copyOf: bed), isLogged: true).calls.filter {
        $0.canSuffer(action)
      }
      try #require(!calls.isEmpty)
      var failures = 0
      let points = calls.map(\.number)
      for point in TestMode.some(of: points, atMost: 6, row: action.text) {
        let copy = try FaultBed(copyOf: bed)
        let done = try run(copy, fault: Fault(action: action, call: point))
        let place = "\(action.text) at \(point): \(done.text) \(done.errorOutput)"
        #expect(done.exitCode == 0, "\(place)")
        let isSaved = done.text.contains("unsaved: false")
        let text = try String(contentsOf: copy["Note.md"], encoding: .utf8)
        #expect(text == (isSaved ? "a map" : "a tent"), "\(place)")
        #expect(done.text.contains("text: a map"), "\(place)")
        #expect(done.text.contains("error: \(!isSaved)"), "\(place)")
        if !done.text.contains("failures: 0") { failures += 1 }
        if action.text == "once:ENOSPC" { #expect(isSaved, "\(place)") }
      }
      #expect(failures > 0)
    }
  }
}
