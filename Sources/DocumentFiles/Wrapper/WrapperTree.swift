/// A tree of wrappers in the form for the document writer.
struct WrapperTree {
  private let top: DocumentWrapper

  init(_ top: DocumentWrapper) { self.top = top }

  /// Throws an error for a tree that couldn't be read again.
  ///
  /// - Parameter place: the destination of the tree, for messages.
  /// - Throws: ``FileError`` with code `too-large`, as for reading.
  func checkLimits(at place: ItemPath) throws(FileError) {
    var tally = DocumentTally(limits: DocumentLimits())
    // Without recursion, because it may be deeper than any stack.
    var pending = [(node: top, depth: 0, place: place)]
    while let (node, depth, place) = pending.popLast() {
      switch node.content {
      case .file(let data):
        let size = data?.count ?? node.stored?.status.size ?? 0
        try tally.add(.file, size: size, depth: depth, at: place)
      case .symbolicLink: try tally.add(.symbolicLink, size: 0, depth: depth, at: place)
      case .folder(let members):
        try tally.add(.folder, size: 0, depth: depth, at: place)
        for (name, member) in members.byName {
          pending.append((member, depth + 1, place.member(name)))
        }
      }
    }
  }

  /// Returns the document that the tree describes.
  func item() throws(FileError) -> DocumentItem { try Self.item(of: top) }

  private static func item(of node: DocumentWrapper) throws(FileError) -> DocumentItem {
    let attributes = node.attributes
    switch node.content {
    case .symbolicLink(let target): return .symbolicLink(target: target)
    case .file:
      let isExecutable = attributes.permissions.map { $0 & 0o100 != 0 } ?? false
      let new = DocumentItem.attributed(
        attributes.item, .file(isExecutable: isExecutable, contents: try node.contents()))
      guard let stored = node.stored, attributes.item.isAll(of: stored.status) else { return new }
      return .unchangedIf(stored.status, otherwise: new)
    case .folder:
      var folder = ItemAttributes()
      folder.permissions = attributes.permissions
      return .attributed(folder, .folder { try members(of: node) })
    }
  }

  /// Returns the members of a folder, created when the writer reaches it.
  private static func members(
    of folder: DocumentWrapper
  ) throws(FileError) -> [(name: [UInt8], item: DocumentItem)] {
    var items: [(name: [UInt8], item: DocumentItem)] = []
    for (name, member) in try folder.members.byName {
      let item = try item(of: member)
      items.append((name, member.storedName.map { .replacing($0, item) } ?? item))
    }
    items.sort { $0.name.lexicographicallyPrecedes($1.name) }
    return items
  }
}
