internal import DocumentFiles
internal import DocumentGit
internal import DocumentStore
internal import SystemPackage

/// What has arrived for documents that rest: their files are replaced, and their entries move on; no store is made.
///
/// The new files are written beside their places, then they get them, then the entries follow. Where a crash comes
/// between the last two, the file is as the version that arrives again: only its entry moves on, and it gets a store,
/// which puts the rest in order. A document with edits gets a store and is exchanged like any other.
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
    /// The new file; nil if a crash has left it in its place already.
    let item: DocumentWriter.StagedItem?
  }

  /// - Returns: nil if nothing may rest.
  init?(in container: ReplicatedContainer, _ surroundings: ReplicatedContainer.Surroundings) throws
  {
    guard let mirror = surroundings.mirror, try !RestingDocuments.of(container.folder).isEmpty,
      try RestingContents.canRest(in: container.folder)
    else { return nil }
    self.container = container
    self.mirror = mirror
    peer = surroundings.peer
    contents = try RestingContents(in: mirror, of: container.folder)
  }

  /// Moves documents on that rest, as far as what has arrived for them can rest on the copy of the peer, and with it all that
  /// they keep.
  ///
  /// - Returns: the documents to visit one by one.
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

  /// Writes the files of those that can rest on what has arrived for them.
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
          // The exchange of the document by itself reports it.
        }
      }
    }
  }

  private func stage(
    _ document: ReplicatedContainer.Entry, _ arrival: ArrivedVersions
  ) throws -> Waiting? {
    let location = DocumentLocation(container: container.folder, path: document.path)
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

  /// Puts the files in their places, and moves the entries on.
  ///
  /// - Returns: what was done; a document that is missing here has to be exchanged by itself.
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
            let url = DocumentLocation(container: container.folder, path: entry.path).url
            let received = max(1, one.new.versions - one.former.versions)
            return (DocumentExchange(document: url, received: received), nil)
          }
          if outcome.result.failure != nil { continue }
          done.append((one.document, outcome))
          if one.item == nil {
            unfinished.append(
              DocumentLocation(container: container.folder, path: one.document.path))
          }
        } catch is CancellationError {
          // Those in their places are put on the list first.
          break
        } catch {
          // Changed just now, or the like: the exchange of the document by itself reports it.
        }
      }
    }
    guard !listed.isEmpty else { return [] }
    let resting = try RestingDocuments.changing(in: container.folder) {
      // One that has got a store meanwhile takes in the version itself, and finds it in its file.
      let resting = try listed.filter {
        try RestingDocuments.document(
          of: DocumentLocation(container: container.folder, path: $0.path)) != nil
      }
      try RestingDocuments.add(resting, in: container.folder)
      return Set(resting.map { Array($0.path.utf8) })
    }
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
