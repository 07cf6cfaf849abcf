internal import DocumentFiles
internal import DocumentGit
internal import Foundation
internal import SystemPackage

/// One document's store, open for the length of one operation: records, contents and heads, read at most
/// once each.
///
/// Owns the repository, so it stays on the thread that opened it. What changes a store holds its lock
/// meanwhile; what only reads does not need to, because nothing is ever changed in place.
final class OpenStore {
  let location: DocumentLocation
  let repository: Repository
  /// Who writes, and what time it is.
  let identity: Identity
  let now: Date
  let documentIdentifier: String

  private let lock: FileLock?
  private var records: [ObjectID: Record] = [:]
  private var contents: [ObjectID: ContentCommit] = [:]
  private var railIndex: [ObjectID: ContentCommit]?

  /// Opens a store for reading.
  convenience init(reading location: DocumentLocation, for store: VersionStore) throws {
    try self.init(location, lock: nil, store)
  }

  /// Opens a store for changes: waits for its lock, and finishes what a crash left half-done.
  convenience init(changing location: DocumentLocation, for store: VersionStore) throws {
    let lock = try FileLock(
      location.store.appending("lock"), waitingAtMost: store.lockTimeout)
    try LeftoverLocks.remove(
      from: ["", "refs/heads", "refs/trash"].map { location.store.pushing(FilePath($0)) },
      patience: lock.isLeftBehind ? 1 : 10)
    try self.init(location, lock: lock, store)
    try finishInterruptedChange()
  }

  private init(
    _ location: DocumentLocation, lock: consuming FileLock?, _ store: VersionStore
  ) throws {
    self.location = location
    self.lock = lock
    identity = store.identity
    now = store.clock()
    let configuration = try StoreInspection.check(location.store)
    guard let identifier = configuration["docversions.document"],
      configuration["docversions.format"] == "1", Self.isIdentifier(identifier)
    else { throw GitError.malformed("its config is not one of a document’s store") }
    repository = try Repository(opening: location.store.withPlatformString { $0.nullTerminated })
    documentIdentifier = identifier
  }

  /// Whether the text may be a document's id: it becomes part of ref names.
  static func isIdentifier(_ text: String) -> Bool {
    text.utf8.count == 32
      && text.utf8.allSatisfy { (0x30...0x39).contains($0) || (0x61...0x66).contains($0) }
  }

  /// A record by its id.
  func record(_ id: ObjectID) throws -> Record {
    if let known = records[id] { return known }
    let record = try Record(id: id, decoding: repository.commit(id))
    records[id] = record
    return record
  }

  /// A content commit by its own id.
  func content(_ id: ObjectID) throws -> ContentCommit {
    if let known = contents[id] { return known }
    let content = try ContentCommit(id: id, decoding: repository.commit(id))
    contents[id] = content
    return content
  }

  /// All contents on this device, by the record they belong to.
  func rail() throws -> [ObjectID: ContentCommit] {
    if let railIndex { return railIndex }
    var index: [ObjectID: ContentCommit] = [:]
    var pending = try allHeads().compactMap(\.content)
    while let next = pending.popLast() {
      guard index[next.record] == nil else { continue }
      index[next.record] = next
      pending += try next.predecessors.map(content)
    }
    railIndex = index
    return index
  }

  /// The content commit of a record, where its content is on this device.
  func content(of record: ObjectID) throws -> ContentCommit? {
    // Mostly it is a head's.
    if let head = try allHeads().first(where: { $0.record.id == record }) { return head.content }
    return try rail()[record]
  }

  // MARK: Heads

  private var knownHeads: [Head]?

  /// What every reference under `refs/heads/` stands for, in no order.
  func allHeads() throws -> [Head] {
    if let knownHeads { return knownHeads }
    let heads = try headReferences().map { name, target in
      let commit = try repository.commit(target)
      // Where the content is not on this device, the reference is at the bare record.
      if Record.isRecord(commit) {
        let record = try Record(id: target, decoding: commit)
        return Head(name: name, target: target, record: record, content: nil)
      }
      let content = try ContentCommit(id: target, decoding: commit)
      return Head(name: name, target: target, record: try record(content.record), content: content)
    }
    knownHeads = heads
    return heads
  }

  /// The references under `refs/heads/`, none of which may be lost.
  private func headReferences() throws -> [String: ObjectID] {
    var references = try repository.references(below: Head.prefix)
    let folder = location.store.pushing(FilePath(Head.prefix))
    for name in try FileStatus.of(folder) == nil ? [] : Folder.names(in: folder) {
      let name = Head.prefix + String(decoding: name, as: UTF8.self)
      // One that is there but not listed was made just now, or is damaged: then this throws.
      if references[name] == nil, !name.hasSuffix(".lock") {
        references[name] = try repository.reference(name)
      }
    }
    if references.isEmpty, try repository.head() != nil {
      throw GitError.malformed("its versions have no reference any more")
    }
    return references
  }

  /// The heads that no other head descends from; the first is the current version.
  func divergentHeads() throws -> [Head] {
    let heads = try allHeads()
    let maximal = try maximalRecords(Set(heads.map(\.record.id)))
    var seen: Set<ObjectID> = []
    return heads.filter { maximal.contains($0.record.id) && seen.insert($0.record.id).inserted }
      .sorted { Record.isPreferred($0.record, to: $1.record) }
  }

  /// The record of the current version.
  func current() throws -> Record {
    guard let current = try divergentHeads().first else {
      throw GitError.malformed("the store has no current version")
    }
    return current.record
  }

  /// The record that the file on disk was last saved as or written from.
  func base() throws -> Record? {
    try repository.head().map(record)
  }

  /// Forgets what was read of the refs, after they moved.
  func forgetHeads() {
    knownHeads = nil
    railIndex = nil
  }
}

/// A reference under `refs/heads/`: a version that nothing follows yet.
struct Head: Sendable {
  static let prefix = "refs/heads/"
  /// The line that the first save began.
  static let main = prefix + "main"

  /// The reference's full name.
  let name: String
  /// What it points at.
  let target: ObjectID
  let record: Record
  /// Nil while the content is not on this device.
  let content: ContentCommit?
}

extension Record {
  /// Whether a commit is a record rather than a content: only a record ends with its line of JSON.
  static func isRecord(_ commit: Commit) -> Bool {
    json(of: commit) != nil
  }
}

extension UnsafePointer<CChar> {
  /// A copy of the C string, with its terminating zero.
  var nullTerminated: [CChar] {
    var end = self
    while end.pointee != 0 { end += 1 }
    return Array(UnsafeBufferPointer(start: self, count: self.distance(to: end) + 1))
  }
}
