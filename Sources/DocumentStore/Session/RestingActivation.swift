internal import DocumentFiles
package import DocumentGit
internal import Foundation
internal import Synchronization
package import SystemPackage

/// Gives a resting document its own store before anything changes the document.
///
/// The store is built in a folder that nothing else reads. When it is complete, it gets its name, and the
/// document is removed from the list, which no other process changes in between. A crash leaves the document
/// resting, or with a store that takes precedence over its entry. The file isn't touched; if it was edited or
/// moved, the store detects that as for any other document.
package struct RestingActivation {
  private let location: DocumentLocation

  private init(_ location: DocumentLocation) {
    self.location = location
  }

  /// Gives a document a store if it rests; does nothing for any other.
  package static func run(_ location: DocumentLocation) throws {
    _ = try RestingDocument.reading(location) { try Self(location).build(from: $0) }
  }

  /// Takes a document off the list of resting documents because it has a store; the caller holds the list's
  /// lock.
  static func finish(_ location: DocumentLocation) throws {
    do {
      guard try RestingDocuments.entry(of: location) != nil else { return }
      try RestingDocuments.changing(in: location.container) {
        guard try RestingDocuments.entry(of: location) != nil else { return }
        // A crash has left the entry, and the folder in which the store was built.
        tidy(Layout.documents(of: location.container))
        try RestingDocuments.depart([location.path], in: location.container)
      }
    } catch let error as FileError where error.code == .notPermitted {
      // Another user's list: only that user can change its documents.
    }
  }

  private static func tidy(_ stores: FilePath) {
    tidyUp { try StoreCreation.removeTemporaryFiles(in: stores, clock: .system) }
  }

  /// The folders of stores from which this process has removed the temporary files of others.
  private static let tidied = Mutex<Set<FilePath>>([])

  private func build(from resting: RestingDocument) throws {
    try Self.withFolder(in: location.container) { folder in
      let store = folder.appending("1")
      try build(store, from: resting, in: resting.openMirror(in: location.container))
      try Self.place([(location, store)], of: folder, in: location.container) { try $0() }
    }
  }

  /// Runs a closure with a folder for stores that have no names yet, and removes the folder afterward.
  private static func withFolder(in container: FilePath, _ body: (FilePath) throws -> Void) throws {
    let stores = Layout.documents(of: container)
    try Folder.createInside(stores)
    if tidied.withLock({ $0.insert(stores).inserted }) { tidy(stores) }
    let folder = stores.appending(Layout.temporaryName())
    try Folder.create(folder, isDurable: false)
    // The lock shows that the folder is in use.
    let lock: FileLock
    do {
      lock = try FileLock(StoreFile.lock.path(in: folder), waitingAtMost: 0)
    } catch let error as FileError where error.code.isOfAnotherMaker {
      // In the instant before it was locked, another process or thread took it for an abandoned one.
      return try withFolder(in: container, body)
    }
    do {
      try body(folder)
      lock.release()
    } catch {
      tidyUp { try Folder.removeTree(folder) }
      throw error
    }
  }

  private func build(
    _ store: FilePath, from resting: RestingDocument, in mirror: borrowing Repository
  ) throws {
    var place = location
    place.store = store
    try StoreCreation.create(
      store, identity: resting.identity, tidyingFirst: false, clock: .system)
    try Self(place).fill(from: resting, in: mirror)
  }

  /// Gives names to stores that are on disk.
  ///
  /// - Parameters:
  ///   - folder: the folder that they are in.
  ///   - move: moves them, so that their names are on disk.
  private static func place(
    _ stores: [(location: DocumentLocation, store: FilePath)], of folder: FilePath,
    in container: FilePath, moving move: (() throws -> Void) throws -> Void
  ) throws {
    try RestingDocuments.changing(in: container) {
      // Another process may have done so in the meantime.
      let first = try stores.filter { try RestingDocuments.document(of: $0.location) != nil }
      try move {
        for (location, store) in first {
          try Folder.create(location.store.parentFolder)
          try DocumentWriter.move(store, to: location.store)
        }
      }
      // Removed before the entries: while there is one, the remains of a crash are searched for.
      tidyUp { try Folder.removeTree(folder) }
      try RestingDocuments.depart(first.map(\.location.path), in: container)
    }
  }

  // MARK: Many documents

  /// Gives stores to those of some documents that rest and are edited, if there are many, with few waits for
  /// the disk.
  ///
  /// If this fails, the operation on the document reports the error.
  static func runEdited(among documents: [URL]) {
    guard documents.count >= DeferredWait.fewest else { return }
    let edited = ForkJoin.mapRanges(of: documents.count, upTo: 64) { range in
      range.compactMap { editedLocation(of: documents[$0]) }
    }.flatMap { $0 }
    for (container, all) in Dictionary(grouping: edited, by: \.container)
    where all.count >= DeferredWait.fewest {
      for start in stride(from: 0, to: all.count, by: mostAtOnce) {
        tidyUp { try run(Array(all[start...].prefix(mostAtOnce)), in: container) }
      }
    }
  }

  /// Returns the location of a document that rests and whose file has changed; `nil` for any other.
  private static func editedLocation(of document: URL) -> DocumentLocation? {
    do {
      let location = try DocumentLocation(of: document)
      guard let resting = try RestingDocuments.document(of: location),
        try !resting.isUnchanged(FileStatus.of(location.document))
      else { return nil }
      return location
    } catch { return nil }
  }

  private static func run(_ locations: [DocumentLocation], in container: FilePath) throws {
    guard let disk = try DeferredWait(onFileSystemOf: container) else { return }
    try withFolder(in: container) { folder in
      let size = mostInARow
      let parts = disk.map((locations.count + size - 1) / size) { part in
        // Each thread opens the repository once for its part of the documents.
        let opened = RestingReaders()
        return (part * size..<min(locations.count, (part + 1) * size)).filter { number in
          var isBuilt = false
          tidyUp {
            let location = locations[number]
            guard let resting = try RestingDocuments.document(of: location) else { return }
            try Self(location).build(
              folder.appending("\(number)"), from: resting,
              in: opened.repository(of: resting, in: location).repository)
            isBuilt = true
          }
          return isBuilt
        }
      }
      var built: [Int] = []
      for case .success(let part) in parts { built += part }
      try disk.wait()
      try place(
        built.map { (locations[$0], folder.appending("\($0)")) }, of: folder, in: container
      ) { move in
        try disk.withoutWaiting(move)
        try disk.wait()
      }
    }
  }

  /// The greatest number of documents at once, for which a crash loses the work.
  private static let mostAtOnce = 1_000
  private static let mostInARow = 16

  /// Copies the versions into a new store, and records which one the document shows.
  private func fill(
    from resting: RestingDocument, in mirror: borrowing Repository
  ) throws {
    let versions = try resting.history(in: mirror)
    guard let head = versions[resting.head] else { throw GitError.missing("\(resting.head)") }
    var objects = ContentObjects()
    for version in resting.contents {
      guard let content = versions[version]?.content else {
        throw GitError.malformed("record \(version) has no content of this document")
      }
      try objects.add(content, of: mirror) { _ in false }
    }
    let records = versions.keys.sorted()
    let others = objects.lacking.contains(.emptyTree) ? [] : [GitObject(.tree, [])]
    // All versions already exist, so neither the person nor the device is recorded.
    let environment = StoreEnvironment(
      identity: Identity(author: "", device: ""), clock: { Date() })
    try environment.withWriter(at: location) { writer in
      let reader = writer.reader
      for version in resting.contents {
        // One of the versions may be from when the document was private.
        guard let permissions = versions[version]?.facts.permissions else { continue }
        try StoreReadership(of: location).narrow(to: permissions.readership)
      }
      try mirror.copy(
        objects.lacking.sorted() + records, and: others,
        intoPacksOf: reader.objects.repository)
      var plan = try reader.chain.plan()
      plan.kept.formUnion(resting.contents)
      try writer.moveHeads(
        to: reader.chain.build(plan, heads: [head.id]), showing: head.id)
      try writer.setBase(head)
      // The file may be elsewhere by now, or another one may be in its place.
      try WorkingFileEntry(mark: resting.mark, path: resting.path).write(in: location.store)
      if resting.isPublished { try PublishedHeads([head.id]).write(in: location.store) }
      // Contents that were saved on this device are not arrivals.
      if !resting.isOnShelf {
        try Arrivals.record(resting.formerHeads + [head.id], in: reader)
      }
    }
  }
}

extension RestingDocument {
  /// Reads the versions of a document if it rests.
  ///
  /// - Returns: the result; `nil` for any other document, or one that got a store in the meantime.
  static func reading<Result>(
    _ location: DocumentLocation, _ body: (RestingDocument) throws -> Result
  ) throws -> Result? {
    guard let resting = try RestingDocuments.document(of: location) else { return nil }
    do { return try body(resting) } catch {
      // The copy of the remote may have dropped it since.
      guard try RestingDocuments.document(of: location) != nil else { return nil }
      guard let error = error as? GitError else { throw error }
      guard !error.isFullDisk, !error.isNotPermitted else {
        throw error.reported(for: location.printable, at: location.document)
      }
      guard !resting.isOnShelf else {
        throw VersionError(
          .damaged, document: location.printable,
          message: """
            The version of “\(location.printable)” is on this device’s shelf, which is damaged or gone: \(error).
            """,
          cause: error)
      }
      if !error.isFromSystem { resting.distrustMirror(in: location.container) }
      throw VersionError(
        .contentsNotLocal, document: location.printable,
        message: """
          The versions of “\(location.printable)” are in this device’s copy of a remote, which is damaged or gone: \
          \(error).
          """,
        recovery: .exchangeAgain,
        hint: """
          Sync: that fetches the copy again. If the remote has lost them, too, a repair gives them up.
          """,
        cause: error)
    }
  }

  /// Opens the repository that the document rests on.
  package func openMirror(in container: FilePath) throws -> Repository {
    try Self.openMirror(mirror, in: container)
  }

  package static func openMirror(_ name: String, in container: FilePath) throws -> Repository {
    if name == Shelf.name { return try Shelf.openIfThere(in: container) }
    let path = SyncFile.mirror(name, in: container)
    guard try FileStatus.of(path) != nil else { throw GitError.missing("the copy of the remote") }
    try StoreSafety.check(path, isShared: true)
    return try Repository(sharedAt: path)
  }

  /// Makes the next sync recreate this device's copy of the remote.
  func distrustMirror(in container: FilePath) {
    tidyUp { try Folder.removeTree(SyncFile.mirrorPacks(mirror, in: container)) }
  }

  /// Returns all versions of the document, by their records.
  package func history(in mirror: borrowing Repository) throws -> [ObjectID: Record] {
    try reached(from: [head], \.parents) { id in
      let record = try Record(id: id, decoding: mirror.commit(id))
      guard identity.contains(record.facts.document) else {
        throw GitError.malformed("record \(id) belongs to another document")
      }
      return record
    }
  }
}

extension RestingDocuments {
  /// Gives stores to documents that rest on a copy of a remote.
  ///
  /// - Parameters:
  ///   - mirror: the name of the copy.
  ///   - failed: receives the error for a document that stays unchanged; by default, an error ends the
  ///     operation.
  package static func activate(
    in container: FilePath, on mirror: String,
    where isMeant: (RestingDocument) throws -> Bool = { _ in true },
    failed: (any Error) throws -> Void = { throw $0 }
  ) throws {
    for document in try of(container).all where document.mirror == mirror {
      guard try isMeant(document) else { continue }
      do {
        try RestingActivation.run(DocumentLocation(container: container, path: document.path))
      } catch {
        try failed(error)
      }
    }
  }
}
