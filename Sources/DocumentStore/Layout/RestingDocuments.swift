internal import DocumentFiles
internal import DocumentGit
internal import Synchronization
package import SystemPackage

/// The resting documents of a container: an append-only list of entries, each with a check.
///
/// An entry counts only while its document has no store. A document that gets a store is removed from the
/// list before anything moves the store. The list can be recreated: the ``Shelf`` names its documents, and a
/// sync takes in again those that are on no list and have no store. Until then, an entry that a power cut has
/// torn and all entries after it count as missing.
///
/// Only its owner can read it. Documents rest only in containers that no other user can write to.
package final class RestingDocuments: Sendable {
  private let contents = Mutex(RestingEntries())

  /// The documents of the list, which are read one by one; some may have a store by now.
  package var all: some Sequence<RestingDocument> { entries.all }

  private var entries: RestingEntries { contents.withLock { $0 } }

  /// The paths of the documents.
  var paths: some Sequence<String> { entries.paths }

  package var isEmpty: Bool { contents.withLock { $0.count == 0 } }

  /// Returns the paths of the documents whose files have one of several marks, with these.
  func paths(ofFilesMarked marks: Set<String>) -> [(path: String, mark: String)] {
    entries.paths(ofFilesMarked: marks)
  }

  /// Returns whether a document of the list rests on a copy of a remote.
  package func contains(mirror: String) -> Bool { entries.contains(mirror: mirror) }

  /// True if the whole list could be read.
  package var isWhole: Bool { contents.withLock { $0.isWhole } }

  /// Returns the document at a path, which may have a store by now; nil if none is listed.
  package func document(at path: String) -> RestingDocument? {
    entries.document(at: Array(path.utf8))
  }

  /// Returns the names in a folder that are documents of the list or lead to them.
  func names(in folder: String) -> [[UInt8]] {
    entries.names(in: Array(folder.utf8))
  }

  // MARK: Reading

  private typealias Known = (file: FileStatus?, list: RestingDocuments)
  private static let known = Mutex<[FilePath: Known]>([:])
  private static let none = RestingDocuments()

  /// Returns the list of a container; reads only the bytes that were added since the last time.
  ///
  /// - Throws: ``FileError`` if it belongs to another user, or can't be read.
  package static func of(_ container: FilePath) throws -> RestingDocuments {
    let file = SyncFile.resting.path(in: container)
    let status = try FileStatus.of(file)
    if status == nil, try !Shelf.isThere(in: container) { return none }
    let former = known.withLock { $0[container] }
    if let former, former.file == status { return former.list }
    let list: RestingDocuments
    if let former, let status, former.file?.isSameItem(as: status) == true,
      try former.list.follow(file)
    {
      list = former.list
    } else {
      list = RestingDocuments()
      let bytes = try SmallFile.read(file, limit: 1 << 30) ?? []
      list.contents.withLock { $0.take(bytes[...]) }
    }
    if status == nil || !list.isWhole { try list.recover(in: container) }
    known.withLock {
      if $0.count > 8 { $0 = [:] }
      $0[container] = (status, list)
    }
    return list
  }

  /// Adds the documents of the shelf that the list has lost, except those that have stores by now.
  private func recover(in container: FilePath) throws {
    let stored = try Set(
      Layout.storedDocuments(in: container).flatMap { document in
        document.location(in: container).identityOfStore?.all ?? []
      })
    do {
      let found = try Shelf.entries(in: container)
      contents.withLock { $0.recover(found, besides: stored) }
    } catch let error as GitError where !error.isFromSystem {
      contents.withLock { $0.recover(nil, besides: stored) }
    }
  }

  /// Reads the bytes that were added to the file since the last time.
  ///
  /// - Returns: whether the file still begins with the bytes that were read before.
  private func follow(_ file: FilePath) throws -> Bool {
    guard let parts = try AppendOnlyFile.open(file) else { return false }
    return try contents.withLock { contents in
      guard contents.isWhole, parts.size >= contents.size else { return false }
      let bytes = try parts.bytes((contents.size - contents.end.count)..<parts.size)
      guard bytes.starts(with: contents.end) else { return false }
      contents.take(bytes[contents.end.count...])
      return true
    }
  }

  /// Returns the list of a container for listing documents; an empty one for a user who may not read it.
  static func readable(in container: FilePath) throws -> RestingDocuments {
    do { return try of(container) } catch let error as FileError where error.code == .notPermitted {
      return none
    }
  }

  /// Returns whether there is a list, and all of it is readable.
  package static func isSound(in container: FilePath) throws -> Bool {
    try FileStatus.of(SyncFile.resting.path(in: container)) != nil && of(container).isWhole
  }

  /// Returns the entry of a document, whether or not it has a store by now; nil if there is none.
  package static func entry(of location: DocumentLocation) throws -> RestingDocument? {
    let list = try of(location.container)
    guard !list.isEmpty,
      location.store == Layout.store(of: location.path, in: location.container)
    else { return nil }
    return list.document(at: location.path)
  }

  /// Returns the entry of a document that rests; nil if it has a store, or no versions.
  package static func document(of location: DocumentLocation) throws -> RestingDocument? {
    try FileStatus.of(location.store) == nil ? entry(of: location) : nil
  }

  // MARK: Changing

  /// Threads wait for each other here, which is faster than repeatedly trying to lock the file.
  private static let turn = Mutex(())

  /// Runs a closure while no other process or thread changes the list.
  package static func changing<Result>(
    in container: FilePath, _ body: () throws -> Result
  ) throws -> Result {
    try turn.withLock { _ in
      let lock = try FileLock(
        SyncFile.restingLock.path(in: container), waitingAtMost: 60,
        heldFor: "changing the documents in “\(container.printable)”")
      let result = try body()
      lock.release()
      return result
    }
  }

  /// Creates the list if it is missing or incomplete; the caller holds the lock.
  static func begin(in container: FilePath) throws {
    if try !isSound(in: container) { try append([], in: container) }
  }

  /// Removes an incomplete new list of a killed process.
  package static func removeUnfinished(in container: FilePath) throws {
    let file = SyncFile.resting.path(in: container)
    guard try SmallFile.hasTemporary(file) else { return }
    try changing(in: container) { try SmallFile.removeTemporary(file) }
  }

  /// Adds documents to the list, durably; the caller holds the lock.
  package static func add(_ documents: [RestingDocument], in container: FilePath) throws {
    guard !documents.isEmpty else { return }
    try append(documents.map { RestingEntries.encoded($0) }, in: container)
  }

  /// Takes documents off the list because they have stores; the caller holds the lock.
  ///
  /// An entry that a power cut brings back has no effect, because the store is on disk.
  static func depart(_ paths: [String], in container: FilePath) throws {
    guard !paths.isEmpty else { return }
    try append(
      paths.map { RestingEntries.encoded(departureOf: $0) }, isDurable: false, in: container)
  }

  /// Records a fact about documents that still rest in the same way; it may be lost in a crash.
  package static func update(
    _ documents: [RestingDocument], in container: FilePath,
    to change: (RestingDocument) -> RestingDocument
  ) throws {
    guard !documents.isEmpty else { return }
    try changing(in: container) {
      let list = try of(container)
      let present = documents.filter { list.document(at: $0.path) == $0 }
      guard !present.isEmpty else { return }
      try append(
        present.map { RestingEntries.encoded(change($0)) }, isDurable: false, in: container)
    }
  }

  /// Records that other devices can get the versions of documents on the shelf.
  package static func recordPublished(
    _ documents: [DocumentLocation], in container: FilePath
  ) throws {
    try update(
      documents.compactMap { try document(of: $0) }.filter { !$0.isPublished }, in: container
    ) { $0.published() }
  }

  /// The number of documents that were first saved on this device.
  private var shelved: Int { contents.withLock { $0.shelved } }

  private static func append(
    _ entries: [[UInt8]], isDurable: Bool = true, in container: FilePath
  ) throws {
    let file = SyncFile.resting.path(in: container)
    let bytes = Array(entries.joined())
    let present = try of(container)
    let (isWhole, isDense, shelved) = present.contents.withLock {
      let isDense = $0.written + entries.count < 64 + $0.count + $0.count / 2
      return ($0.isWhole, $0.isWhole && isDense, $0.shelved)
    }
    let isAppended =
      try isDense && AppendOnlyFile.append(bytes, ifThere: file, isDurable: isDurable)
    if !isAppended {
      var all = present.contents.withLock { $0 }
      if all.hasLostShelf { try Shelf.putAside(in: container) }
      all.take(bytes[...])
      try Folder.create(SyncFile.folder(of: container))
      try SmallFile.replace(file, all.encoded, isPrivate: true)
    }
    // Removing superfluous entries also removes their versions; removing the last entry removes the shelf.
    guard shelved > 0, isWhole, case let list = try of(container), !isAppended || list.shelved == 0
    else { return }
    do { try Shelf.keep(list.all.filter(\.isOnShelf), in: container) } catch {
      // A superfluous version only takes space.
    }
  }
}
