internal import DocumentGit

/// The members of the version that a document on disk is based on.
///
/// They provide facts that the disk doesn't have: which files are executable, and which items are members
/// although rules exclude them. They are read on demand.
package final class FormerMembers {
  private let content: DocumentContent
  private let contents: StoredContents
  private var executables: Set<[[UInt8]]>?

  package init(of content: DocumentContent, in contents: StoredContents) {
    self.content = content
    self.contents = contents
  }

  /// Returns whether the file at a path is executable; the path is empty for a document that is a file.
  func mayBeRun(_ path: [[UInt8]]) throws -> Bool {
    guard content.isPackage else { return path.isEmpty && content.isExecutable }
    let paths = try executables ?? read()
    executables = paths
    return paths.contains(path)
  }

  /// Returns whether the version has a member at a path.
  func hasMember(_ path: [[UInt8]]) throws -> Bool {
    try content.isPackage && contents.member(at: path, of: content) != nil
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
