internal import DocumentGit

/// A member of a document: its kind, its object, and its digest.
struct ContentNode {
  var mode: Tree.Mode
  var id: ObjectID
  var digest: ContentDigest
  /// True if the object is the tree of a ``ChunkedFile``.
  var isChunked = false
  /// True if the member was not read, because it and everything in it are stored unchanged.
  var isStored = false
  /// True if the member captures one moment of a database that a program has open, so its file can't show
  /// that it is unchanged.
  var isOfOneMoment = false

  /// Returns the entry that lists the member in its folder's tree.
  func entry(named name: [UInt8]) -> Tree.Entry {
    Tree.Entry(
      mode: isChunked ? .folder : mode, name: MemberName.encoded(name, isChunked: isChunked),
      id: id)
  }
}
