internal import DocumentGit

/// A member of one of two compared contents, identified only by its object id.
struct ComparedMember {
  let name: [UInt8]
  /// The mode in its folder's tree; a file in chunks has a folder's mode.
  let mode: Tree.Mode
  let id: ObjectID
  let isChunked: Bool
  /// The node of a member of a document on disk.
  let node: MemberNode?

  /// Creates a member from an entry of a stored tree.
  init(_ entry: Tree.Entry) throws {
    guard let (name, isChunked) = MemberName.decoded(entry.name),
      !isChunked || entry.mode == .folder
    else { throw GitError.malformed("a package has a member with an impossible name") }
    self.init(name: name, mode: entry.mode, id: entry.id, isChunked: isChunked)
  }

  /// Creates a stored member.
  init(name: [UInt8], mode: Tree.Mode, id: ObjectID, isChunked: Bool = false) {
    self.name = name
    self.mode = mode
    self.id = id
    self.isChunked = isChunked
    node = nil
  }

  /// Creates a member on disk.
  init(name: [UInt8], _ node: MemberNode) {
    self.name = name
    self.node = node
    id = node.object.id
    isChunked = node.object.isChunked
    mode = isChunked ? .folder : node.object.mode
  }

  var isFolder: Bool { mode == .folder && !isChunked }
  var isFile: Bool { mode == .file || mode == .executable || isChunked }
  var hasMembers: Bool { isFolder && id != .emptyTree }
  /// True if the member is empty, and so can't be recognized by its contents.
  var isEmpty: Bool { id == .emptyBlob || id == .emptyTree }

  /// Returns whether the other one is the same kind of item with the same bytes.
  func isSame(as other: ComparedMember) -> Bool { key == other.key }

  /// The key that equal members share.
  var key: Key { Key(id: id, mode: mode, isChunked: isChunked) }

  struct Key: Hashable {
    let id: ObjectID
    let mode: Tree.Mode
    let isChunked: Bool
  }
}

extension ObjectID {
  /// The object of every empty file.
  static let emptyBlob = ObjectID(hexadecimal: "e69de29bb2d1d6434b8b29ae775ad8c2e48c5391")
}
