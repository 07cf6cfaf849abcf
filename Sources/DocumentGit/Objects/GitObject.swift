/// The kinds of objects in a store.
///
/// The raw value is the word at the beginning of git's objects.
package enum ObjectKind: String, Sendable {
  case commit
  case tree
  case blob

  /// The number of the kind in packs and in libgit2.
  var number: UInt8 {
    switch self {
    case .commit: 1
    case .tree: 2
    case .blob: 3
    }
  }
}

/// An object to write: its kind, its id, and the source of its bytes.
package struct GitObject: Sendable {
  package let id: ObjectID
  package let kind: ObjectKind
  /// The size in bytes.
  package let size: Int
  /// An existing object of which it may be stored as a delta, because it probably resembles it; for example,
  /// the same file in the previous version.
  package var likeness: ObjectID?
  private let source: Source

  private enum Source {
    case bytes([UInt8])
    case elsewhere(@Sendable () throws -> [UInt8])
    /// An entry of a pack.
    case entry([UInt8])
  }

  /// The object's entry in a pack, if it comes from one, so that it can be copied unchanged.
  var entry: [UInt8]? {
    if case .entry(let entry) = source { entry } else { nil }
  }

  /// The number of bytes that it holds in memory.
  var heldBytes: Int { entry?.count ?? size }

  /// Creates an object in memory.
  ///
  /// This computes the id; deliberate collisions are detected when the object is written.
  package init(_ kind: ObjectKind, _ bytes: [UInt8]) {
    self.id = ObjectID(of: kind, bytes)
    self.kind = kind
    self.size = bytes.count
    self.source = .bytes(bytes)
  }

  /// Creates an object whose bytes are read when it is written, for documents larger than memory.
  ///
  /// - Parameters:
  ///   - id: the id of the bytes, which were checked for deliberate collisions.
  ///   - size: the size in bytes.
  ///   - read: reads the bytes again.
  package init(
    _ kind: ObjectKind, id: ObjectID, size: Int,
    reading read: @escaping @Sendable () throws -> [UInt8]
  ) {
    self.id = id
    self.kind = kind
    self.size = size
    self.source = .elsewhere(read)
  }

  /// Creates an object from its entry in a pack, which was checked.
  init(_ kind: ObjectKind, id: ObjectID, size: Int, entry: [UInt8]) {
    self.id = id
    self.kind = kind
    self.size = size
    self.source = .entry(entry)
  }

  /// Returns the bytes.
  ///
  /// - Throws: ``GitError`` with ``GitError/isChangedMeanwhile`` if they no longer have the id.
  package func bytes() throws -> [UInt8] {
    switch source {
    case .bytes(let bytes): return bytes
    case .elsewhere(let read):
      let bytes = try read()
      guard ObjectID(of: kind, bytes) == id else {
        throw GitError.changedMeanwhile(
          "the contents to store differ from those that were read before")
      }
      return bytes
    case .entry(let entry): return try inflated(entry)
    }
  }

  private func inflated(_ entry: [UInt8]) throws(GitError) -> [UInt8] {
    let stream = entry.drop { $0 & 0x80 != 0 }.dropFirst()
    guard let bytes = Inflater.inflate(Array(stream), upTo: size)?.bytes,
      ObjectID(of: kind, bytes) == id
    else { throw .damaged(id) }
    return bytes
  }

  /// Throws an error for bytes with a deliberate collision, which must not pass for an existing object.
  package func refuseForgery() throws(GitError) {
    switch source {
    case .bytes(let bytes): _ = try ObjectID(refusingForgeryOf: kind, bytes)
    case .entry(let entry): _ = try ObjectID(refusingForgeryOf: kind, inflated(entry))
    case .elsewhere: break
    }
  }
}

extension ObjectID {
  /// Computes the id of an object.
  package init(of kind: ObjectKind, _ bytes: [UInt8]) {
    let hash = Checksum()
    hash.update(Array("\(kind.rawValue) \(bytes.count)\0".utf8))
    hash.update(bytes)
    self = hash.finish()
  }

  /// Computes the id of an object; throws an error for a deliberate collision.
  ///
  /// This uses ``GitLibrary/hash(_:kind:)``.
  package init(refusingForgeryOf kind: ObjectKind, _ bytes: [UInt8]) throws(GitError) {
    self.init(bytes: try GitLibrary.hash(bytes, kind: kind.number))
  }
}

extension GitError {
  /// Returns the error for an object that doesn't match its id.
  static func damaged(_ id: ObjectID) -> GitError {
    .damaged("object \(id) is damaged")
  }

  /// Returns the error for a missing object.
  static func notFound(_ id: ObjectID) -> GitError {
    .missing("object \(id)")
  }
}

/// The checks of a repository's objects on reading.
package enum ObjectCheck: Sendable {
  /// Checks that bytes have their ids, for a store of this device, in which everything was checked on arrival.
  case damage
  /// Also checks for deliberate collisions, for a repository that others can write.
  case forgery

  /// Returns whether bytes have an id.
  func isId(_ id: ObjectID, of kind: ObjectKind, _ bytes: [UInt8]) throws(GitError) -> Bool {
    switch self {
    case .forgery: try ObjectID(refusingForgeryOf: kind, bytes) == id
    case .damage: ObjectID(of: kind, bytes) == id
    }
  }
}
