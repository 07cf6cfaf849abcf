internal import DocumentGit

/// The files of a version that may be run; read when they are asked for.
final class ExecutableMembers {
  private let content: DocumentContent
  private let contents: StoredContents
  private var paths: Set<[[UInt8]]>?

  init(of content: DocumentContent, in contents: StoredContents) {
    self.content = content
    self.contents = contents
  }

  /// Returns whether the file at a path may be run; of a document that is a file, at no path.
  func contains(_ path: [[UInt8]]) throws -> Bool {
    guard content.isPackage else { return path.isEmpty && content.isExecutable }
    let paths = try self.paths ?? read()
    self.paths = paths
    return paths.contains(path)
  }

  private func read() throws -> Set<[[UInt8]]> {
    var found: Set<[[UInt8]]> = []
    try collect(content.tree, at: [], into: &found)
    return found
  }

  private func collect(
    _ tree: ObjectID, at path: [[UInt8]], into found: inout Set<[[UInt8]]>
  ) throws {
    for member in try contents.objects.repository.tree(tree).entries.map(ComparedMember.init) {
      let inner = path + [member.name]
      if member.isFolder {
        try collect(member.id, at: inner, into: &found)
      } else {
        let mode =
          member.isChunked
          ? try ChunkedFile.mode(of: member.id, in: contents.objects.repository) : member.mode
        if mode == .executable { found.insert(inner) }
      }
    }
  }
}
