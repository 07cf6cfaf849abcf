internal import DocumentFiles
internal import DocumentGit
internal import DocumentStore
internal import SystemPackage

/// Documents that are new on this device, many of which are taken in with one wait for the disk.
///
/// The store of each is built in a folder that nothing looks into, and the document beside its place. When all of them are
/// on the disk the documents get their names, and then the stores: so every store that can be found is whole. A document
/// whose store a crash left behind is there like a file that was never saved, and the next exchange takes it in.
///
/// A document that can rest gets no store: it is put on the container's list of these once all files have their names.
final class NewDocuments {
  private let container: ReplicatedContainer
  private let surroundings: ReplicatedContainer.Surroundings
  private let environment: StoreEnvironment
  /// The folder with the stores that have no names yet.
  private let folder: FilePath
  /// Says that the folder is in use.
  private let lock: FileLock
  private let disk: DeferredWait
  private var waiting: [Waiting] = []
  private var names = TakenNames()
  private var made = 0
  private var bytes = 0
  /// The contents on which documents may rest; nil if none may.
  private let restingContents: RestingContents?
  /// The documents that rest since the last naming.
  private(set) var resting: [ReplicatedContainer.Entry] = []

  /// A document without a name, and its store.
  private struct Waiting {
    let identifier: String
    /// With the store that it has now, or the one that it gets some day.
    let location: DocumentLocation
    /// Nil where the current version is a deletion.
    let document: DocumentWriter.StagedItem?
    /// What the document rests on; nil if it has a store.
    let resting: RestingArrival?
    let outcome: ReplicatedContainer.Outcome
  }

  /// - Returns: nil if each document has to wait for the disk by itself.
  init?(
    in container: ReplicatedContainer, _ surroundings: ReplicatedContainer.Surroundings
  ) throws {
    let stores = Layout.documents(of: container.folder)
    try Folder.create(stores)
    guard let disk = try DeferredWait(onFileSystemOf: stores) else { return nil }
    try StoreCreation.removeTemporaryFiles(in: stores, clock: container.fileClock)
    let folder = stores.appending(Layout.temporaryName())
    try Folder.create(folder, isDurable: false)
    do {
      lock = try FileLock(folder.appending("lock"), waitingAtMost: 0)
    } catch let error as FileError where error.code.isOfAnotherMaker {
      // In the instant before it was locked, another process took it for left behind.
      return nil
    }
    var environment = container.environment
    environment.listings = ContainerListings()
    self.environment = environment
    self.container = container
    self.surroundings = surroundings
    self.folder = folder
    self.disk = disk
    restingContents = try surroundings.mirror.flatMap { mirror in
      try RestingContents.canRest(in: container.folder)
        ? RestingContents(in: mirror, of: container.folder) : nil
    }
  }

  deinit { removeFolder() }

  /// Removes what has no name; what cannot be removed goes with the next exchange.
  private func removeFolder() {
    tidyUp { try Folder.removeTree(folder) }
  }

  /// Whether so much waits that it should get its names now.
  var isFull: Bool { waiting.count >= 4_000 || bytes >= 1 << 30 }

  // MARK: Taking in

  /// Takes in a document, so that it only needs its name.
  ///
  /// - Returns: false if that needs a decision, or fails: then it has to be taken in by itself.
  func add(
    _ identifier: String, receiving arrival: ArrivedVersions, _ contents: PublishedContents
  ) throws -> Bool {
    made += 1
    let store = folder.appending(String(made))
    do {
      let document = try disk.withoutWaiting {
        try take(identifier, into: store, receiving: arrival, contents)
      }
      guard let document else {
        try Folder.removeTree(store)
        return false
      }
      waiting.append(document)
      return true
    } catch is CancellationError {
      throw CancellationError()
    } catch {
      // The same will be reported of it then.
      try Folder.removeTree(store)
      return false
    }
  }

  private func take(
    _ identifier: String, into store: FilePath, receiving arrival: ArrivedVersions,
    _ contents: PublishedContents
  ) throws -> Waiting? {
    guard let identity = arrival.identity(besides: identifier) else { return nil }
    let arrived = try surroundings.peer.arrived(arrival.heads, of: identity.identifier)
    guard var location = try place(for: arrived) else { return nil }
    if let resting = try rest(identifier, arrival, of: identity, arrived, at: location) {
      return resting
    }
    location.store = store
    try StoreCreation.create(
      store, identity: identity, tidyingFirst: false, clock: environment.fileClock)
    return try environment.withWriter(at: location) { writer in
      let receiver = DocumentReceiver(reader: writer.reader, peer: surroundings.peer)
      let reception = try receiver.receive(arrival, with: writer, willShowIt: true)
      guard reception.failure == nil, try writer.reader.document.hasOwnName,
        let head = try writer.reader.heads.divergent().first, !head.lacksContent
      else { return nil }
      let document = try stage(head.record, by: writer)
      let outcome = try container.outcome(
        of: writer.reader, after: reception, nil, contents, surroundings)
      names.take(location.path)
      bytes += reception.bytes + head.record.facts.bytes
      return Waiting(
        identifier: identifier, location: location, document: document?.item, resting: nil,
        outcome: outcome)
    }
  }

  /// Writes a document that can rest beside its place.
  ///
  /// - Returns: nil for one that gets a store at once.
  private func rest(
    _ identifier: String, _ arrival: ArrivedVersions, of identity: DocumentIdentity,
    _ arrived: PeerObjects.Arrived, at location: DocumentLocation
  ) throws -> Waiting? {
    guard let restingContents,
      let resting = try RestingArrival(arrival, of: identity, arrived, checking: restingContents),
      resting.head.facts.path.hasBytes(of: location.path)
    else { return nil }
    let item = try restingContents.stage(resting.head, of: identity, at: location.document)
    guard try RestingContents.canRest(item.location) else { return nil }
    names.take(location.path)
    bytes += resting.head.facts.bytes
    let result = DocumentExchange(document: location.url, received: resting.versions)
    return Waiting(
      identifier: identifier, location: location, document: item, resting: resting,
      outcome: (result, nil))
  }

  /// Writes a version beside the place of a document that was never there, and records it as what the document shows.
  ///
  /// - Returns: nil for a deletion.
  private func stage(
    _ record: Record, by writer: borrowing StoreWriter
  ) throws -> StagedVersion? {
    let staged = try writer.stage(record, replacing: nil)
    try writer.setBase(record, shownBy: staged?.item.location)
    if let staged, let content = record.content {
      let reader = writer.reader
      tidyUp { try staged.recordMembers(of: content.tree, in: reader) }
    }
    return staged
  }

  /// The place of a document under its own name; nil if that is not free.
  private func place(for arrived: PeerObjects.Arrived) throws -> DocumentLocation? {
    guard let path = arrived.path, names.areFree(for: path)
    else { return nil }
    let place = DocumentLocation(container: container.folder, path: path)
    guard try !place.hasStore && FileStatus.of(place.document) == nil,
      try place.obstacle(knowing: environment.listings) == nil,
      try place.otherSpelling(knowing: environment.listings) == nil
    else { return nil }
    return place
  }

  // MARK: Naming

  /// Gives the documents their names, and their stores.
  ///
  /// - Parameter isLast: whether no more are taken in.
  /// - Returns: what was done, by the documents' ids, and the documents that have to be taken in by themselves: something
  ///   was made in their places meanwhile.
  func nameAll(last isLast: Bool) throws -> (
    done: [(identifier: String, outcome: ReplicatedContainer.Outcome)], others: [String]
  ) {
    let waiting = self.waiting
    self.waiting = []
    resting = []
    bytes = 0
    var done: [(identifier: String, outcome: ReplicatedContainer.Outcome)] = []
    var others: [String] = []
    guard !waiting.isEmpty else {
      if isLast { removeFolder() }
      return (done, others)
    }
    var listed: [RestingDocument] = []
    try disk.wait()
    disk.withoutWaiting {
      for document in waiting {
        do {
          try name(document, listing: &listed)
          done.append((document.identifier, document.outcome))
        } catch {
          others.append(document.identifier)
        }
      }
      if isLast { removeFolder() }
    }
    try disk.wait()
    if !listed.isEmpty {
      try RestingDocuments.changing(in: container.folder) {
        try RestingDocuments.add(listed, in: container.folder)
      }
      resting = listed.map { .init($0.identity, path: $0.path) }
    }
    return (done, others)
  }

  private func name(_ waiting: Waiting, listing listed: inout [RestingDocument]) throws {
    let place = DocumentLocation(container: container.folder, path: waiting.location.path)
    if let resting = waiting.resting, let document = waiting.document,
      let mirror = surroundings.mirror, let staged = try FileStatus.of(document.location)
    {
      try document.place()
      let entry = try RestingDocument(
        path: place.path, identity: resting.identity, mirror: mirror, head: resting.head.id,
        contents: resting.contents, versions: resting.versions, staged: staged,
        at: place.document)
      // Deleted in this very moment: the next exchange takes it in.
      guard let entry else { throw GitError.missing("the file") }
      return listed.append(entry)
    }
    try waiting.document?.place()
    try Folder.create(place.store.parentFolder)
    try DocumentWriter.move(waiting.location.store, to: place.store)
  }
}

/// The paths of documents that are about to get them, as a disk sees them that ignores case.
private struct TakenNames {
  private var documents: Set<String> = []
  private var folders: Set<String> = []

  /// Returns whether a document can have a path beside the others: neither it nor a folder above it is one of them, and
  /// none of them is below it.
  func areFree(for path: String) -> Bool {
    let all = Self.prefixes(of: path)
    return all.allSatisfy { !documents.contains($0) } && !folders.contains(path.lowercased())
  }

  mutating func take(_ path: String) {
    documents.insert(path.lowercased())
    folders.formUnion(Self.prefixes(of: path).dropLast())
  }

  /// The folders above a path, and the path itself, in small letters.
  private static func prefixes(of path: String) -> [String] {
    var passed = ""
    return path.pathNames().map { name in
      passed += (passed.isEmpty ? "" : "/") + name.lowercased()
      return passed
    }
  }
}
