internal import DocumentVersions
internal import Foundation

/// Removed versions: `{"document", "removed", "version"}`, the path, the identifiers of the removed versions, and the
/// current version or null.
struct RemoveReport: Encodable {
  private enum CodingKeys: CodingKey {
    case document, removed, version
  }

  let document: String
  let versions: [FileVersion]
  let removed: [String]
  @Nullable var version: VersionReport?

  init(_ document: URL, _ versions: [FileVersion], current: FileVersion?) {
    self.document = document.path
    self.versions = versions
    removed = versions.map(\.id.description)
    version = current.map(VersionReport.init)
  }
}
