internal import DocumentFiles
internal import DocumentGit

/// The findings of the checks of a store so far.
final class FindingList {
  private(set) var all: [Verification.Finding] = []

  /// Damage first.
  var sorted: [Verification.Finding] {
    all.filter { $0.severity == .damage } + all.filter { $0.severity == .notice }
  }

  /// Adds damage.
  func damage(
    _ code: Verification.Finding.Code, _ message: String, file: String? = nil,
    versions: some Sequence<ObjectID> = []
  ) {
    add(.damage, code, message, file: file, versions: versions)
  }

  /// Adds a notice.
  func notice(
    _ code: Verification.Finding.Code, _ message: String, file: String? = nil,
    versions: some Sequence<ObjectID> = []
  ) {
    add(.notice, code, message, file: file, versions: versions)
  }

  private func add(
    _ severity: Verification.Finding.Severity, _ code: Verification.Finding.Code,
    _ message: String, file: String?, versions: some Sequence<ObjectID>
  ) {
    all.append(
      Verification.Finding(
        severity: severity, code: code, message: message, file: file.map(Printable.text),
        versions: versions.sorted().map(FileVersion.PersistentIdentifier.init)))
  }
}
