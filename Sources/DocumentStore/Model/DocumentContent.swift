package import DocumentGit

/// A version's content: its tree, and facts that distinguish two contents without reading them.
package struct DocumentContent: Hashable, Sendable {
  /// The document's tree: one entry for a file, the members for a package.
  package var tree: ObjectID
  /// The ``ContentDigest``, as text.
  package var digest: String
  /// Bytes of all files.
  package var bytes: Int
  /// Files and links.
  var files: Int
  /// Whether the document is a folder.
  package var isPackage: Bool
  /// Whether the document is a file that may be run.
  package var isExecutable: Bool

  /// Returns whether both are the same document content.
  ///
  /// The tree holds the document's name too, which may differ.
  package func isSame(as other: DocumentContent?) -> Bool {
    guard let other else { return false }
    return digest == other.digest && isPackage == other.isPackage
      && isExecutable == other.isExecutable
  }
}
