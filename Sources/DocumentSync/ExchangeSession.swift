internal import DocumentFiles
internal import DocumentGit
internal import DocumentStore
internal import DocumentTransport
internal import Foundation
internal import SystemPackage

/// One exchange of a container with a peer: receives the peer's news, publishes its own, and records both.
final class ExchangeSession {
  let container: ReplicatedContainer
  let coordination: ExchangeCoordination
  let peer: any Peer
  private var device: LocalDevice
  var state: PeerState
  var index: DocumentIndex
  let batch = ObjectBatch()
  let restingReaders = RestingReaders()
  var results: [DocumentExchange] = []
  var publications: [Publication] = []
  var step = SendingStep()
  /// True if documents that are new here are only listed.
  let isListing: Bool
  /// The individually requested document, which takes part even if its sync is paused.
  private let request: DocumentRequest?
  private let paused: PausedDocuments
  /// The ids of documents that are received although new ones are only listed.
  var wanted: Set<String>
  /// The reason why a step couldn't be sent; arrived versions are received nevertheless.
  var stepFailure: (any Error)?

  /// - Parameters:
  ///   - wanted: the ids of documents to download if new ones are only listed.
  ///   - request: the document that was requested individually.
  init(
    _ container: ReplicatedContainer, with peer: any Peer, as device: LocalDevice,
    downloading wanted: Set<String> = [], for request: DocumentRequest? = nil
  ) throws {
    self.wanted = wanted
    self.request = request
    paused = try PausedDocuments(in: container.folder)
    isListing = try container.listsNewDocuments
    self.container = container
    coordination = ExchangeCoordination(container)
    self.peer = peer
    self.device = device
    state = try PeerState.read(of: peer, in: container.folder)
    if state.hasResting == true, try !RestingDocuments.isSound(in: container.folder) {
      // Listed documents are received again.
      state.devices = [:]
    }
    index = try DocumentIndex(in: container.folder)
  }

  func run() throws -> ExchangeOutcome {
    try beginListing()
    // Changes that programs have only in memory take part.
    try coordination.askToSave()
    // This precedes all reading, so that changes from now on belong to the next exchange.
    let journal = try container.journalEnd()
    let references = try peer.references()
    let published = try identify(among: references)
    let own = OwnState(references: published, after: state.own, in: peer)
    let base = try own.isWhole(where: state.packsAreKept(on: peer)) ? own.state() : nil
    let news = try PeerNews(
      of: peer, references, besides: device.identifier, since: state
    ) { try base?.document($0) }

    if base == nil { news.forgetOwn(hasLosses: state.own.records != nil && peer.isTidiedByDevices) }
    let resting = RestingNews(container, with: peer)
    try resting.leaveOut(of: news)
    for identifier in wanted {
      if let document = try base?.document(identifier) { try news.takeOwn(document, identifier) }
    }
    try unite(news)
    let isThorough =
      base == nil || !news.begunAnew.isEmpty || state.looksEverywhere == true
    let documents = try documentsToVisit(
      news, base, since: journal, isThorough: isThorough, isKnown: own.isKnown)
    try request?.refuse(news)
    let versionAtPeer = try request?.version(at: peer.objects, news, base)
    try fetchContents(news)
    let update = OwnUpdate(
      of: device, in: container, on: peer, from: published, base: base, news, batch,
      keepingBranches: state.keepsBranches ?? false)
    let others = try RestingUpdate.run(for: documents, news, in: self)
    try visit(others, news, base, update, isThorough: isThorough)
    try addNewDocuments(news, update)
    if let stepFailure { throw stepFailure }
    update.isExpected = resting.isAny
    let new = try publish(by: update)
    try tidy(update, news, new)
    record(new, news, journal)
    var outcome = ExchangeOutcome(
      results, with: peer, batch, arriving: news.arriving,
      removedContentsStay: try update.removedContentsStay(on: new),
      hasFetchedEverything: isListing && !peer.leavesBranchesOut && !peer.isTidiedByDevices)
    outcome.versionAtPeer = versionAtPeer
    return outcome
  }

  // MARK: Identity

  /// Returns the device's references on the peer; takes a new identity if another device has published with it.
  private func identify(
    among references: [DeviceIdentifier: DeviceReferences]
  ) throws -> DeviceReferences? {
    guard let own = references[device.identifier] else { return nil }
    if own.records.description == state.own.records { return own }
    if try device.hasPublished(own.records) { return own }
    try device.renew(named: container.device)
    let pending = state.pending
    state = PeerState(keepsBranches: state.keepsBranches)
    state.pending = pending
    return nil
  }

  // MARK: Finding documents

  /// Returns the documents with versions to receive or to publish, as far as known without opening them.
  private func documentsToVisit(
    _ news: PeerNews, _ base: StateTree?, since journal: ChangeJournal.Position?,
    isThorough: Bool, isKnown: Bool
  ) throws -> [Visit] {
    if !isThorough, isKnown, let changed = try changedPaths(upTo: journal),
      let visits = try visits(ofChanged: changed, news)
    {
      return visits
    }
    let found = try uniting(container.documents())
    for (document, place) in found {
      let former = container.location(document.path).url
      if former != place { results.recordMove(from: former, to: place) }
    }
    let documents = found.map(\.document)
    index.set(documents)
    news.unite(index.identifier)
    state.folders = container.folderStamps(of: documents)
    state.scanned = container.now.timeIntervalSince1970
    state.session = SystemSession.identifier
    if let base, !isKnown {
      // An exchange was interrupted after it had published and before it recorded that.
      container.record(
        try documents.compactMap { document in
          try document.identifier.flatMap { try base.document($0) }
            .map { (document.path, $0.heads) }
        })
    }
    return try documents.compactMap { document in
      let isPending = document.identifier.map(state.pending.contains) ?? false
      let isNew = document.identifier.map { news.arrivals[$0] != nil } ?? true
      if !isPending, !isNew, RestingNews(container, with: peer).rests(document) { return nil }
      guard
        try isThorough || isPending || isNew || isChanged(document, since: base)
          || container.location(document.path).mayLoseItsNumber
      else {
        return nil
      }
      return Visit(document: document, isPending: isPending)
    }
  }

  /// Returns whether a document differs from this device's last state.
  private func isChanged(
    _ document: ReplicatedContainer.Entry, since base: StateTree?
  ) throws -> Bool {
    guard let identifier = document.identifier, let known = try base?.document(identifier),
      let path = known.path, path.utf8.elementsEqual(document.path.utf8)
    else { return true }
    if let head = container.restingHead(of: document) { return known.heads != [head] }
    return container.chain(of: document) != known.chain?.description
  }

  /// The paths of documents that have changed since the last exchange with the peer; nil if that
  /// requires checking all documents.
  private func changedPaths(
    upTo journal: ChangeJournal.Position?
  ) throws -> Set<String>? {
    let now = container.now.timeIntervalSince1970
    guard let journal, let former = state.journal, let session = state.session,
      session == SystemSession.identifier, (0...Self.longestTrust).contains(now - state.scanned)
    else { return nil }
    for (folder, stamp) in state.folders {
      guard let stamp, container.stamp(ofFolder: folder) == stamp else { return nil }
    }
    return try container.changedDocuments(
      from: .init(inode: former.inode, offset: former.offset), to: journal)
  }

  /// Seconds after which an exchange checks every document again, regardless of the journal,
  /// because a program without a journal may have changed a store.
  private static let longestTrust = 3_600.0

  /// - Returns: nil if a document has moved.
  private func visits(ofChanged paths: Set<String>, _ news: PeerNews) throws -> [Visit]? {
    var visits: [String: Visit] = [:]
    for path in paths {
      // If a join did not finish, another store belongs to the document, too.
      guard let document = try container.document(at: path), let identifier = document.identifier,
        document.aliases.allSatisfy({ index.paths[$0] == nil }),
        index.paths[identifier].map({ $0.utf8.elementsEqual(path.utf8) }) != false
      else { return nil }
      let isPending = state.pending.contains(identifier)
      if !isPending, RestingNews(container, with: peer).rests(document) { continue }
      visits[path] = Visit(document: document, isPending: isPending)
    }
    for identifier in Set(news.arrivals.keys).union(state.pending) {
      // An unknown document is new, or was moved.
      guard let path = index.paths[identifier] else { return nil }
      guard let document = try container.document(at: path), document.identifier == identifier
      else { return nil }
      visits[path] = Visit(document: document, isPending: state.pending.contains(identifier))
    }
    return visits.values.sorted { $0.document.path < $1.document.path }
  }

  // MARK: Visiting documents

  private func visit(
    _ visits: [Visit], _ news: PeerNews, _ base: StateTree?, _ update: OwnUpdate, isThorough: Bool
  ) throws {
    container.progress?.expect(documents: visits.count)
    var order: [Int] = []
    try container.environment.inTurns(visits.count, in: container.folder) { number, environment in
      let visit = visits[number]
      try container.checkCancellation()
      let identifier = visit.document.identifier ?? ""
      if isLeftOut(visit.document) {
        state.pending.insert(identifier)
        return
      }
      if stepFailure != nil, !visit.isPending, news.arrivals[identifier] == nil { return }
      let arrival = try news.arrived(for: visit)
      var former = try base?.document(identifier)
      if isThorough { former?.chain = nil }
      let outcome = try coordination.receiving(arrival, for: visit.document) {
        try container.within(environment).exchange(
          visit.document, receiving: arrival, after: former,
          contents(of: visit.document.identifiers, news),
          surroundings.publishing(request?.keepsBack(visit.document) != true))
      }
      order.append(number)
      take(outcome, of: identifier)
      try publishStep(by: update)
    }
    results.sortLast(by: order)
  }

  /// Returns whether the sync of a document is paused.
  func isLeftOut(_ document: ReplicatedContainer.Entry) -> Bool {
    paused.contains(document.identifiers)
      && request?.isFor(document) != true
  }

  func take(_ outcome: ReplicatedContainer.Outcome, of identifier: String) {
    results.append(outcome.result)
    if !identifier.isEmpty {
      if outcome.result.failure == nil {
        state.pending.remove(identifier)
      } else {
        state.pending.insert(identifier)
      }
    }
    container.progress?.advance(documents: 1)
    guard let publication = outcome.publication else { return }
    publications.append(publication)
    step.add(publication)
    if let path = publication.state.path { index.set(path, of: publication.identifier) }
  }

  // MARK: The end

  /// Frees space on the peer: combines small packs of this device, and removes withdrawn contents.
  private func tidy(_ update: OwnUpdate, _ news: PeerNews, _ new: DeviceReferences?) throws {
    guard peer.isTidiedByDevices else { return }
    let present = try peer.packs()
    var own = Set(state.packs.keys.filter { present[$0] != nil })
    own.formUnion(batch.allPacks.map(\.name))
    let now = container.now.timeIntervalSince1970
    if update.hasBegunAnew { state.withdrawn = now }
    do {
      if let since = state.withdrawn, let start = update.start,
        try now - since > Self.grace || news.haveAllSeen(start)
      {
        if try PeerTidying(of: peer.objects, own: own).removeUnreachable(
          from: peer.references(), check: container.checkCancellation)
        {
          state.withdrawn = nil
        }
      } else {
        try peer.objects.repository.compactPacks(among: own, check: container.checkCancellation)
      }
    } catch is CancellationError {
      throw CancellationError()
    } catch {
      // This only tidies up: everything is published by now.
    }
    let before = own.union(present.keys)
    let after = try peer.packs()
    state.packs = after.filter { own.contains($0.key) || !before.contains($0.key) }
    state.othersPacks = after.filter { state.packs[$0.key] == nil }
  }

  /// Seconds for which withdrawn contents stay while other devices haven't seen their withdrawal:
  /// those devices may have published versions that share files with them.
  private static let grace = 14 * 86_400.0

  private func record(
    _ new: DeviceReferences?, _ news: PeerNews, _ journal: ChangeJournal.Position?
  ) {
    do { try recordListing(news, new) } catch {
      // The next exchange with changes lists them.
    }
    state.own = PeerState.Seen(
      records: new?.records.description, contents: new?.contents?.description)
    state.devices = news.seen
    state.looksEverywhere = nil
    state.hasResting = RestingNews(container, with: peer).isAny ? true : nil
    state.journal = journal.map { .init(inode: $0.inode, offset: $0.offset) }
    do {
      try index.write(in: container.folder)
      try state.write(of: peer, in: container.folder)
    } catch {
      // Without it, the next exchange takes longer.
    }
  }
}

/// A document with versions to receive or to publish.
struct Visit {
  let document: ReplicatedContainer.Entry
  let isPending: Bool
}

extension PeerNews {
  /// Returns the versions to receive for a document; all that are published, if some are pending.
  fileprivate func arrived(for visit: Visit) throws -> ArrivedVersions {
    if visit.isPending { return try everything(of: visit.document.identifiers) }
    return arrivals[visit.document.identifier ?? ""] ?? ArrivedVersions()
  }
}
