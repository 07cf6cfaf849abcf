internal import DocumentGit
internal import SystemPackage

/// The objects of a store, as a check reads them.
///
/// The check records unreadable objects, and only throws the errors that the system reports.
final class StoredObjects {
  let repository: Repository
  let meter: ByteMeter
  /// Objects that were read completely and match their ids.
  private(set) var read: Set<ObjectID> = []
  /// The reasons why objects can't be read.
  private(set) var unreadable: [ObjectID: String] = [:]

  init(in store: FilePath, meter: ByteMeter) {
    self.meter = meter
    repository = Repository(objectsIn: store)
  }

  /// Returns the bytes of an object; `nil` if it is missing, damaged or of another kind.
  func bytes(_ id: ObjectID, as kind: ObjectKind) throws -> [UInt8]? {
    guard unreadable[id] == nil else { return nil }
    try meter.check()
    return try reading(id) {
      let bytes = try repository.read(id, as: kind)
      read.insert(id)
      return bytes
    }
  }

  /// Returns an object of any kind; `nil` if it is missing or damaged.
  func object(_ id: ObjectID) throws -> (kind: ObjectKind, bytes: [UInt8])? {
    guard unreadable[id] == nil else { return nil }
    try meter.check()
    return try reading(id) {
      let object = try repository.read(id)
      read.insert(id)
      return (object.kind, object.bytes)
    }
  }

  /// Runs a closure that may find an object unreadable; returns `nil` if it does.
  func reading<Value>(_ id: ObjectID, _ body: () throws -> Value) throws -> Value? {
    do {
      return try body()
    } catch let error as GitError {
      if error.isFromSystem { throw error }
      setUnreadable(id, because: error.message)
      return nil
    }
  }

  /// Records that an object can't be used.
  func setUnreadable(_ id: ObjectID, because reason: String) {
    unreadable[id] = reason
  }

  /// Returns the reason why an object can't be used, for messages.
  func reason(_ id: ObjectID) -> String {
    unreadable[id].map { " (\($0))" } ?? ""
  }

  // MARK: Parsed

  /// Returns a commit; `nil` if it can't be read.
  func commit(_ id: ObjectID) throws -> Commit? {
    guard let bytes = try bytes(id, as: .commit) else { return nil }
    return try reading(id) { try Commit(decoding: bytes) }
  }

  /// Returns a tree; `nil` if it can't be read.
  func tree(_ id: ObjectID) throws -> Tree? {
    guard let bytes = try bytes(id, as: .tree) else { return nil }
    return try reading(id) { try Tree(decoding: bytes) }
  }

  /// Returns a record; `nil` if it can't be read, or is another object.
  func record(_ id: ObjectID) throws -> Record? {
    guard let commit = try commit(id) else { return nil }
    return try reading(id) { try Record(id: id, decoding: commit) }
  }

  /// Returns the content at an id that must be one; `nil` if it can't be read.
  func content(_ id: ObjectID) throws -> ContentCommit? {
    guard let commit = try commit(id) else { return nil }
    return try reading(id) { try ContentCommit(id: id, decoding: commit) }
  }

  /// Returns the content of a content commit; `nil` for any other commit, such as git's notes.
  func content(_ id: ObjectID, from commit: Commit) throws -> ContentCommit? {
    do {
      return try ContentCommit(id: id, decoding: commit)
    } catch {
      if error.isFromSystem { throw error }
      return nil
    }
  }

  /// Returns the contents of the chain that ends with a commit; `nil` if not all of them can be read.
  func chain(endingWith end: ObjectID) throws -> [ContentCommit]? {
    var chain: [ObjectID: ContentCommit] = [:]
    var pending = [end]
    while let next = pending.popLast() {
      guard chain[next] == nil else { continue }
      guard let commit = try commit(next), let content = try content(next, from: commit)
      else { return nil }
      chain[next] = content
      pending += content.predecessors
    }
    return Array(chain.values)
  }
}
