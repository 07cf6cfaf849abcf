internal import DocumentVersions
internal import Foundation

/// The outcome of saving one document: `{"document", "id", "new", "version"}`.
///
/// `document` is the path, `id` the version's identifier, `new` whether the version is new. In a dry run,
/// `version` is the version that the new one would follow, or null. `missed` is the version that was written
/// over the document, if the contents have nothing of it.
struct SaveReport: Encodable {
  private enum CodingKeys: String, CodingKey {
    case document, id, missed, version
    case isNew = "new"
  }

  let document: String
  @Nullable var id: String?
  let isNew: Bool
  /// The missed version; omitted if it is nil, as usual.
  var missed: VersionReport?
  @Nullable var version: VersionReport?

  /// - Parameters:
  ///   - document: the document's path, for a document without versions.
  ///   - outcome: `nil` if a dry run would make the first version.
  init(_ document: String, _ outcome: SaveOutcome?) {
    let saved = outcome?.version
    self.document = saved?.documentURL.path ?? document
    id = saved?.id.description
    isNew = outcome?.isNew ?? true
    missed = outcome?.missedVersion.map(VersionReport.init)
    version = saved.map(VersionReport.init)
  }
}
