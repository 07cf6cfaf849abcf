internal import DocumentTestSupport
internal import Foundation
internal import Testing

/// Every operation, every fault, at every call that the fault can hit: nothing is lost, no report is wrong,
/// and the next operation just works.
///
/// In the short mode some calls of each row are tried, and all kills of a save.
@Suite("Fault matrix", .enabled(if: FaultInjector.isAvailable))
struct MatrixTests {
  @Test("Nothing is lost, and nothing is in the way", arguments: Operation.tried, FaultAction.tried)
  func row(operation: Operation, action: FaultAction) async throws {
    let name = "\(operation.name) \(action.testDescription)"
    guard action == .killBefore || Matrix.isTried(row: name) else { return }
    let baseline = try await Baselines.shared.baseline(of: operation)
    let isWhole = operation.name == Operation.save.name && action == .killBefore
    let points = TestMode.some(
      of:
        baseline.calls(for: action), atMost: isWhole ? .max : 1, row: name)
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
