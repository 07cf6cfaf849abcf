internal import DocumentVersions
internal import Foundation

/// Conflict versions marked as resolved: `{"document", "marked", "version"}`.
///
/// The path, the identifiers of the formerly unresolved versions, and the current version afterward.
struct MarkReport: Encodable {
  private enum CodingKeys: CodingKey {
    case document, marked, version
  }

  let document: String
  let versions: [FileVersion]
  let marked: [String]
  let version: VersionReport

  init(_ versions: [FileVersion], current: FileVersion) {
    document = current.documentURL.path
    self.versions = versions
    marked = versions.map(\.id.description)
    version = VersionReport(current)
  }
}
