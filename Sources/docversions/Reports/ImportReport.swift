internal import DocumentVersions

/// Imported copies of a document: `{"copies", "document"}`, the document's path and the copies.
struct ImportReport: Encodable {
  /// A copy: its path, whether it has something new, and its version.
  ///
  /// The version is null if the copy has nothing new, and in a dry run.
  struct Copy: Encodable {
    private enum CodingKeys: String, CodingKey {
      case copy, version
      case isNew = "new"
    }

    let copy: String
    let isNew: Bool
    @Nullable var version: VersionReport?

    init(_ path: String, isNew: Bool, _ version: FileVersion?) {
      copy = path
      self.isNew = isNew
      self.version = version.map(VersionReport.init)
    }
  }

  let document: String
  let copies: [Copy]
}
