/// The folders that contain a node; they own it, not the reverse.
struct WrapperParents {
  private struct Reference {
    weak var folder: DocumentWrapper?
  }

  private var references: [Reference] = []

  /// The folders; a folder that contains the node under two keys is listed twice.
  var folders: [DocumentWrapper] { references.compactMap(\.folder) }

  /// Records that a folder contains the node.
  mutating func add(_ folder: DocumentWrapper) {
    references.removeAll { $0.folder == nil }
    references.append(Reference(folder: folder))
  }

  /// Records that a folder no longer contains the node.
  mutating func remove(_ folder: DocumentWrapper) {
    references.removeAll { $0.folder == nil || $0.folder === folder }
  }

  /// Returns whether a node contains this one, at any depth.
  func reach(_ node: DocumentWrapper) -> Bool {
    var pending = folders
    var seen: Set<ObjectIdentifier> = []
    while let next = pending.popLast() {
      if next === node { return true }
      if seen.insert(ObjectIdentifier(next)).inserted { pending += next.parents.folders }
    }
    return false
  }
}
