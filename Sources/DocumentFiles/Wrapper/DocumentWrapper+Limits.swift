internal import SystemPackage

extension DocumentWrapper {
  /// Refuses a tree that could not be read again.
  ///
  /// - Parameter place: where the tree goes, for messages.
  /// - Throws: ``FileError`` with code `too-large`, as reading does.
  func checkLimits(at place: ItemPath) throws(FileError) {
    var tally = DocumentTally(limits: DocumentLimits())
    // Without recursion: it may be deeper than any stack.
    var pending = [(node: self, depth: 0, place: place)]
    while let (node, depth, place) = pending.popLast() {
      switch node.content {
      case .file(let data):
        let size = data?.count ?? node.stored?.status.size ?? 0
        try tally.add(.file, size: size, depth: depth, at: place)
      case .symbolicLink: try tally.add(.symbolicLink, size: 0, depth: depth, at: place)
      case .folder(let members):
        try tally.add(.folder, size: 0, depth: depth, at: place)
        for (key, member) in members {
          let name = node.nameToWrite(of: member, as: key)
          pending.append((member, depth + 1, place.member(name)))
        }
      }
    }
  }
}
