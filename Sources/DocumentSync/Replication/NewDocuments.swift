internal import DocumentFiles
internal import DocumentGit
internal import DocumentStore
internal import SystemPackage

/// Documents that are new on this device; many of them are received with one wait for the disk.
///
/// The store of each is built in a folder that nothing reads, and the document beside its destination. Once
/// all of them are on disk, the documents get their names, and then the stores, so every store that can be
/// found is complete. If a crash leaves a document without its store, the document looks like a file that was
/// never saved, and the next exchange receives it.
///
/// A document that can rest gets no store; it is added to the container's list of resting documents once all
/// files have their names, and its versions are on this device.
final class NewDocuments {
  private let container: ReplicatedContainer
  private let surroundings: ExchangeSurroundings
  private let environment: StoreEnvironment
  /// The folder with the stores that have no names yet.
  private let folder: FilePath
  /// The lock that marks the folder as in use.
  private let lock: FileLock
  private let disk: DeferredWait
  private var waiting: [Waiting] = []
  /// The documents that can rest and whose files haven't been written yet.
  private var unwritten: [Unwritten] = []
  private var unwrittenBytes = 0
  /// The documents whose files couldn't be written.
  private var failed: [String] = []
  private var names = TakenNames()
  /// The folders that can receive documents.
  private var folders: Set<String> = []
  private var made = 0
  private var bytes = 0
  /// The contents on which documents may rest; nil if none may.
  private let restingContents: RestingContents?
  /// The documents that have begun to rest since the last naming.
  private(set) var resting: [ReplicatedContainer.Entry] = []

  /// A document without a name, and its store.
  private struct Waiting {
    let identifier: String
    /// Its location, with the store that it has or may get later.
    let location: DocumentLocation
    /// The document's file; nil if the current version is a deletion.
    let document: DocumentWriter.StagedItem?
    /// The arrival that the document rests on, and the status of its file; nil if it has a store.
    let resting: (arrival: RestingArrival, file: FileStatus)?
    /// The published contents of the document.
    let contents: PublishedContents
    var outcome: ReplicatedContainer.Outcome
  }

  /// A document that can rest, and whose file isn't written yet.
  private struct Unwritten {
    let identifier: String
    let location: DocumentLocation
    let resting: RestingArrival
    let contents: PublishedContents
    let file: NewDocumentFile
  }

  /// - Returns: nil if each document has to wait for the disk separately.
  init?(
    in container: ReplicatedContainer, _ surroundings: ExchangeSurroundings
  ) throws {
    let stores = Layout.documents(of: container.folder)
    try Folder.create(stores)
    guard let disk = try DeferredWait(onFileSystemOf: stores) else { return nil }
    try StoreCreation.removeTemporaryFiles(in: stores, clock: container.fileClock)
    if case .shelf = surroundings.restingPlace {
      tidyUp { try Shelf.removeUnfinished(in: container.folder, clock: container.fileClock) }
    }
    let folder = stores.appending(Layout.temporaryName())
    try Folder.create(folder, isDurable: false)
    do {
      lock = try FileLock(folder.appending("lock"), waitingAtMost: 0)
    } catch let error as FileError where error.code.isOfAnotherMaker {
      // Before the folder was locked, another process considered it abandoned.
      return nil
    }
    var environment = container.environment
    environment.listings = ContainerListings()
    self.environment = environment
    self.container = container
    self.surroundings = surroundings
    self.folder = folder
    self.disk = disk
    restingContents =
      try RestingContents.canRest(in: container.folder)
      ? surroundings.restingContents(in: container.folder) : nil
  }

  deinit { removeFolder() }

  /// Removes unnamed documents and stores; the next exchange removes those that can't be removed now.
  private func removeFolder() {
    tidyUp { try Folder.removeTree(folder) }
  }

  /// True if so many documents wait that they should get their names now.
  var isFull: Bool { waiting.count + unwritten.count >= 4_000 || bytes >= 1 << 30 }

  // MARK: Taking in

  /// Prepares a document so that it only needs its name.
  ///
  /// - Returns: false if that needs a decision or fails; then the document has to be received individually.
  func add(
    _ identifier: String, receiving arrival: ArrivedVersions, _ contents: PublishedContents
  ) throws -> Bool {
    made += 1
    let store = folder.appending(String(made))
    do {
      return try disk.withoutWaiting {
        try take(identifier, into: store, receiving: arrival, contents)
      }
    } catch is CancellationError {
      throw CancellationError()
    } catch {
      // The same error will be reported then.
      try Folder.removeTree(store)
      return false
    }
  }

  private func take(
    _ identifier: String, into store: FilePath, receiving arrival: ArrivedVersions,
    _ contents: PublishedContents
  ) throws -> Bool {
    guard let identity = arrival.identity(besides: identifier) else { return false }
    let arrived = try surroundings.peer.arrived(arrival.heads, of: identity.identifier)
    guard var location = try place(for: arrived) else { return false }
    if try rest(identifier, arrival, of: identity, arrived, at: location, contents) { return true }
    location.store = store
    try StoreCreation.create(
      store, identity: identity, tidyingFirst: false, clock: environment.fileClock)
    let new: Waiting? = try environment.withWriter(at: location) { writer in
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
        contents: contents, outcome: outcome)
    }
    if let new { waiting.append(new) } else { try Folder.removeTree(store) }
    return new != nil
  }

  /// Prepares a document that can rest; its file is written with others.
  ///
  /// - Returns: false for a document that gets a store at once.
  private func rest(
    _ identifier: String, _ arrival: ArrivedVersions, of identity: DocumentIdentity,
    _ arrived: PeerObjects.Arrived, at location: DocumentLocation, _ contents: PublishedContents
  ) throws -> Bool {
    guard let restingContents,
      let resting = try RestingArrival(arrival, of: identity, arrived, checking: restingContents),
      resting.head.facts.path.hasBytes(of: location.path), canRest(resting)
    else { return false }
    if let file = try restingContents.newFile(resting.head, of: identity, at: location.document) {
      unwritten.append(
        Unwritten(
          identifier: identifier, location: location, resting: resting, contents: contents,
          file: file))
      unwrittenBytes += file.bytes.count
    } else {
      let item = try restingContents.stage(resting.head, of: identity, at: location.document)
      guard let status = try FileStatus.of(item.location),
        try RestingContents.canRest(item.location)
      else { return false }
      wait(for: identifier, at: location, on: resting, contents, item, status)
    }
    names.take(location.path)
    let size = resting.head.facts.bytes
    bytes += size
    container.progress?.expect(bytes: size)
    try environment.meter.advance(size)
    if unwrittenBytes >= Self.mostUnwrittenBytes { writeFiles() }
    return true
  }

  /// Returns whether the place for versions can keep an arrival.
  private func canRest(_ resting: RestingArrival) -> Bool {
    if case .shelf = surroundings.restingPlace { resting.fitsShelf } else { true }
  }

  private func wait(
    for identifier: String, at location: DocumentLocation, on resting: RestingArrival,
    _ contents: PublishedContents, _ item: DocumentWriter.StagedItem, _ status: FileStatus
  ) {
    let result = DocumentExchange(document: location.url, received: resting.versions)
    waiting.append(
      Waiting(
        identifier: identifier, location: location, document: item, resting: (resting, status),
        contents: contents, outcome: (result, nil)))
  }

  /// The number of bytes that are held until their files are written.
  private static let mostUnwrittenBytes = 8 << 20

  /// Writes files beside their destinations, several at the same time.
  private func writeFiles() {
    // One folder after the other.
    let new = unwritten.sorted { $0.location.path < $1.location.path }
    unwritten = []
    unwrittenBytes = 0
    for (document, result) in zip(new, disk.stage(new.map(\.file))) {
      if case .success(let (item, status)) = result, document.file.canRest(status) {
        wait(
          for: document.identifier, at: document.location, on: document.resting,
          document.contents, item, status)
      } else {
        failed.append(document.identifier)
      }
    }
  }

  /// Writes a version beside the destination of a new document, and records it as the one that the document
  /// shows.
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

  /// Returns the location of a document under its own name; nil if that isn't free.
  private func place(for arrived: PeerObjects.Arrived) throws -> DocumentLocation? {
    guard let path = arrived.path, names.areFree(for: path)
    else { return nil }
    let place = DocumentLocation(container: container.folder, path: path)
    guard try FileStatus.of(place.store) == nil && FileStatus.of(place.document) == nil,
      try isFolderFree(of: place), try isUnused(place)
    else { return nil }
    return place
  }

  /// Returns whether no document with versions has the path, and no existing one has it in a different
  /// spelling.
  private func isUnused(_ place: DocumentLocation) throws -> Bool {
    try place.spellings(knowing: environment.listings).allSatisfy { other in
      try !other.hasStore
        || !other.path.hasBytes(of: place.path) && FileStatus.of(other.document) == nil
    }
  }

  /// Returns whether documents can be put into the folder of a location; checked once for each folder.
  private func isFolderFree(of place: DocumentLocation) throws -> Bool {
    let folder = ContainerPath.folder(of: place.path)
    if folders.contains(folder) { return true }
    // A link in the path of the store is refused.
    guard try !place.hasStore, try place.obstacle(knowing: environment.listings) == nil else {
      return false
    }
    folders.insert(folder)
    return true
  }

  // MARK: Naming

  /// Gives the documents their names, and their stores.
  ///
  /// - Parameter isLast: whether no further documents are received.
  /// - Returns: the results, by the documents' ids, and the documents that have to be received individually
  ///   because something was created in their places in the meantime.
  func nameAll(last isLast: Bool) throws -> (
    done: [(identifier: String, outcome: ReplicatedContainer.Outcome)], others: [String]
  ) {
    writeFiles()
    let waiting = self.waiting
    self.waiting = []
    resting = []
    bytes = 0
    var done: [(identifier: String, outcome: ReplicatedContainer.Outcome)] = []
    var others = failed
    failed = []
    guard !waiting.isEmpty else {
      if isLast { removeFolder() }
      return (done, others)
    }
    try disk.wait()
    let (folder, mirror) = (container.folder, mirror)
    // This is safe: only one thread gets each number and uses that document, and this call waits for all of
    // them.
    nonisolated(unsafe) let documents = waiting
    let named = disk.map(waiting.count) {
      try Self.name(documents[$0], in: folder, restingOn: mirror)
    }
    var listed: [(document: Waiting, entry: RestingDocument)] = []
    var paths: [String] = []
    for (document, result) in zip(waiting, named) {
      guard case .success(let entry) = result else {
        others.append(document.identifier)
        continue
      }
      paths.append(document.location.path)
      if let entry {
        listed.append((document, entry))
      } else {
        done.append((document.identifier, document.outcome))
      }
    }
    if isLast { disk.withoutWaiting { removeFolder() } }
    try disk.wait()
    others += try list(&listed)
    resting = listed.map { .init($0.entry.identity, path: $0.entry.path) }
    // An entry that was written with a store's heads is older than the store's name.
    tidyUp { try ChangeJournal(of: folder).record(paths) }
    done += listed.map { ($0.document.identifier, $0.document.outcome) }
    for index in done.indices {
      done[index].outcome.result.ownPlace = done[index].outcome.result.document
    }
    return (done, others)
  }

  /// The name of the repository on which documents rest.
  private var mirror: String? {
    switch surroundings.restingPlace {
    case .mirror(let name): name
    case .shelf: Shelf.name
    case nil: nil
    }
  }

  /// Puts documents on the list, and publishes those on the shelf, because no peer knows yet that this device has them.
  ///
  /// - Returns: the documents that have to be received individually.
  private func list(
    _ listed: inout [(document: Waiting, entry: RestingDocument)]
  ) throws -> [String] {
    guard !listed.isEmpty else { return [] }
    let folder = container.folder
    guard case .shelf = surroundings.restingPlace else {
      try RestingDocuments.changing(in: folder) {
        try RestingDocuments.add(listed.map(\.entry), in: folder)
      }
      return []
    }
    let size: Int
    do {
      size = try Shelf.take(
        listed.map(\.entry), from: surroundings.peer.repository, in: folder,
        clock: environment.fileClock)
    } catch {
      // Their files are as arrived, so each receives its version; an error is reported then.
      defer { listed = [] }
      return listed.map(\.document.identifier)
    }
    for (index, (document, entry)) in listed.enumerated() {
      let (result, publication) = try container.exchange(
        .init(entry.identity, path: entry.path), receiving: ArrivedVersions(), after: nil,
        document.contents, surroundings)
      listed[index].document.outcome.publication = publication
      listed[index].document.outcome.result.failure = result.failure
      // Its share of their pack.
      listed[index].document.outcome.result.receivedBytes =
        size / listed.count + (index == 0 ? size % listed.count : 0)
    }
    return []
  }

  /// - Returns: the entry of a resting document.
  private static func name(
    _ waiting: Waiting, in container: FilePath, restingOn mirror: String?
  ) throws -> RestingDocument? {
    let place = DocumentLocation(container: container, path: waiting.location.path)
    try waiting.document?.place()
    guard let (resting, file) = waiting.resting, let mirror else {
      try Folder.create(place.store.parentFolder)
      try DocumentWriter.move(waiting.location.store, to: place.store)
      return nil
    }
    let entry = try RestingDocument(
      path: place.path, identity: resting.identity, mirror: mirror, head: resting.head.id,
      contents: resting.contents, versions: resting.versions, staged: file, at: place.document)
    // The file was deleted at this very moment; the next exchange receives it.
    guard let entry else { throw GitError.missing("the file") }
    return entry
  }
}
