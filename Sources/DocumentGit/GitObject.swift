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

  /// The word that git's objects begin with.
  var word: String {
    switch self {
    case .commit: "commit"
    case .tree: "tree"
    case .blob: "blob"
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

/// An object that is not written yet: its kind, the id that its bytes give it, and where these are.
package struct GitObject: Sendable {
  package let id: ObjectID
  package let kind: ObjectKind
  /// Bytes.
  package let size: Int
  /// An object that it probably resembles, as the same file in the version before: it may be stored as changes to
  /// that one.
  package var likeness: ObjectID?
  private let source: Source

  private enum Source {
    case bytes([UInt8])
    case elsewhere(@Sendable () throws -> [UInt8])
  }

  /// An object in memory.
  ///
  /// Computes the id; whether the bytes were made to collide with others is seen when it is written.
  package init(_ kind: ObjectKind, _ bytes: [UInt8]) {
    self.id = ObjectID(of: kind, bytes)
    self.kind = kind
    self.size = bytes.count
    self.source = .bytes(bytes)
  }

  /// An object whose bytes stay where they are until they are written, for documents larger than memory.
  ///
  /// - Parameters:
  ///   - id: the id of the bytes as they were seen, and were not made to collide.
  ///   - size: how many they are.
  ///   - read: reads them again.
  package init(
    _ kind: ObjectKind, id: ObjectID, size: Int,
    reading read: @escaping @Sendable () throws -> [UInt8]
  ) {
    self.id = id
    self.kind = kind
    self.size = size
    self.source = .elsewhere(read)
  }

  /// The bytes.
  ///
  /// - Throws: ``GitError`` with ``GitError/isChangedMeanwhile`` if they are not those that gave the id.
  package func bytes() throws -> [UInt8] {
    switch source {
    case .bytes(let bytes): return bytes
    case .elsewhere(let read):
      let bytes = try read()
      guard ObjectID(of: kind, bytes) == id else {
        throw GitError.changedMeanwhile("what was to be stored is not what was read before")
      }
      return bytes
    }
  }

  /// Refuses bytes that were made to collide: they must not pass for an object that is there already.
  package func refuseForgery() throws(GitError) {
    guard case .bytes(let bytes) = source else { return }
    _ = try ObjectID(refusingForgeryOf: kind, bytes)
  }
}

extension ObjectID {
  /// The id of an object.
  package init(of kind: ObjectKind, _ bytes: [UInt8]) {
    let hash = Checksum()
    hash.update(Array("\(kind.word) \(bytes.count)\0".utf8))
    hash.update(bytes)
    self = hash.finish()
  }

  /// The id of an object that was not made to collide with another.
  ///
  /// Stands on `git_odb_hash`, which notices such bytes.
  package init(refusingForgeryOf kind: ObjectKind, _ bytes: [UInt8]) throws(GitError) {
    var raw = git_oid()
    try git("hash object") {
      unsafe bytes.withUnsafeBytes {
        unsafe lib_git_odb_hash(
          &raw, $0.baseAddress ?? UnsafeRawPointer(bitPattern: 1), $0.count, kind.raw)
      }
    }
    self.init(raw)
  }
}

/// What the objects of a repository are checked for when they are read.
package enum ObjectCheck: Sendable {
  /// That their bytes have their ids: in a store of this device, into which nothing came unchecked.
  case damage
  /// And that the bytes were not made to collide: where others can write.
  case forgery

  /// Whether bytes have an id.
  func isId(_ id: ObjectID, of kind: ObjectKind, _ bytes: [UInt8]) throws(GitError) -> Bool {
    switch self {
    case .forgery: try ObjectID(refusingForgeryOf: kind, bytes) == id
    case .damage: ObjectID(of: kind, bytes) == id
    }
  }
}
