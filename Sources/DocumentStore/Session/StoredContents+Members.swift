internal import DocumentFiles
internal import DocumentGit

/// The nodes of stored members.
extension StoredContents {
  /// Returns the node of a member that a new version keeps.
  ///
  /// - Parameter digest: the member's digest.
  func node(
    of member: ComparedMember, _ digest: ContentDigest
  ) throws -> ContentBuilder.Node {
    let mode =
      member.isChunked ? try ChunkedFile.mode(of: member.id, in: objects.repository) : member.mode
    return ContentBuilder.Node(
      mode: mode, id: member.id, digest: digest, isChunked: member.isChunked, isStored: true)
  }

  /// Returns the digest of a member that is not cached.
  func digest(of member: ComparedMember) throws -> ContentDigest {
    if member.isFolder {
      let members = try objects.repository.tree(member.id).entries.map(ComparedMember.init)
      return ContentDigest(
        ofMembers: try members.map {
          let node = try node(of: $0, digest(of: $0))
          return (node.mode.rawValue, $0.name, node.digest)
        })
    }
    guard member.isChunked else {
      return ContentDigest(of: try objects.repository.read(member.id, as: .blob))
    }
    let chunks = try ChunkList(member.id, in: objects.repository)
    var hasher = ContentDigest.Hasher()
    for start in stride(from: 0, to: chunks.size, by: FileContents.pieceSize) {
      let end = min(chunks.size, start + FileContents.pieceSize)
      hasher.add(try objects.repository.read(start..<end, of: chunks)[...])
    }
    return hasher.digest()
  }

  /// Returns the member of a package at the end of a path; `nil` if there is none.
  func member(at path: [[UInt8]], of content: DocumentContent) throws -> ComparedMember? {
    guard content.isPackage else { return nil }
    var member = ComparedMember(name: [], mode: .folder, id: content.tree)
    for name in path {
      guard member.isFolder,
        let inner = try objects.repository.tree(member.id).entries.map(ComparedMember.init)
          .first(where: { $0.name == name })
      else { return nil }
      member = inner
    }
    return member
  }
}
