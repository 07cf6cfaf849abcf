internal import DocumentGit

/// A member of a document: what it is, the object that stands for it, and its digest.
struct ContentNode {
  var mode: Tree.Mode
  var id: ObjectID
  var digest: ContentDigest
  /// Whether the object is the tree of a ``ChunkedFile``.
  var isChunked = false
  /// Whether it was not read, because it is as it is stored, with all it holds.
  var isStored = false

  /// How a folder's tree lists the member.
  func entry(named name: [UInt8]) -> Tree.Entry {
    Tree.Entry(
      mode: isChunked ? .folder : mode, name: MemberName.encoded(name, isChunked: isChunked),
      id: id)
  }
}
