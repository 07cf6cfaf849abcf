internal import DocumentVersions
internal import Foundation

/// A repaired store: `{"backup", "document", "losses", "repaired", "steps"}`.
///
/// The folder of the backup or null, the path, the losses that can't be repaired, whether the steps were
/// done, and the steps.
struct RepairReport: Encodable {
  struct Step: Encodable {
    let code, message: String
    @Nullable var file: String?
  }

  let document: String
  @Nullable var backup: String?
  let repaired: Bool
  let steps: [Step]
  let losses: [VerifyReport.Finding]

  /// - Parameter isDone: whether the steps were done rather than only planned.
  init(_ outcome: Repair, isDone: Bool) {
    document = outcome.document.path
    backup = outcome.backup?.path
    repaired = isDone
    steps = outcome.steps.map {
      Step(code: $0.code.rawValue, message: $0.message, file: $0.file)
    }
    losses = outcome.losses.map(VerifyReport.Finding.init)
  }
}

/// A check of the self-test and its result: `{"detail", "name", "passed"}`.
struct CheckReport: Encodable {
  let name, detail: String
  let passed: Bool

  init(_ check: SelfTest.Check) {
    name = check.name
    detail = check.detail
    passed = check.isPassed
  }
}
