internal import DocumentFiles
internal import DocumentGit
internal import DocumentStore
internal import Foundation
internal import SystemPackage

/// Exchanging one document.
extension ReplicatedContainer {
  /// The reported result, and the news to publish.
  typealias Outcome = (result: DocumentExchange, publication: Publication?)

  /// Receives arrived versions of a document, shows the current one, and gathers objects that the peer lacks.
  ///
  /// - Throws: `CancellationError`; any other failure is reported as the document's.
  func exchange(
    _ document: Entry, receiving arrival: ArrivedVersions, after former: PublishedDocument?,
    _ contents: PublishedContents, _ surroundings: ExchangeSurroundings
  ) throws -> Outcome {
    let location = location(document.path)
    let outcome = try reporting(location.url) {
      do {
        return try exchange(location, receiving: arrival, after: former, contents, surroundings)
      } catch let error as FileError {
        throw OtherOwner(of: location).named(in: error)
      }
    }
    if outcome.result.received > 0 { removeEmptiedFolders(around: document.path) }
    return outcome
  }

  /// Receives a document that is new here.
  ///
  /// - Parameters:
  ///   - unknown: documents that can't be identified; the one with this name may be this document.
  ///   - moved: receives the locations of documents that had to make room.
  func add(
    _ identifier: String, receiving arrival: ArrivedVersions, unknown: [Entry],
    _ contents: PublishedContents, _ surroundings: ExchangeSurroundings,
    moved: (_ former: URL, _ place: URL) -> Void
  ) throws -> Outcome {
    // Until it has a location, the container stands for it.
    try reporting(URL(filePath: folder.string)) {
      guard let identity = arrival.identity(besides: identifier) else {
        throw GitError.malformed("“\(Printable.text(identifier))” isn’t a document’s id")
      }
      let arrived = try surroundings.peer.arrived(arrival.heads, of: identity.identifier)
      if let path = arrived.path, unknown.contains(where: { $0.path.hasBytes(of: path) }) {
        throw Self.waiting(path)
      }
      let location = try DocumentPlacement(environment: environment).place(
        for: identity.identifier.description, arrived, in: folder
      ) { moved($0.url, $1.url) }
      let isNew = try !location.hasStore
      try StoreCreation.create(
        location.store, identity: identity, clock: environment.fileClock)
      var outcome = try exchange(
        location, receiving: arrival, after: nil, contents, surroundings)
      let wanted = self.location(arrived.path ?? location.path)
      let (place, other) = try (outcome.result.document, wanted.otherSpelling(besides: location))
      outcome.result.ownPlace = place == location.url ? (other ?? wanted).url : place
      if isNew, (outcome.result.failure as? VersionError)?.code == .damagedExchange {
        try discardIfEmpty(location)
      }
      return outcome
    }
  }

  /// Numbers documents with one name in the same way on every device.
  ///
  /// - Parameter visited: the documents that have just been exchanged.
  func sortNumbers(
    visited: [URL], moved: (_ former: URL, _ place: URL) -> Void
  ) throws {
    let placement = DocumentPlacement(environment: environment)
    try placement.dropNumbers(of: visited) { moved($0.url, $1.url) }
    try placement.sortNumbers(in: folder) { moved($0.url, $1.url) }
  }

  /// Returns the ids that a document's versions name, regardless of its store; none if they can't be read.
  func recordedIdentifiers(of document: Entry) throws -> Set<String> {
    try RecordedIdentifiers.of(
      location(document.path),
      reportingTo: environment.progress)
  }

  /// Removes the store that was created for a document if nothing was received into it; otherwise, anything saved
  /// under its name would become that document.
  private func discardIfEmpty(_ location: DocumentLocation) throws {
    let lock = try location.lockStore(waitingAtMost: environment.lockSeconds)
    if try Repository(store: location.store).references.all(below: "refs/").isEmpty {
      try StoreCreation.remove(location.store)
    }
    lock.release()
  }

  /// The error for a document that isn't received because one with the same name may be the same document.
  private static func waiting(_ path: String) -> VersionError {
    let name = Printable.text(ContainerPath.name(of: path))
    return VersionError(
      .damaged, document: name,
      message: """
        A “\(name)” waits on the other side: it may be the one that is here, whose store does not tell which \
        document it is of.
        """,
      hint: "Repair the store of “\(name)”, and exchange again.")
  }

  /// Runs a closure and reports its failure as that of the document, so that the others are still exchanged.
  func reporting(_ document: URL, _ body: () throws -> Outcome) throws -> Outcome {
    do {
      return try body()
    } catch let error as GitError {
      let name = Printable.text(document.lastPathComponent)
      let failure = try error.reported(for: name, at: document.filePath)
      return (DocumentExchange(document: document, failure: failure), nil)
    } catch is CancellationError {
      // A cancellation stops the whole exchange.
      throw CancellationError()
    } catch {
      return (DocumentExchange(document: document, failure: error), nil)
    }
  }

  // MARK: One document

  private func exchange(
    _ location: DocumentLocation, receiving arrival: ArrivedVersions,
    after former: PublishedDocument?,
    _ contents: PublishedContents, _ surroundings: ExchangeSurroundings
  ) throws -> Outcome {
    if arrival.isEmpty,
      let reader = try surroundings.resting.reader(of: location, in: environment)
    {
      // It shows the version that it rests on, under its own name, so there is nothing else to do.
      return try outcome(of: reader, after: Reception(), former, contents, surroundings)
    }
    try RestingActivation.run(location)
    try saveRename(of: location)
    let received = try unlessRenamed(location) {
      try environment.withWriter(at: location) { writer in
        let receiver = DocumentReceiver(reader: writer.reader, peer: surroundings.peer)
        let reception = try receiver.receive(arrival, with: writer)
        // The document may already show the arrived version.
        try writer.finishInterruptedChange()
        // If its name has changed, the document moves before anything else is done.
        guard try writer.reader.document.hasOwnName else { return (reception, nil as Outcome?) }
        return (
          reception,
          try finish(after: reception, former, contents, surroundings, by: writer)
        )
      }
    }
    var reception = received.0
    if let outcome = received.1 { return outcome }
    // A rename looks at other documents, which may not change in the meantime.
    let place = try Renaming(environment.waitingAlone).followCurrentName(of: location) {
      reception.record($0)
    }
    return try unlessRenamed(place) {
      try environment.withWriter(at: place) { writer in
        try finish(after: reception, former, contents, surroundings, by: writer)
      }
    }
  }

  /// Shows the current version, and gathers the objects that the peer lacks.
  private func finish(
    after reception: Reception, _ former: PublishedDocument?, _ contents: PublishedContents,
    _ surroundings: ExchangeSurroundings, by writer: borrowing StoreWriter
  ) throws -> Outcome {
    try writer.reader.document.showCurrentVersion(by: writer)
    return try outcome(of: writer.reader, after: reception, former, contents, surroundings)
  }

  /// Gathers the objects of a document that the peer lacks, and reports its arrived versions.
  func outcome(
    of reader: StoreReader, after reception: Reception, _ former: PublishedDocument?,
    _ contents: PublishedContents, _ surroundings: ExchangeSurroundings
  ) throws -> Outcome {
    var result = DocumentExchange(
      document: reader.location.url, received: reception.count,
      unresolvedConflicts: max(0, try reader.heads.divergent().count - 1),
      failure: reception.failure)
    result.receivedBytes = reception.bytes
    guard surroundings.isPublishing else { return (result, nil) }
    let publication = try Publishing(
      reader: reader, peer: surroundings.peer
    ).publish(after: former, contents, into: surroundings.batch)
    result.sent = publication.versions
    if former == nil, !publication.transports.isEmpty, let folder = surroundings.peer.folder {
      result.warning = try reader.warningOfReaders(in: folder)
    }
    return (result, publication)
  }

  /// Saves an unsaved rename as a version, so that it takes part in the exchange.
  private func saveRename(of location: DocumentLocation) throws {
    try unlessRenamed(location) {
      let isRenamed = try environment.withWriter(at: location) { writer in
        try writer.reader.document.isRenamed && FileStatus.of(location.document) != nil
      }
      if isRenamed {
        _ = try Saving(environment.waitingAlone).save(location.url, asPackage: true)
      }
    }
  }

  /// Runs a closure; if the document was renamed after it was listed, any failure is reported as a rename.
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
        message: "“\(location.printable)” was renamed in the meantime.", recovery: .tryAgain,
        hint: "Exchange again.")
    }
  }
}
