internal import DocumentGit

/// Finds the objects of a content that the previous version doesn't have, each with the object that it
/// resembles there.
struct NewObjects {
  private let reader: StoreReader

  init(in reader: StoreReader) {
    self.reader = reader
  }

  /// Returns the new objects.
  ///
  /// Stored objects that are unreachable are written again, because git may be about to drop them.
  ///
  /// - Parameters:
  ///   - objects: the content's objects.
  ///   - tree: the content's tree; `nil` if it isn't known.
  ///   - base: the previous version.
  ///   - stored: trees of that version whose contents are not among the objects.
  func among(
    _ objects: [GitObject], of tree: ObjectID? = nil, following base: Record?,
    besides stored: Set<ObjectID> = []
  ) throws -> [GitObject] {
    guard let base, let former = base.content?.tree,
      try reader.chain.content(of: base.id) != nil
    else { return objects }
    var trees: [ObjectID: Tree] = [:]
    let known = try objectsReachable(from: former, besides: stored, keeping: &trees)
    let new = try objects.filter { object in
      guard known.contains(object.id) else { return true }
      try object.refuseForgery()
      return false
    }
    guard let tree else { return new }
    var likeness = Likeness(of: new)
    try likeness.compare(tree, with: former) {
      try trees[$0] ?? reader.objects.repository.tree($0)
    }
    return likeness.recorded(in: new)
  }

  private func objectsReachable(
    from tree: ObjectID, besides stored: Set<ObjectID>, keeping trees: inout [ObjectID: Tree]
  ) throws -> Set<ObjectID> {
    let read = try reader.objects.repository.tree(tree)
    trees[tree] = read
    var found: Set<ObjectID> = [tree]
    for entry in read.entries {
      if entry.mode == .folder, !found.contains(entry.id), !stored.contains(entry.id) {
        found.formUnion(try objectsReachable(from: entry.id, besides: stored, keeping: &trees))
      }
      found.insert(entry.id)
    }
    return found
  }
}
