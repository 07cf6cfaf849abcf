internal import DocumentTestSupport
internal import Foundation
internal import Testing

/// A stopped process, as on a sleeping laptop, only prevents others from writing.
@Suite("A process that stops", .enabled(if: FaultInjector.isAvailable), .blocks)
struct StoppedTests {
  @Test(
    "Other processes read meanwhile, learn which process they wait for, and leave its lock alone")
  func stopped() async throws {
    let baseline = try await Baselines.shared.baseline(of: Operation.save)
    // Where it holds the lock.
    let lock = try #require(baseline.changes.firstIndex { $0.name == "flock" })
    let call = baseline.changes[(lock + baseline.changes.count) / 2].number
    let bed = try FaultBed(copyOf: baseline.bed)
    let action = FaultAction(text: "stop")
    let holder = try bed.start(["save", "trip.md"], fault: Fault(action: action, call: call))
    try await Workers.run {
      try holder.waitUntilStopped()
      for line in [["log", "trip.md"], ["show", "trip.md"], ["status"]] {
        let run = try bed.run(line)
        #expect(run.exitCode == 0, "\(line): \(run.errorOutput)")
      }
      let waiting = try bed.run(["save", "trip.md"])
      #expect(waiting.exitCode == 4)
      #expect(waiting.errorOutput.contains("\(holder.identifier)"), "\(waiting.errorOutput)")
      holder.signal(SIGCONT)
      #expect(try holder.wait(atMost: .generous).exitCode == 0)
      #expect(try bed.run(["save", "trip.md"]).exitCode == 0)
      let state = try FaultBedState(of: bed, baseline.operation.documents)
      #expect(state.summary == baseline.after.summary)
      #expect(state.items == baseline.after.items)
    }
  }
}

extension RunningProgram {
  /// Waits until a fault has stopped the program.
  func waitUntilStopped() throws {
    let hasStopped = try eventually {
      try String(contentsOfFile: "/proc/\(identifier)/stat", encoding: .utf8).contains(") T ")
    }
    try #require(hasStopped)
  }
}
