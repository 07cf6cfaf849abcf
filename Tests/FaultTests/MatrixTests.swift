internal import DocumentTestSupport
internal import Foundation
internal import Testing

/// Every operation, every fault, at every call that the fault can hit: nothing is lost, no report is wrong,
/// and the next operation just works.
///
/// In the short mode each operation is killed once, a save at many calls; and of the other faults each meets a ninth of the
/// operations, and each operation two of them.
@Suite("Fault matrix", .enabled(if: FaultInjector.isAvailable), .blocks)
struct MatrixTests {
  private static let rows =
    Matrix.rows(of: FaultAction.tried.filter { $0 == .killBefore }, oneOf: 1)
    + Matrix.rows(of: FaultAction.tried.filter { $0 != .killBefore }, oneOf: 9)

  @Test("Nothing is lost, and nothing is in the way", arguments: rows)
  func row(operation: Operation, action: FaultAction) async throws {
    let name = "\(operation.name) \(action.testDescription)"
    let baseline = try await Baselines.shared.baseline(of: operation)
    let isSave = operation.name == Operation.save.name && action == .killBefore
    let points = TestMode.some(
      of: baseline.calls(for: action), atMost: isSave ? 15 : 1, row: name)
    var row = MatrixRow(operation.name, action.testDescription)
    for point in points {
      let fault = Fault(action: action, call: point.number)
      let outcome = try await Workers.run { try Matrix.verdict(fault, baseline) }
      guard let (verdict, run) = outcome else { continue }
      let call = run.calls.first { $0.number == fault.call }?.line ?? point.line
      row.add(verdict, at: "call \(call)")
    }
    try await MatrixReport.shared.add(row)
  }
}
