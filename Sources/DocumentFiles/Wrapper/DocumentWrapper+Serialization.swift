public import Foundation
internal import SystemPackage

/// The tree as one sequence of bytes, for transport or a pasteboard; see ``SerializedNode``.
extension DocumentWrapper {
  /// The tree as data, with names, kinds, contents, permissions and dates.
  ///
  /// - Throws: ``FileError``: `too-large` for a tree that couldn't be read again; `not-found` or `changing` if bytes
  ///   that are only on disk have changed there.
  public var serializedRepresentation: Data {
    get throws {
      try WrapperTree(self).checkLimits(at: .at(FilePath(shownName)))
      var data = Data(SerializedNode.signature)
      var pending = [(node: self, key: String?.none, nameOnDisk: [UInt8]?.none, depth: 0)]
      // The next one is the last.
      while let (node, key, nameOnDisk, depth) = pending.popLast() {
        try SerializedNode(node, depth: depth, key: key, nameOnDisk: nameOnDisk).write(to: &data)
        guard case .folder(let members) = node.content else { continue }
        pending += members.byKey.sorted { $0.key > $1.key }.map { key, node in
          (node, key, members.namesOnDisk[key], depth + 1)
        }
      }
      return data
    }
  }

  /// Creates a tree from its serialized representation.
  ///
  /// - Throws: ``FileError`` with code `damaged` if the data isn't a serialized tree.
  public convenience init(serializedRepresentation data: Data) throws(FileError) {
    var rest = Array(data)[...]
    guard rest.starts(with: SerializedNode.signature) else { throw SerializedNode.damaged }
    rest = rest.dropFirst(SerializedNode.signature.count)
    guard let top = try SerializedNode(&rest), top.depth == 0 else { throw SerializedNode.damaged }
    self.init(top)
    var path = [self]
    var count = 1
    while let node = try SerializedNode(&rest) {
      count += 1
      guard (1...path.count).contains(node.depth), case let folder = path[node.depth - 1],
        folder.isDirectory, node.depth <= DocumentLimits().depth, count <= DocumentLimits().members,
        let key = node.key, PathName.isName(Array(key.utf8)), try folder.members[key] == nil,
        node.nameOnDisk.map(PathName.isName) ?? true
      else { throw SerializedNode.damaged }
      let member = DocumentWrapper(node)
      try folder.insert(member, forKey: key, nameOnDisk: node.nameOnDisk)
      path.removeSubrange(node.depth...)
      path.append(member)
    }
  }

  private convenience init(_ node: SerializedNode) {
    switch node.content {
    case .file(let bytes): self.init(.file(Data(bytes)))
    case .symbolicLink(let target): self.init(.symbolicLink(target: target))
    case .folder: self.init(.folder(WrapperMembers()))
    }
    preferredFilename = node.preferredFilename
    storedName = node.filename
    if let permissions = node.permissions { attributes.setPermissions(permissions) }
    if let modified = node.modified { attributes.setModified(modified) }
  }
}
