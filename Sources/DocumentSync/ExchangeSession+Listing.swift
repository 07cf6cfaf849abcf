internal import DocumentGit
internal import DocumentStore

/// Listing of documents that are not on this device until they are downloaded.
extension ExchangeSession {
  /// Chooses the documents to download: the requested ones, or all listed ones if listing has ended.
  func beginListing() throws {
    let listing = DocumentListing(of: peer, in: container.folder)
    try listing.finishEvictions(&index, in: container)
    if !isListing, try listing.isThere { wanted.formUnion(try listing.identifiers()) }
    state.pending.formUnion(wanted)
    // Documents that were left out earlier are included.
    wanted = state.pending
  }

  /// Returns whether a document that is new here is received.
  func isTakenIn(_ identifier: String, _ news: PeerNews) -> Bool {
    guard isListing else { return true }
    let identifiers = news.arrivals[identifier]?.identifiers ?? []
    return wanted.contains(identifier) || !wanted.isDisjoint(with: identifiers)
  }

  /// Fetches arrived contents of documents that are here or wanted, because branches were left out.
  func fetchContents(_ news: PeerNews) throws {
    guard peer.leavesBranchesOut else { return }
    var wantedHeads: [String: Set<ObjectID>] = [:]
    var contents: Set<ObjectID> = []
    for (identifier, arrival) in news.arrivals
    where index.paths[identifier] != nil || isTakenIn(identifier, news) {
      for head in arrival.heads {
        do {
          guard let content = try peer.objects.publishedContent(of: head) else { continue }
          contents.insert(content)
          wantedHeads[identifier, default: []].insert(head)
        } catch let error as GitError where !error.isFromSystem {
          // The exchange of the document reports the fault.
        }
      }
    }
    try peer.fetch(contents: contents)
    for (identifier, heads) in wantedHeads { news.recordContents(of: heads, in: identifier) }
  }

  /// The states that this device has published, including documents that have left it.
  private func ownState(_ own: DeviceReferences?) throws -> [StateTree] {
    try own.map { [try StateTree(at: $0.records, in: peer.objects.repository.objects)] } ?? []
  }

  /// Lists the documents that are not here, if these may have changed.
  func recordListing(_ news: PeerNews, _ own: DeviceReferences?) throws {
    let listing = DocumentListing(of: peer, in: container.folder)
    guard isListing else { return try listing.remove() }
    guard
      try news.seen != state.devices || !wanted.isEmpty || index.hasLost || !listing.isThere
    else { return }
    let states = news.readableStates()
    try listing.write(states.read + ownState(own), areAll: states.areAll, of: peer.objects) {
      index.paths[index.identifier(for: $0)] != nil
    }
  }
}

/// The parameters of the exchange of one document.
extension ExchangeSession {
  var surroundings: ExchangeSurroundings {
    .init(
      peer: peer.objects, batch: batch,
      restingPlace: isListing ? nil : peer.mirrorName.map { .mirror($0) } ?? .shelf,
      resting: restingReaders)
  }

  func contents(
    of identifiers: Set<String>, _ news: PeerNews
  ) throws -> PublishedContents {
    var contents = PublishedContents { try news.contents(of: identifiers) }
    for identifier in identifiers {
      contents.arrived.formUnion(news.arrivals[identifier]?.contents ?? [])
      contents.newestOfOthers.formUnion(try news.documents(identifier).compactMap(\.newest))
    }
    return contents
  }
}
