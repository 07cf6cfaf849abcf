internal import DocumentGit

/// The members of the version that a document on disk was made from.
///
/// They say what the disk does not: which files may be run, and which that the rules ignore are members all the same. Read
/// when they are asked for.
package final class FormerMembers {
  private let content: DocumentContent
  private let contents: StoredContents
  private var executables: Set<[[UInt8]]>?

  package init(of content: DocumentContent, in contents: StoredContents) {
    self.content = content
    self.contents = contents
  }

  /// Returns whether the file at a path may be run; of a document that is a file, at no path.
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
