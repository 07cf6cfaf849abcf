internal import SystemPackage

/// The revisions on disk that a wrapper was read from or written as.
///
/// An app can replace these without losing another program's change.
struct KnownRevisions {
  private var revisions: Set<Revision> = []

  /// Creates an empty set, for a wrapper that was neither read nor written.
  init() {}

  /// Creates a set with the revision that was read.
  init(_ revision: Revision) { revisions = [revision] }

  /// Adds the written revision, in place of the one that it replaced.
  mutating func add(_ written: ItemListing, replacing displaced: ItemListing?) {
    if let displaced { revisions.remove(displaced.revision) }
    revisions.insert(written.revision)
  }

  /// Throws an error if another program has changed an item that is to be replaced.
  ///
  /// - Throws: ``FileError`` with code `changing`.
  func check(_ present: ItemListing, at path: FilePath) throws(FileError) {
    guard !revisions.isEmpty, !revisions.contains(present.revision) else { return }
    throw FileError(
      .changing, path: path,
      message: """
        “\(path.printable)” is not what was read or written last; it is untouched. Read it again, or write without \
        an original to replace it.
        """)
  }
}
