internal import DocumentTestSupport
internal import Foundation
internal import Testing

/// Recovery is an operation like any other: it may be killed, too.
@Suite("Faults in recovery", .enabled(if: FaultInjector.isAvailable), .blocks)
struct RecoveryTests {
  /// In the short mode, each kind applies to an eighth of the operations; the fault matrix kills all of them.
  private enum Kill: CaseIterable { case ofRetry, atAnyTime }

  private static func operations(_ kill: Kill) -> [Operation] {
    Matrix.rows(of: Kill.allCases, oneOf: 8).filter { $0.action == kill }.map(\.operation)
  }

  @Test(
    "A retry that is killed leaves no more than what it found", arguments: operations(.ofRetry))
  func killedRetry(operation: Operation) async throws {
    let baseline = try await Baselines.shared.baseline(of: operation)
    let action = FaultAction.killBefore
    var row = MatrixRow(operation.name, "kill the retry")
    // At most about fifty times fifty pairs.
    let firsts =
      TestMode.isFull
      ? Array(stride(from: 0, to: baseline.changes.count, by: 1 + baseline.changes.count / 50))
        .map { baseline.changes[$0].number }
      : TestMode.some(of: baseline.changes.map(\.number), atMost: 1, row: operation.name)
    for first in firsts {
      let broken = try await Workers.run {
        let bed = try FaultBed(copyOf: baseline.bed)
        _ = try bed.run(baseline.arguments, fault: Fault(action: action, call: first))
        return bed
      }
      let count = try await Workers.run {
        try FaultBed(copyOf: broken).run(baseline.arguments, minute: 35, isLogged: true).calls.count
      }
      guard count > 0 else { continue }
      let step = TestMode.isFull ? 1 + count / 50 : count
      for second in stride(from: 1 + first % step, through: count, by: step) {
        let (verdict, run) = try await Workers.run {
          let bed = try FaultBed(copyOf: broken)
          let run = try bed.run(
            baseline.arguments, minute: 35, fault: Fault(action: action, call: second))
          return (try Verdict(on: bed, after: run, baseline, fault: nil), run)
        }
        row.add(verdict, at: "calls \(first), \(run.calls.last?.line ?? "")")
      }
    }
    try await MatrixReport.shared.add(row)
  }

  @Test("A process that is killed at any time loses nothing", arguments: operations(.atAnyTime))
  func killedAtAnyTime(operation: Operation) async throws {
    let baseline = try await Baselines.shared.baseline(of: operation)
    let duration = try await Workers.run {
      try FaultBed(copyOf: baseline.bed).run(baseline.arguments).result.duration
    }
    var row = MatrixRow(operation.name, "kill at any time")
    for index in 0..<(TestMode.isFull ? 200 : 1) {
      // Evenly over the run, in an order that does not depend on how many there are.
      let delay = duration * (Double((index * 89 + operation.name.utf8.count * 7) % 200) / 200)
      let verdict = try await Workers.run {
        let bed = try FaultBed(copyOf: baseline.bed)
        let run = try bed.run(baseline.arguments, killDelay: delay)
        return try Verdict(on: bed, after: run, baseline, fault: nil)
      }
      row.add(verdict, at: "after \(delay)")
    }
    try await MatrixReport.shared.add(row)
  }
}
