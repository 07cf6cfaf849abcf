internal import DocumentVersions
internal import Foundation

/// The results of a search in a document's history: `{"document", "unsearched", "versions"}`, the path, the
/// number of versions and members that could not be searched, and the versions from new to old.
struct SearchReport: Encodable, Sendable {
  let document: String
  let unsearched: Int
  let versions: [FoundVersion]

  init(_ found: SearchedHistory) {
    document = found.document.path
    unsearched = found.unsearchedCount
    versions = found.changes.map(FoundVersion.init)
  }
}

/// A version in a search: its keys, and `brought`, `removed`, `mayBeEarlier`; lines are `{"line", "member"}`;
/// the member is null for the document itself.
struct FoundVersion: Encodable, Sendable {
  private enum Key: CodingKey {
    case brought, removed, mayBeEarlier
  }

  struct Line: Encodable {
    @Nullable var member: String?
    let line: String

    init(_ line: FoundChange.Line) {
      member = line.member.isEmpty ? nil : line.member
      self.line = line.text
    }
  }

  let change: FoundChange

  func encode(to encoder: any Encoder) throws {
    try VersionReport(change.version).encode(to: encoder)
    var container = encoder.container(keyedBy: Key.self)
    try container.encode(change.brought.map(Line.init), forKey: .brought)
    try container.encode(change.removed.map(Line.init), forKey: .removed)
    try container.encode(change.mayBeEarlier, forKey: .mayBeEarlier)
  }
}

/// The version that added each line: `{"document", "lines", "version", "versions"}`; a line is
/// `{"line", "mayBeEarlier", "version"}`, with the identifier of its version.
struct BlameReport: Encodable {
  struct Line: Encodable {
    let line: String
    let version: String
    let mayBeEarlier: Bool
  }

  let document: String
  let version: VersionReport
  let lines: [Line]
  /// The versions of the lines, newest first.
  let versions: [VersionReport]

  init(_ origins: [LineOrigin], of version: FileVersion) {
    document = version.documentURL.path
    self.version = VersionReport(version)
    lines = origins.map {
      Line(
        line: $0.text, version: $0.version.id.description, mayBeEarlier: $0.mayBeEarlier)
    }
    versions = Set(origins.map(\.version)).sorted { $0.savingDate > $1.savingDate }
      .map(VersionReport.init)
  }
}

/// The values of a structured version with the versions that added them:
/// `{"document", "values", "version", "versions"}`.
struct ValueBlameReport: Encodable {
  struct Value: Encodable {
    let path: String
    let value: String
    let version: String
    let mayBeEarlier: Bool
  }

  let document: String
  let version: VersionReport
  let values: [Value]
  /// The versions of the values, newest first.
  let versions: [VersionReport]

  init(_ origins: [ValueOrigin], of version: FileVersion) {
    document = version.documentURL.path
    self.version = VersionReport(version)
    values = origins.map {
      Value(
        path: $0.path, value: $0.text, version: $0.version.id.description,
        mayBeEarlier: $0.mayBeEarlier)
    }
    versions = Set(origins.map(\.version)).sorted { $0.savingDate > $1.savingDate }
      .map(VersionReport.init)
  }
}
