internal import DocumentVersions
internal import Foundation

/// A verified store: `{"bytes", "document", "findings", "objects", "versions", "whole"}`.
///
/// The path, the findings, and the numbers of versions, objects and bytes that were read.
struct VerifyReport: Encodable {
  struct Finding: Encodable {
    let code, severity, message: String
    @Nullable var file: String?
    let versions: [String]

    init(_ finding: Verification.Finding) {
      code = finding.code.rawValue
      severity = finding.severity.rawValue
      message = finding.message
      versions = finding.versions.map(\.description)
      file = finding.file
    }
  }

  let document: String
  let whole: Bool
  let versions, objects, bytes: Int
  let findings: [Finding]

  init(_ verification: Verification) {
    document = verification.document.path
    whole = verification.isWhole
    versions = verification.versions
    objects = verification.objects
    bytes = verification.bytes
    findings = verification.findings.map(Finding.init)
  }
}
