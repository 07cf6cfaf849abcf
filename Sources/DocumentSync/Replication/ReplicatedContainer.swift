internal import DocumentFiles
internal import DocumentGit
internal import DocumentStore
internal import Foundation
internal import SystemPackage

/// The documents of a container, for the protocol between devices.
struct ReplicatedContainer {
  private(set) var environment: StoreEnvironment
  /// The folder that holds `.docversions`, without links.
  let folder: FilePath
  /// The device's name, as others see it.
  let device: String

  /// - Parameter url: the container, or a folder inside it.
  init(_ url: URL, in environment: StoreEnvironment) throws {
    var environment = environment
    environment.temporaryItems = TemporaryItems.Listings()
    self.environment = environment
    let given = try url.filePath.resolvingLinks()
    folder = try ContainerFolder.nearest(from: given) ?? given
    let bytes = try SmallFile.read(SyncFile.name.path(in: folder), limit: 1 << 10) ?? []
    device = bytes.isEmpty ? environment.identity.device : String(decoding: bytes, as: UTF8.self)
  }

  /// Returns the container for operations in another environment.
  func within(_ environment: StoreEnvironment) -> ReplicatedContainer {
    var container = self
    container.environment = environment
    return container
  }

  /// A document of the container.
  struct Entry: Hashable, Sendable {
    /// Its id; nil if its store does not name one.
    let identifier: String?
    /// Its aliases.
    let aliases: [String]
    /// Its path in the container.
    let path: String

    init(_ identity: DocumentIdentity?, path: String) {
      identifier = identity?.identifier.description
      aliases = identity?.aliases.map(\.description) ?? []
      self.path = path
    }

    init(identifier: String, path: String) {
      self.init(DocumentIdentifier(identifier).map { DocumentIdentity($0) }, path: path)
    }

    /// All its ids.
    var identifiers: Set<String> { Set(aliases).union(identifier.map { [$0] } ?? []) }

    static func == (left: Entry, right: Entry) -> Bool {
      left.identifier == right.identifier && left.path.hasBytes(of: right.path)
    }
  }

  /// The present time.
  var now: Date { environment.clock() }
  /// The clock with which files' times are compared.
  var fileClock: FileClock { environment.fileClock }
  var lockTimeout: Double { environment.lockSeconds }
  /// True if documents that are new here are only listed until they are downloaded.
  var listsNewDocuments: Bool {
    get throws { try FileStatus.of(SyncFile.listsNew.path(in: folder)) != nil }
  }
  /// How much is exchanged at once.
  var transferStep: TransferStep { environment.transferStep }
  /// The receiver of the operation's progress.
  var progress: OperationProgress? { environment.progress }

  /// Fails if the operation was canceled.
  func checkCancellation() throws { try environment.meter.advance(0) }

  // MARK: Finding documents

  /// Returns all documents, after moving the stores of those that were renamed outside docversions.
  ///
  /// Unnamed files that a killed exchange left are removed.
  func documents() throws -> [(document: Entry, location: URL)] {
    tidyUp {
      try StoreCreation.removeTemporaryFiles(in: Layout.documents(of: folder), clock: fileClock)
      try RestingDocuments.removeUnfinished(in: folder)
    }
    let stored = try Layout.documents(in: folder).map { $0.location(in: folder) }
    let locations = followingRenames(stored.filter { !discardUnfinished($0) })
    return locations.map { location in
      (Entry(location.documentIdentity, path: location.path), location.url)
    }
  }

  /// Removes a store without versions, left by an interrupted arrival, or without files, left by a removal.
  ///
  /// Such a store is useless, and would keep a name that may no longer be the document's.
  ///
  /// - Returns: whether it was such a store; if it can't be read, the exchange of the document reports why.
  private func discardUnfinished(_ location: DocumentLocation) -> Bool {
    do {
      guard try RestingDocuments.document(of: location) == nil, try isUnfinished(location)
      else { return false }
      let lock = try location.lockStore(waitingAtMost: 0)
      // The process that created it may have continued until now.
      let isDiscarded = try isUnfinished(location)
      if isDiscarded { try StoreCreation.remove(location.store) }
      lock.release()
      return isDiscarded
    } catch { return false }
  }

  private func isUnfinished(_ location: DocumentLocation) throws -> Bool {
    guard try FileStatus.of(StoreFile.ledger.path(in: location.store)) == nil else { return false }
    if try StoreCreation.isHollow(location.store) { return true }
    return try FileStatus.of(location.document) == nil && location.documentIdentity != nil
      && Self.holdsNoVersion(Repository(store: location.store))
  }

  /// Returns whether a repository has neither a reference nor a version's contents: arrived records and files
  /// will arrive again, and a version that lost its reference can be repaired.
  private static func holdsNoVersion(_ repository: consuming Repository) throws -> Bool {
    guard try repository.references.all(below: "refs/").isEmpty else { return false }
    let packed = try repository.objects(inPacks: Set(repository.packFiles().keys))
    return try packed.union(repository.looseObjects().ids).allSatisfy { id in
      try repository.read(id).kind != .commit || Record.isRecord(repository.commit(id))
    }
  }

  /// Removes the folder that a document has left, and the folders around it, if they are empty.
  func removeEmptiedFolders(around path: String) {
    tidyUp {
      let place = folder.appending(path)
      guard try FileStatus.of(place) == nil else { return }
      var outer = place.parentFolder
      while outer != folder, Folder.removeIfEmpty(outer) { outer = outer.parentFolder }
    }
  }

  /// Returns the location of a document, by its path.
  func location(_ path: String) -> DocumentLocation {
    DocumentLocation(container: folder, path: path)
  }

  /// Returns the document at a path; nil if it has no store.
  func document(at path: String) throws -> Entry? {
    let location = location(path)
    guard ContainerPath.isValid(path), try location.hasStore else { return nil }
    return Entry(location.documentIdentity, path: path)
  }

  /// Returns whether a document rests, and so has no news for peers with the objects that it rests on.
  ///
  /// - Parameter mirror: the name of the copy of a remote on which it rests; nil for any.
  func rests(_ document: Entry, on mirror: String? = nil) -> Bool {
    restingDocument(document.path).map { mirror == nil || $0.mirror == mirror } ?? false
  }

  /// The head of a document that rests; nil for any other.
  func restingHead(of document: Entry) -> ObjectID? { restingDocument(document.path)?.head }

  private func restingDocument(_ path: String) -> RestingDocument? {
    // If this can't be read, opening the document reports why.
    do { return try RestingDocuments.document(of: location(path)) } catch { return nil }
  }

  /// Returns the heads of a document as one id; nil if its store must be opened for that, or can't be read.
  func chain(of document: Entry) -> String? {
    let location = location(document.path)
    do { return try ChainState(of: location.store)?.identifier?.description } catch { return nil }
  }

  /// Returns the locations of documents after moving the stores of those that have moved.
  private func followingRenames(_ locations: [DocumentLocation]) -> [DocumentLocation] {
    var away: [DocumentLocation] = []
    var places: [URL: URL] = [:]
    // The exchange of a document reports its faults; here, no rename is followed then, or not this one.
    do {
      away = try locations.filter { try OwnFile(of: $0).isAway }
      guard !away.isEmpty else { return locations }
      StoreSearch(environment).followExchanges(among: MissingDocuments(among: away.map(\.url)))
      places = try MissingDocuments(among: away.map(\.url)).renamed()
      let rest = away.map(\.url).filter { places[$0] == nil }
      let moved = try MissingDocuments(among: rest).moved(by: environment.fileClock).places
      places.merge(moved) { first, _ in first }
    } catch { return locations }
    let isAway = Set(away.map(\.url))
    return locations.map { location in
      guard isAway.contains(location.url) else { return location }
      let finished = Renaming(environment).finishMove(of: location)
      guard finished == location, let place = places[location.url] else { return finished }
      do {
        return try StoreSearch(environment).followMove(
          of: location, to: DocumentLocation(of: place))
      } catch { return location }
    }
  }

  /// Returns a stamp of every folder with a document or its store, which changes with the items in it.
  ///
  /// - Returns: nil for a folder that changed so recently that another change would not show.
  func folderStamps(of documents: [Entry]) -> [String: String?] {
    var folders: Set<String> = []
    var stores: Set<String> = []
    for document in documents {
      let location = location(document.path)
      folders.insert(location.document.parentFolder.string)
      stores.insert(location.store.parentFolder.string)
    }
    // If all documents of a folder rest, its folder of stores may be missing.
    folders.formUnion(stores.filter { !isMissing($0) })
    folders.insert(Layout.documents(of: folder).string)
    return Dictionary(uniqueKeysWithValues: folders.map { ($0, stamp(ofFolder: $0)) })
  }

  private func isMissing(_ folder: String) -> Bool {
    do { return try FileStatus.of(FilePath(folder)) == nil } catch { return false }
  }

  /// Returns the stamp of a folder; nil if the folder is missing, unreachable, or has just changed.
  func stamp(ofFolder path: String) -> String? {
    do {
      guard let status = try FileStatus.of(FilePath(path)),
        status.modified < environment.fileClock.now &- Freshness.leastAge
      else { return nil }
      return "\(status.device) \(status.inode) \(status.modified)"
    } catch { return nil }
  }

  // MARK: The journal

  /// Returns the end of the journal, which is created if necessary.
  func journalEnd() throws -> ChangeJournal.Position? {
    let journal = ChangeJournal(of: folder)
    try journal.begin()
    return try journal.end()
  }

  /// Returns the paths of documents whose heads moved between two positions; nil if that is unknown.
  func changedDocuments(
    from start: ChangeJournal.Position, to end: ChangeJournal.Position
  ) throws -> Set<String>? {
    try ChangeJournal(of: folder).documents(from: start, to: end)
  }

  /// Records the heads that other devices can now receive, in documents that can still be opened.
  func record(_ published: [(path: String, heads: Set<ObjectID>)]) {
    var resting: [DocumentLocation] = []
    var stored: [(location: DocumentLocation, heads: Set<ObjectID>)] = []
    for (path, heads) in published {
      let location = location(path)
      if let head = restingDocument(path)?.head {
        if heads.contains(head) { resting.append(location) }
      } else {
        stored.append((location, heads))
      }
    }
    tidyUp { try RestingDocuments.recordPublished(resting, in: folder) }
    tidyUp {
      try DeferredWait.once(for: stored.count, onFileSystemOf: folder) {
        for (location, heads) in stored {
          tidyUp { try PublishedHeads(heads).write(in: location.store) }
        }
      }
    }
  }

  // MARK: A new branch

  /// Returns the commits that carry those of a document's published contents that are still on this device.
  ///
  /// - Returns: nil if the document is no longer here; then this device must not withdraw them.
  func republish(
    _ versions: Set<ObjectID>, of document: Entry
  ) throws -> (transports: [TransportCommit], objects: [GitObject])? {
    let location = location(document.path)
    guard try location.hasStore else { return nil }
    let reader = try StoreReader(location, in: environment)
    let held = try reader.chain.contents()
    var transports: [TransportCommit] = []
    var objects: [GitObject] = []
    var newest: ObjectID?
    let records = try versions.filter { held[$0] != nil }.map(reader.record)
    for record in records.sorted(by: { ($0.facts.date, $0.id) < ($1.facts.date, $1.id) }) {
      let (content, transport, new) = try TransportCommit.make(for: record, after: newest)
      newest = content
      transports.append(transport)
      objects += new
    }
    return (transports, objects)
  }

  /// The signature of the person whose device publishes.
  package var author: Commit.Signature {
    var signature = signature
    signature.name = environment.identity.author
    return signature
  }

  /// The signature of what this device publishes.
  var signature: Commit.Signature {
    Commit.Signature(name: device, seconds: max(0, Int64(now.timeIntervalSince1970)))
  }
}

extension SynchronousStore {
  /// The documents of a container, for the protocol between devices.
  ///
  /// - Parameter container: the container, or a folder inside it.
  func replicatedContainer(_ container: URL) throws -> ReplicatedContainer {
    try ReplicatedContainer(container, in: environment)
  }
}
