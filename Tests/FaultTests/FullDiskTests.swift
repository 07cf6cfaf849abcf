internal import DocumentTestSupport
internal import Foundation
internal import Testing

/// A full disk is reported in the same way for every file that can't be written.
@Suite("A full disk", .enabled(if: FaultInjector.isAvailable), .blocks)
struct FullDiskTests {
  @Test("Whatever can’t be written, the code is the same", arguments: ["ENOSPC", "EDQUOT"])
  func code(error: String) async throws {
    let baseline = try await Baselines.shared.baseline(of: Operation.save)
    try await Workers.run {
      let action = FaultAction(text: "from:\(error)", trait: "a")
      let calls = baseline.changes.filter { $0.canSuffer(action) }
      try #require(!calls.isEmpty)
      var failures = 0
      for call in calls {
        let bed = try FaultBed(copyOf: baseline.bed)
        let run = try bed.run(
          baseline.arguments + ["--json"], fault: Fault(action: action, call: call.number))
        if run.exitCode == 0 { continue }
        failures += 1
        #expect(run.exitCode == 5, "\(call.line)")
        #expect(run.errorOutput.contains(#""no-space""#), "\(call.line): \(run.errorOutput)")
      }
      #expect(failures > 0)
    }
  }
}
