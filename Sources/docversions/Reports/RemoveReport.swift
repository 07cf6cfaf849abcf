internal import DocumentVersions
internal import Foundation

/// Removed versions: `{"document", "everywhere", "removed", "version"}`, the path, whether from every device, the identifiers
/// of the removed versions, and the current version or null.
struct RemoveReport: Encodable {
  private enum CodingKeys: CodingKey {
    case document, everywhere, removed, version
  }

  let document: String
  let versions: [FileVersion]
  let everywhere: Bool
  let removed: [String]
  @Nullable var version: VersionReport?

  init(
    _ document: URL, _ versions: [FileVersion], current: FileVersion?, isEverywhere: Bool = false
  ) {
    everywhere = isEverywhere
    self.document = document.path
    self.versions = versions
    removed = versions.map(\.id.description)
    version = current.map(VersionReport.init)
  }
}
