internal import DocumentTestSupport
internal import Foundation
internal import Testing

/// The fault matrix: the tested points and the results.
///
/// `DOCVERSIONS_FAULTS=full` tests them all, which takes long; `DOCVERSIONS_FAULT_OPERATION` names one
/// operation, `DOCVERSIONS_FAULT_ACTIONS` some rows, and `DOCVERSIONS_FAULT_REPORT` a file for the table.
enum Matrix {
  /// Returns the rows to test: all, or the same share for each fault, so that each operation meets some
  /// fault.
  ///
  /// - Parameter few: in the short mode, one of this number of operations meets the fault.
  static func rows<Action>(
    of actions: [Action], oneOf few: Int
  ) -> [(operation: Operation, action: Action)] {
    Operation.tried.enumerated().flatMap { first, operation in
      actions.enumerated().filter { TestMode.isFull || (first + $0.offset) % few == 0 }
        .map { (operation, $0.element) }
    }
  }

  /// Tests one point of a row and judges it; a slow retry gets a second chance, because other tests run at
  /// the same time.
  static func verdict(_ fault: Fault, _ baseline: Baseline) throws -> (Verdict, Run)? {
    for isLast in [false, true] {
      let bed = try FaultBed(copyOf: baseline.bed)
      let run = try bed.run(baseline.arguments, fault: fault)
      // A fault that never occurs doesn't count.
      guard run.calls.count >= fault.call else { return nil }
      let verdict = try Verdict(on: bed, after: run, baseline, fault: fault)
      if isLast || verdict.count(.stuck) == 0 { return (verdict, run) }
    }
    return nil
  }
}

/// The result of a row: the number of tested points, and the problems.
struct MatrixRow: Sendable {
  let operation: String
  let action: String
  var points = 0
  var counts: [Verdict.Kind: Int] = [:]

  init(_ operation: String, _ action: String) {
    self.operation = operation
    self.action = action
  }

  /// Adds the verdict on a point, and reports its failures to the test.
  ///
  /// - Parameter place: the call, and how to reproduce it.
  mutating func add(_ verdict: Verdict, at place: String) {
    points += 1
    for kind in Verdict.Kind.allCases where verdict.count(kind) > 0 {
      counts[kind, default: 0] += 1
    }
    for (kind, text) in verdict.findings where kind != .lingering {
      Issue.record("\(kind.rawValue): \(operation), \(action), \(place): \(text)")
    }
  }
}

/// The table of all rows, written to the file that `DOCVERSIONS_FAULT_REPORT` names.
actor MatrixReport {
  static let shared = MatrixReport()

  private var rows: [MatrixRow] = []

  /// Adds a finished row.
  func add(_ row: MatrixRow) throws {
    rows.append(row)
    guard let path = ProcessInfo.processInfo.environment["DOCVERSIONS_FAULT_REPORT"] else { return }
    let kinds = Verdict.Kind.allCases
    let head = "| operation | fault | points | " + kinds.map(\.rawValue).joined(separator: " | ")
    let lines = rows.map { row in
      let counts = kinds.map { String(row.counts[$0] ?? 0) }.joined(separator: " | ")
      return "| \(row.operation) | \(row.action) | \(row.points) | \(counts) |"
    }
    let rule = "| --- | --- |" + String(repeating: " ---: |", count: kinds.count + 1)
    let text = ([head + " |", rule] + lines.sorted()).joined(separator: "\n") + "\n"
    try Data(text.utf8).write(to: URL(filePath: path))
  }
}
