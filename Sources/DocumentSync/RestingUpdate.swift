internal import DocumentFiles
internal import DocumentGit
internal import DocumentStore
internal import SystemPackage

/// An update of resting documents: replaces their files and updates their entries, without creating stores.
///
/// The new files are written beside their destinations, then moved there, and then the entries follow. After
/// a crash between the last two steps, the file equals the version that arrives again; then only its entry is
/// updated, and it gets a store, which completes the update. A document with edits gets a store and is
/// exchanged like any other.
final class RestingUpdate {
  private let container: ReplicatedContainer
  private let peer: PeerObjects
  private let mirror: String
  private let contents: RestingContents
  private var waiting: [Waiting] = []

  private struct Waiting {
    let document: ReplicatedContainer.Entry
    let arrival: ArrivedVersions
    let former: RestingDocument
    let new: RestingArrival
    /// The new file; nil if it is already in its place after a crash.
    let item: DocumentWriter.StagedItem?
  }

  /// - Returns: nil if no document may rest.
  init?(in container: ReplicatedContainer, _ surroundings: ExchangeSurroundings) throws {
    guard case .mirror(let mirror) = surroundings.restingPlace,
      try !RestingDocuments.of(container.folder).isEmpty,
      try RestingContents.canRest(in: container.folder)
    else { return nil }
    self.container = container
    self.mirror = mirror
    peer = surroundings.peer
    contents = try RestingContents(in: mirror, of: container.folder)
  }

  /// Updates resting documents whose arrived versions, and everything that they keep, can rest on the copy of
  /// the peer.
  ///
  /// - Returns: the documents to exchange one by one.
  static func run(
    for visits: [Visit], _ news: PeerNews, in session: ExchangeSession
  ) throws -> [Visit] {
    let container = session.container
    guard let update = try RestingUpdate(in: container, session.surroundings) else { return visits }
    try update.stage(
      visits.compactMap { visit -> (ReplicatedContainer.Entry, ArrivedVersions)? in
        guard let arrival = news.arrivals[visit.document.identifier ?? ""],
          !arrival.heads.isEmpty, !visit.isPending, !session.isLeftOut(visit.document),
          container.rests(visit.document)
        else { return nil }
        return (visit.document, arrival)
      }, check: container.checkCancellation)
    let done = try update.place(by: session.coordination)
    container.progress?.expect(documents: done.count)
    for (document, outcome) in done { session.take(outcome, of: document.identifier ?? "") }
    let known = Set(done.map(\.0))
    return visits.filter { !known.contains($0.document) }
  }

  /// Writes the files of documents that can rest on their arrived versions.
  func stage(
    _ arrivals: [(ReplicatedContainer.Entry, ArrivedVersions)],
    check: () throws -> Void
  ) throws {
    waiting = []
    try DeferredWait.once(for: arrivals.count, onFileSystemOf: container.folder) {
      for (document, arrival) in arrivals {
        try check()
        do {
          if let item = try stage(document, arrival) { waiting.append(item) }
        } catch is CancellationError {
          throw CancellationError()
        } catch {
          // The individual exchange of the document reports it.
        }
      }
    }
  }

  private func stage(
    _ document: ReplicatedContainer.Entry, _ arrival: ArrivedVersions
  ) throws -> Waiting? {
    let location = container.location(document.path)
    guard let former = try RestingDocuments.document(of: location),
      arrival.identifiers.isSubset(of: former.identity.all.map(\.description))
    else { return nil }
    var all = arrival
    all.heads.insert(former.head)
    all.contents.formUnion(former.contents)
    let arrived = try peer.arrived(all.heads, of: former.identity.identifier)
    guard
      let new = try RestingArrival(all, of: former.identity, arrived, checking: contents),
      new.head.facts.path.hasBytes(of: former.path), new.head.id != former.head
    else { return nil }
    func waiting(_ item: DocumentWriter.StagedItem?) -> Waiting {
      Waiting(document: document, arrival: arrival, former: former, new: new, item: item)
    }
    let present = try ItemListing(location.document, limits: nil, clock: container.fileClock)
    guard former.isUnchanged(present.status) else {
      return try contents.isDocument(location, of: new.head, by: container.fileClock)
        ? waiting(nil) : nil
    }
    let item = try contents.stage(
      new.head, of: former.identity, at: location.document, displacing: present)
    return try RestingContents.canRest(item.location) ? waiting(item) : nil
  }

  /// Puts the files in their places, and updates the entries.
  ///
  /// - Returns: the results; a document that is missing from them has to be exchanged individually.
  func place(
    by coordination: ExchangeCoordination
  ) throws -> [(ReplicatedContainer.Entry, ReplicatedContainer.Outcome)] {
    let waiting = self.waiting
    self.waiting = []
    var done: [(document: ReplicatedContainer.Entry, outcome: ReplicatedContainer.Outcome)] = []
    var listed: [RestingDocument] = []
    var unfinished: [DocumentLocation] = []
    try DeferredWait.once(for: waiting.count, onFileSystemOf: container.folder) {
      for one in waiting {
        do {
          let outcome = try coordination.receiving(one.arrival, for: one.document) {
            let entry = try place(one)
            listed.append(entry)
            let url = container.location(entry.path).url
            let received = max(1, one.new.versions - one.former.versions)
            return (DocumentExchange(document: url, received: received), nil)
          }
          if outcome.result.failure != nil { continue }
          done.append((one.document, outcome))
          if one.item == nil {
            unfinished.append(
              container.location(one.document.path))
          }
        } catch is CancellationError {
          // Files that are already in their places are listed first.
          break
        } catch {
          // The file has just changed, for example; the individual exchange of the document reports it.
        }
      }
    }
    guard !listed.isEmpty else { return [] }
    let resting = try RestingDocuments.changing(in: container.folder) {
      // A document that has got a store in the meantime receives the version itself, and finds it in its
      // file.
      let resting = try listed.filter {
        try RestingDocuments.document(
          of: container.location($0.path)) != nil
      }
      try RestingDocuments.add(resting, in: container.folder)
      return Set(resting.map { Array($0.path.utf8) })
    }
    // Until now, the files looked edited.
    tidyUp { try ChangeJournal(of: container.folder).record(listed.map(\.path)) }
    for location in unfinished { try RestingActivation.run(location) }
    return done.filter { resting.contains(Array($0.document.path.utf8)) }
      .map { ($0.document, $0.outcome) }
  }

  private func place(_ waiting: Waiting) throws -> RestingDocument {
    let place = container.folder.appending(waiting.former.path)
    let staged = try FileStatus.of(waiting.item?.location ?? place)
    try waiting.item?.place()
    let entry = try staged.flatMap {
      try RestingDocument(
        path: waiting.former.path, identity: waiting.new.identity, mirror: mirror,
        head: waiting.new.head.id, contents: waiting.new.contents, versions: waiting.new.versions,
        after: waiting.former, staged: $0, at: place)
    }
    guard let entry else { throw GitError.missing("the file") }
    return entry
  }
}
