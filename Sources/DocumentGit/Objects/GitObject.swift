/// The kinds of object that a store holds.
package enum ObjectKind: Sendable {
  case commit
  case tree
  case blob

  /// The number that git gives it, in packs and in libgit2.
  var number: UInt8 {
    switch self {
    case .commit: 1
    case .tree: 2
    case .blob: 3
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

  /// The kind of a number; nil for a number of another one.
  init?(number: UInt8) {
    switch number {
    case 1: self = .commit
    case 2: self = .tree
    case 3: self = .blob
    default: return nil
    }
  }

  /// The kind of a word; nil for another word.
  init?(word: String) {
    switch word {
    case "commit": self = .commit
    case "tree": self = .tree
    case "blob": self = .blob
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
  /// Stands on ``GitLibrary/hash(_:kind:)``.
  package init(refusingForgeryOf kind: ObjectKind, _ bytes: [UInt8]) throws(GitError) {
    self.init(bytes: try GitLibrary.hash(bytes, kind: kind.number))
  }
}

extension GitError {
  /// An object is not what its id says.
  static func damaged(_ id: ObjectID) -> GitError {
    .malformed("object \(id) is damaged")
  }

  /// An object is missing.
  static func notFound(_ id: ObjectID) -> GitError {
    .missing("object \(id)")
  }
}

/// The checks of a repository's objects when they are read.
package enum ObjectCheck: Sendable {
  /// That their bytes have their ids: in a store of this device, into which nothing came unchecked.
  case damage
  /// And that the bytes were not made to collide: where others can write.
  case forgery

  /// Returns whether bytes have an id.
  func isId(_ id: ObjectID, of kind: ObjectKind, _ bytes: [UInt8]) throws(GitError) -> Bool {
    switch self {
    case .forgery: try ObjectID(refusingForgeryOf: kind, bytes) == id
    case .damage: ObjectID(of: kind, bytes) == id
    }
  }
}
