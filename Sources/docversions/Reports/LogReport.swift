internal import DocumentVersions
internal import Foundation

/// A document's versions: `{"document", "versions"}`, the path, and the versions from new to old.
struct LogReport: Encodable {
  let document: String
  let versions: [LoggedVersion]
}

/// A version in a log, with its changes as `changes` if requested.
struct LoggedVersion: Encodable {
  private enum Key: CodingKey {
    case changes
  }

  let report: VersionReport
  /// The changes of the version; `nil` unless requested.
  let summary: ChangeSummary?

  var version: FileVersion { report.version }

  init(_ version: FileVersion, _ summary: ChangeSummary? = nil) {
    report = VersionReport(version)
    self.summary = summary
  }

  func encode(to encoder: any Encoder) throws {
    try report.encode(to: encoder)
    guard let summary else { return }
    var container = encoder.container(keyedBy: Key.self)
    try container.encode(summary.members?.map(StatReport.init), forKey: .changes)
  }
}

/// The detail in which a log reports the changes of each version.
enum LogDetail {
  /// No changes.
  case none
  /// The number of lines or members that changed.
  case counts
  /// Every member that changed.
  case members
}

extension LogReport {
  /// The maximum number of versions whose changes are counted by default, because that takes far longer than
  /// listing them.
  static let mostCounted = 1_000

  /// Lists versions of a history.
  init(
    _ versions: [FileVersion], of history: DocumentHistory, in store: SynchronousStore,
    _ detail: LogDetail
  ) throws {
    let summaries: [ChangeSummary]? =
      switch detail {
      case .none: nil
      case .counts:
        versions.count <= Self.mostCounted
          ? try ChangeSummaries.counted(versions, of: history, in: store) : nil
      case .members: try Self.compared(versions, of: history, in: store)
      }
    self.init(
      document: history.document.path,
      versions: versions.enumerated().map { LoggedVersion($1, summaries?[$0]) })
  }

  private static func compared(
    _ versions: [FileVersion], of history: DocumentHistory, in store: SynchronousStore
  ) throws -> [ChangeSummary] {
    guard let first = versions.first else { return [] }
    return try store.comparing(first) { comparison in
      var changes = ChangeSummaries(history, comparison, listsMembers: true)
      return try versions.map { try changes.summary(of: $0) }
    }
  }
}

extension DocumentHistory {
  /// The newest version that can be restored, conflict versions aside.
  var lastWithContents: FileVersion? {
    versions.first {
      !$0.isDeletion && $0.hasLocalContents && (!$0.isConflict || $0.isResolved)
    }
  }
}
