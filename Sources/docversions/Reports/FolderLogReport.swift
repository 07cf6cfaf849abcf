internal import DocumentVersions

/// The newest versions of a folder: `{"folder", "versions"}`, each version with the path of its `document`.
struct FolderLogReport: Encodable {
  /// A version of one of the documents.
  struct Entry: Encodable {
    private enum Key: CodingKey {
      case document
    }

    /// The path of the document, and its form for people.
    let document, shown: String
    let version: FileVersion

    func isListed(before other: Entry) -> Bool {
      (version.savingDate, version.id.description)
        > (other.version.savingDate, other.version.id.description)
    }

    func encode(to encoder: any Encoder) throws {
      try VersionReport(version).encode(to: encoder)
      var container = encoder.container(keyedBy: Key.self)
      try container.encode(document, forKey: .document)
    }
  }

  let folder: String
  let versions: [Entry]
}
