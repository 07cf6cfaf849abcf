internal import DocumentFiles
internal import DocumentGit
public import Foundation
internal import SystemPackage

/// The result of an exchange for one document.
public struct DocumentExchange: Sendable {
  /// The document, where it is now.
  public internal(set) var document: URL
  /// Its former place, where this exchange moved it: others renamed it, or its name is another document's.
  public internal(set) var formerDocument: URL?
  /// Versions that arrived.
  public let received: Int
  /// Versions that were published.
  public let sent: Int
  /// Conflict versions that are not resolved.
  public let unresolvedConflicts: Int
  /// Why the document was left out, or versions of it that have not arrived whole, where that is so.
  public let failure: (any Error)?
}

/// Exchanges the versions of a container's documents with other devices through a folder.
struct ContainerExchange {
  let environment: StoreEnvironment

  init(_ environment: StoreEnvironment) {
    self.environment = environment
  }

  /// - Parameter leastAge: how long a document must have been left alone to be known as one with nothing to exchange, in
  ///   nanoseconds.
  func exchange(
    _ container: URL, through folder: URL, leastAge: Int64
  ) throws -> [DocumentExchange] {
    let given = try container.filePath.resolvingLinks()
    let container = try ContainerFolder.nearest(from: given) ?? given
    guard folder.isFileURL else {
      throw VersionError(
        .invalidArgument, document: Printable.text(folder.absoluteString),
        message:
          "“\(Printable.text(folder.absoluteString))” is not a folder; documents are exchanged through one.",
        hint: "Name a folder that a syncing tool, a network or a stick carries between the devices."
      )
    }
    let path = try folder.filePath
    guard !environment.isDryRun else {
      throw VersionError(
        .invalidArgument, document: path.printable,
        message: "An exchange cannot be tried without doing it.")
    }
    do {
      let place = try FileStatus.of(path) == nil ? path : path.resolvingLinks()
      let exchange = try ExchangeFolder(
        place, lockTimeout: environment.lockTimeout, clock: environment.fileClock,
        meter: environment.meter)
      var environment = environment
      environment.temporaryItems = TemporaryItems.Listings()
      return try ContainerExchange(environment).exchange(
        container, with: exchange, leastAge: leastAge)
    } catch let error as GitError {
      throw ExchangeFolder.failure(error, in: path)
    }
  }

  private func exchange(
    _ container: FilePath, with folder: ExchangeFolder, leastAge: Int64
  ) throws -> [DocumentExchange] {
    let stored = try Layout.storedDocuments(in: container)
    var lastSynced = try LastSyncedState(
      of: stored, in: container, with: folder, leastAge: leastAge, clock: environment.fileClock)
    let (unchanged, others) = lastSynced.documents()
    let states = others.map { lastSynced.state(of: $0) }
    let locations = followingRenames(
      others.map { Renaming(environment).finishMove(of: $0.location(in: container)) })
    // Also those that cannot be exchanged now: they are not new here.
    var known = Set(unchanged.map(\.identifier)).union(locations.compactMap(\.documentIdentifier))
    let places = unchanged.map { $0.document.url(in: container) } + locations.map(\.url)
    var results = places.prefix(unchanged.count).map(DocumentExchange.init(nothingNewFor:))
    for (index, (location, state)) in zip(locations, states).enumerated() {
      let former = lastSynced.formerExchange(of: others[index])
      results.append(
        try exchanging(location.url) {
          try exchange(location, with: folder, since: former) { store, isChanged, sending in
            if let state { lastSynced.record(store, in: state, isChanged: isChanged, sending) }
          }
        })
    }
    var new = folder.identifiers.filter { !known.contains($0) && folder.hasHeads($0) }
    // The first listing may have missed a document that was renamed meanwhile.
    for _ in 0..<2 where !new.isEmpty {
      known.formUnion(try self.locations(in: container).compactMap(\.documentIdentifier))
      new = new.filter { !known.contains($0) }
    }
    let mistaken = zip(locations, results.dropFirst(unchanged.count))
      .first { $1.failure != nil && isMistaken($0) }?.0
    let unknown = try new.isEmpty ? nil : mistaken ?? unknownDocument(in: container)
    for identifier in new.compactMap(DocumentIdentifier.init).sorted() {
      // Until it has a place, the container stands for it.
      let result = try exchanging(URL(filePath: container.string)) {
        let heads = try folder.arrivedHeads(of: identifier.description)
        if let unknown { throw Self.waiting(heads, for: unknown) }
        let location = try DocumentPlacement(environment: environment).place(
          for: identifier.description, heads: heads, in: container
        ) { results.recordMove($0, $1) }
        let isNew = try !location.hasStore
        try StoreCreation.create(
          location.store, documentIdentifier: identifier, clock: environment.fileClock)
        let result = try exchange(location, with: folder)
        if isNew, (result.failure as? VersionError)?.code == .damagedExchange {
          try discardIfEmpty(location)
        }
        return result
      }
      results.append(result)
    }
    try DocumentPlacement(environment: environment).sortNumbers(in: container) {
      results.recordMove($0, $1)
    }
    for (index, place) in places.enumerated() where results[index].document != place {
      results[index].formerDocument = place
    }
    lastSynced.write()
    // A path takes longer to make than to compare.
    return results.map { ($0.document.path, $0) }.sorted { $0.0 < $1.0 }.map(\.1)
  }

  private func locations(in container: FilePath) throws -> [DocumentLocation] {
    try Layout.documentPaths(in: container).map { DocumentLocation(container: container, path: $0) }
  }

  /// A document whose store does not name its id: any that seems to be new here may be that one.
  private func unknownDocument(in container: FilePath) throws -> DocumentLocation? {
    try locations(in: container).first {
      try $0.documentIdentifier == nil && FileStatus.of($0.store) != nil
    }
  }

  /// Whether a store says that it is of another document than its versions.
  private func isMistaken(_ location: DocumentLocation) -> Bool {
    do {
      let repository = try Repository(store: location.store)
      let said = location.documentIdentifier
      return try repository.references(below: Head.prefix).values.contains { target in
        let id = try ContentCommit.record(of: target, repository.commit(target))
        return try Record(id: id, decoding: repository.commit(id)).facts.document != said
      }
    } catch { return false }
  }

  /// Removes the store that was made for a document of which nothing was taken in then: it would have the name, and
  /// whatever is saved under it would be that document.
  private func discardIfEmpty(_ location: DocumentLocation) throws {
    let lock = try location.lockStore(waitingAtMost: environment.lockTimeout)
    if try Repository(store: location.store).references(below: "refs/").isEmpty {
      try Folder.removeTree(location.store)
    }
    lock.release()
  }

  /// Why a document is not taken in: two stores of one document would never be one again.
  private static func waiting(
    _ heads: [Record], for unknown: DocumentLocation
  ) -> VersionError {
    let path = heads.sorted(by: Record.isPreferred).first?.facts.path ?? ""
    let name = Printable.text(ContainerPath.name(of: path))
    return VersionError(
      .damaged, document: name,
      message: """
        “\(name)” waits on the other side: it may be “\(unknown.printable)”, whose store does not tell which document \
        it is of.
        """,
      hint: "Mend the store of “\(unknown.printable)”, and exchange again.")
  }

  /// A document that fails is reported, and the others are exchanged.
  private func exchanging(
    _ document: URL, _ body: () throws -> DocumentExchange
  ) throws -> DocumentExchange {
    func failed(_ error: any Error) -> DocumentExchange {
      DocumentExchange(
        document: document, received: 0, sent: 0, unresolvedConflicts: 0, failure: error)
    }
    do {
      return try body()
    } catch let error as GitError {
      let name = Printable.text(document.lastPathComponent)
      return failed(try error.reported(for: name, at: document.filePath))
    } catch is CancellationError {
      // A cancellation stops the whole exchange.
      throw CancellationError()
    } catch {
      return failed(error)
    }
  }

  /// Reports any failure of a document that was renamed after it was listed as a rename.
  private func unlessRenamed<Result>(
    _ location: DocumentLocation, _ body: () throws -> Result
  ) throws -> Result {
    let store = try FileStatus.of(location.store)
    do {
      return try body()
    } catch let error as CancellationError {
      throw error
    } catch {
      guard try !location.isStore(store) else { throw error }
      throw VersionError(
        .changedMeanwhile, document: location.printable,
        message: "“\(location.printable)” was renamed meanwhile.", recovery: .tryAgain,
        hint: "Exchange again.")
    }
  }

  /// Exchanges one document.
  ///
  /// - Parameters:
  ///   - former: the last exchange, where at most what may simply follow it has arrived since.
  ///   - sent: gets the store, whether something arrived, and what was sent.
  private func exchange(
    _ location: DocumentLocation, with folder: ExchangeFolder, since former: FormerExchange? = nil,
    _ sent: (StoreReader, Bool, Sending) -> Void = { _, _, _ in }
  ) throws -> DocumentExchange {
    try saveRename(of: location)
    let received: Received = try unlessRenamed(location) {
      try environment.withWriter(at: location) { writer in
        try receive(location, with: folder, since: former, by: writer, sent)
      }
    }
    var reception: Reception
    let present: FormerExchange?
    switch received {
    case .exchanged(let exchange): return exchange
    case .underOtherName(let received, let exchange): (reception, present) = (received, exchange)
    }
    let place = try Renaming(environment).followCurrentName(of: location) { reception.record($0) }
    return try unlessRenamed(place) {
      try environment.withWriter(at: place) { writer in
        try showAndSend(
          place, with: folder, after: reception, reaching: present, by: writer, sent)
      }
    }
  }

  /// The result of receiving.
  private enum Received {
    case exchanged(DocumentExchange)
    /// The current version has another name than the document, which moves before the rest is done.
    case underOtherName(Reception, FormerExchange?)
  }

  private func receive(
    _ location: DocumentLocation, with folder: ExchangeFolder, since former: FormerExchange?,
    by writer: borrowing StoreWriter, _ sent: (StoreReader, Bool, Sending) -> Void
  ) throws -> Received {
    let reader = writer.reader
    if let former,
      let sending = try DocumentSender(reader: reader, folder: folder).send(since: former)
    {
      sent(reader, false, sending)
      return .exchanged(
        DocumentExchange(
          document: location.url, received: 0, sent: sending.count, unresolvedConflicts: 0,
          failure: nil))
    }
    let receiver = DocumentReceiver(reader: reader, folder: folder)
    let next = try former.flatMap { try receiver.receive(since: $0, with: writer) }
    let reception = try next?.reception ?? receiver.receive(with: writer)
    // What arrived may be what the document shows already.
    try writer.finishInterruptedChange()
    guard try reader.document.hasOwnName else {
      return .underOtherName(reception, next?.exchange)
    }
    return .exchanged(
      try showAndSend(
        location, with: folder, after: reception, reaching: next?.exchange, by: writer, sent))
  }

  private func showAndSend(
    _ place: DocumentLocation, with folder: ExchangeFolder, after reception: Reception,
    reaching present: FormerExchange?, by writer: borrowing StoreWriter,
    _ sent: (StoreReader, Bool, Sending) -> Void
  ) throws -> DocumentExchange {
    let reader = writer.reader
    try writer.showCurrentVersion()
    let sender = DocumentSender(reader: reader, folder: folder)
    let sending = try present.flatMap { try sender.send(since: $0) } ?? sender.send()
    if reception.failure == nil { sent(reader, reception.count > 0, sending) }
    return DocumentExchange(
      document: place.url, received: reception.count, sent: sending.count,
      unresolvedConflicts: max(0, try reader.heads.divergent().count - 1),
      failure: reception.failure)
  }

  /// Makes a version of a rename that was not saved, so that it meets what arrives.
  private func saveRename(of location: DocumentLocation) throws {
    try unlessRenamed(location) {
      let isRenamed = try environment.withWriter(at: location) { writer in
        try writer.reader.document.isRenamed && FileStatus.of(location.document) != nil
      }
      if isRenamed { _ = try Saving(environment).save(location.url, asPackage: true) }
    }
  }

  /// The locations of documents that were renamed outside docversions, with their stores moved along.
  private func followingRenames(_ locations: [DocumentLocation]) -> [DocumentLocation] {
    var places: [URL: URL] = [:]
    // The exchange of a document reports its faults; here, none is followed then, or not this one.
    do {
      places = try RenamedDocuments.places(of: locations.map(\.url))
      let rest = locations.map(\.url).filter { places[$0] == nil }
      let moved = try MovedDocuments(by: environment.fileClock).places(of: rest)
      places.merge(moved) { first, _ in first }
    } catch {}
    return locations.map { location in
      guard let place = places[location.url] else { return location }
      do {
        return try StoreSearch(environment).followingRename(
          of: DocumentLocation(of: place), movingStore: true)
      } catch { return location }
    }
  }
}

extension DocumentExchange {
  fileprivate init(nothingNewFor document: URL) {
    self.init(document: document, received: 0, sent: 0, unresolvedConflicts: 0, failure: nil)
  }
}

extension [DocumentExchange] {
  /// Records that a document has moved.
  fileprivate mutating func recordMove(_ former: DocumentLocation, _ place: DocumentLocation) {
    guard let index = firstIndex(where: { $0.document == former.url }) else { return }
    self[index].document = place.url
  }
}

extension StoreWriter {
  /// Writes the current version over a document that has no edits of its own.
  ///
  /// A document that was taken away is not brought back.
  fileprivate func showCurrentVersion() throws {
    guard let head = try heads.divergent().first, !head.lacksContent else { return }
    let current = head.record
    let base = try heads.base()
    guard base?.id != current.id else { return }
    let present = try reader.document.copy()
    if base == nil, let present {
      if present.content.isSame(as: current.content) { try setBase(current) }
    } else if try base == nil || reader.document.shownVersion(present) != nil {
      try show(current, replacing: present)
    }
  }
}
