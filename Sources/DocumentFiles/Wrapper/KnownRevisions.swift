internal import SystemPackage

/// The states on disk that a wrapper was read from and written as: an app replaces these without losing another
/// program's change.
struct KnownRevisions {
  private var revisions: Set<Revision> = []

  /// None: of a wrapper that was neither read nor written.
  init() {}

  /// The one that was read.
  init(_ revision: Revision) { revisions = [revision] }

  /// Adds what was written, in place of what it replaced.
  mutating func add(_ written: ItemListing, replacing displaced: ItemListing?) {
    if let displaced { revisions.remove(displaced.revision) }
    revisions.insert(written.revision)
  }

  /// Refuses to replace an item that another program changed.
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
