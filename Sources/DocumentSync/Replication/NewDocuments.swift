internal import DocumentFiles
internal import DocumentGit
internal import DocumentStore
internal import SystemPackage

/// Documents that are new on this device, many of which are taken in with one wait for the disk.
///
/// The store of each is built in a folder that nothing looks into, and the document beside its place. When all of them are
/// on the disk the documents get their names, and then the stores: so every store that can be found is whole. A document
/// whose store a crash left behind is there like a file that was never saved, and the next exchange takes it in.
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

  /// A document without a name, and its store.
  private struct Waiting {
    let identifier: String
    /// With the store that it has now.
    let location: DocumentLocation
    /// Nil where the current version is a deletion.
    let document: StagedVersion?
    let outcome: ReplicatedContainer.Outcome
  }

  /// - Returns: nil where each document has to wait for the disk by itself.
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
  }

  deinit { removeFolder() }

  /// Removes what has no name; what cannot be removed goes with the next exchange.
  private func removeFolder() {
    tidyUp { try Folder.removeTree(folder) }
  }

  /// True if so much waits that it should get its names now.
  var isFull: Bool { waiting.count >= 4_000 || bytes >= 1 << 30 }

  // MARK: Taking in

  /// Takes in a document, so that it only needs its name.
  ///
  /// - Returns: false where that needs a decision, or fails: then it has to be taken in by itself.
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
    guard let identity = arrival.identity(besides: identifier),
      var location = try place(
        for: surroundings.peer.arrived(arrival.heads, of: identity.identifier))
    else { return nil }
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
        identifier: identifier, location: location, document: document,
        outcome: outcome)
    }
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

  /// The place of a document under its own name; nil where that is not free.
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
    bytes = 0
    var done: [(identifier: String, outcome: ReplicatedContainer.Outcome)] = []
    var others: [String] = []
    guard !waiting.isEmpty else {
      if isLast { removeFolder() }
      return (done, others)
    }
    try disk.wait()
    disk.withoutWaiting {
      for document in waiting {
        do {
          try name(document)
          done.append((document.identifier, document.outcome))
        } catch {
          others.append(document.identifier)
        }
      }
      if isLast { removeFolder() }
    }
    try disk.wait()
    return (done, others)
  }

  private func name(_ waiting: Waiting) throws {
    let place = DocumentLocation(container: container.folder, path: waiting.location.path)
    try waiting.document?.item.place()
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
