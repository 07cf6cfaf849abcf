internal import DocumentFiles
internal import DocumentGit

/// Reading the trees of a version.
extension StoredContents {
  /// Returns a tree and all trees below it, each read once however often it occurs.
  ///
  /// Their members are counted before anything is built, because a few trees that contain one another
  /// repeatedly can represent billions of members.
  func trees(below root: ObjectID) throws -> [ObjectID: Tree] {
    var found: [ObjectID: Tree] = [:]
    var counts: [ObjectID: Int] = [:]
    _ = try countMembers(below: root, depth: 0, &found, &counts)
    return found
  }

  private func countMembers(
    below id: ObjectID, depth: Int, _ found: inout [ObjectID: Tree], _ counts: inout [ObjectID: Int]
  ) throws -> Int {
    if let known = counts[id] { return known }
    let limits = DocumentLimits()
    guard depth <= limits.depth else {
      throw GitError.malformed("a package has more than \(limits.depth) folders inside one another")
    }
    let tree = try objects.repository.tree(id)
    var count = tree.entries.count
    // A file in chunks is one member.
    for entry in tree.entries
    where entry.mode == .folder && MemberName.decoded(entry.name)?.isChunked == false {
      count += try countMembers(below: entry.id, depth: depth + 1, &found, &counts)
      guard count <= limits.members else { break }
    }
    guard count <= limits.members else {
      throw GitError.malformed("a package has more than \(limits.members) members")
    }
    found[id] = tree
    counts[id] = count
    return count
  }
}
