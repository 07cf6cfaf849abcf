package import DocumentGit

/// A version's content: its tree, and facts that distinguish two contents without reading them.
package struct DocumentContent: Hashable, Sendable {
  /// The document's tree: one entry for a file, the members for a package.
  package var tree: ObjectID
  /// The ``ContentDigest``, as text.
  package var digest: String
  /// The size of all files, in bytes.
  package var bytes: Int
  /// The number of files and links.
  var files: Int
  /// True if the document is a folder.
  package var isPackage: Bool
  /// True if the document is an executable file.
  package var isExecutable: Bool

  /// Returns whether both contents are the same.
  ///
  /// The document's name, which the tree also contains, may differ.
  package func isSame(as other: DocumentContent?) -> Bool { key == other?.key }

  /// The facts in which equal contents agree.
  struct Key: Hashable, Sendable {
    let digest: String
    let bytes: Int
    let isPackage, isExecutable: Bool
  }

  var key: Key {
    Key(digest: digest, bytes: bytes, isPackage: isPackage, isExecutable: isExecutable)
  }
}
