internal import DocumentGit

/// The objects that references lead to.
struct Reachability {
  let objects: ObjectStore

  init(in objects: ObjectStore) {
    self.objects = objects
  }

  /// - Throws: ``GitError`` if one of them is missing.
  func objects(from ends: [ObjectID], check: () throws -> Void = {}) throws -> Set<ObjectID> {
    var found: Set<ObjectID> = []
    var pending = ends
    while let id = pending.popLast() {
      guard found.insert(id).inserted else { continue }
      try check()
      let object: (kind: ObjectKind, bytes: [UInt8]) = try objects.read(id)
      switch object.kind {
      case .commit:
        let commit = try Commit(decoding: object.bytes)
        pending += commit.parents
        pending.append(commit.tree)
      case .tree:
        for entry in try RawTree(object.bytes).entries where entry.mode != RawTree.link {
          if entry.mode == RawTree.folder {
            pending.append(entry.id)
          } else if found.insert(entry.id).inserted {
            guard try objects.contains(entry.id) else { throw GitError.missing("\(entry.id)") }
          }
        }
      case .blob: continue
      }
    }
    return found
  }
}
