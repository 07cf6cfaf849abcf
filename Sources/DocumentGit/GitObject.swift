internal import CGit2

/// The kinds of object that a store holds.
package enum ObjectKind: Sendable {
  case commit
  case tree
  case blob

  var raw: git_object_t {
    switch self {
    case .commit: GIT_OBJECT_COMMIT
    case .tree: GIT_OBJECT_TREE
    case .blob: GIT_OBJECT_BLOB
    }
  }

  init?(_ raw: git_object_t) {
    switch raw {
    case GIT_OBJECT_COMMIT: self = .commit
    case GIT_OBJECT_TREE: self = .tree
    case GIT_OBJECT_BLOB: self = .blob
    default: return nil
    }
  }
}

/// An object that is not written yet: its kind, its bytes, and the id that they give it.
package struct GitObject: Sendable {
  package let id: ObjectID
  package let kind: ObjectKind
  package let bytes: [UInt8]

  /// Computes the id.
  ///
  /// Stands on `git_odb_hash`.
  package init(_ kind: ObjectKind, _ bytes: [UInt8]) throws(GitError) {
    var raw = git_oid()
    try git("hash object") {
      unsafe bytes.withUnsafeBytes {
        unsafe git_odb_hash(
          &raw, $0.baseAddress ?? UnsafeRawPointer(bitPattern: 1), $0.count, kind.raw)
      }
    }
    self.id = ObjectID(raw)
    self.kind = kind
    self.bytes = bytes
  }
}
