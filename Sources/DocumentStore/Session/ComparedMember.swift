internal import DocumentGit

/// A member of one of two contents that are compared, known by its object id alone.
struct ComparedMember {
  let name: [UInt8]
  /// As its folder's tree has it: that of a file in chunks is a folder's.
  let mode: Tree.Mode
  let id: ObjectID
  let isChunked: Bool
  /// The same of a document on disk.
  let node: MemberNode?

  /// A member that a stored tree lists.
  init(_ entry: Tree.Entry) throws {
    guard let (name, isChunked) = MemberName.decoded(entry.name),
      !isChunked || entry.mode == .folder
    else { throw GitError.malformed("a package has a member with an impossible name") }
    self.init(name: name, mode: entry.mode, id: entry.id, isChunked: isChunked)
  }

  /// A stored member.
  init(name: [UInt8], mode: Tree.Mode, id: ObjectID, isChunked: Bool = false) {
    self.name = name
    self.mode = mode
    self.id = id
    self.isChunked = isChunked
    node = nil
  }

  /// A member on disk.
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
  /// Whether there is nothing in it by which it could be known again.
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
  /// The blob without bytes, which every empty file is.
  static let emptyBlob = ObjectID(hexadecimal: "e69de29bb2d1d6434b8b29ae775ad8c2e48c5391")
}
