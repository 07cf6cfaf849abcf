internal import DocumentFiles
internal import DocumentStore
internal import Foundation
internal import SystemPackage

/// Receiving of documents that are new here.
extension ExchangeSession {
  /// Receives documents that have no store here.
  func addNewDocuments(_ news: PeerNews, _ update: OwnUpdate) throws {
    let missing = Set(news.arrivals.keys).union(state.pending.map(index.identifier))
      .subtracting(index.paths.keys)
    var new = try missing.filter(news.isPublished)
    guard !new.isEmpty || results.contains(where: { $0.received > 0 || $0.sent > 0 }) else {
      return
    }
    var documents: [ReplicatedContainer.Entry] = []
    // The first listing may have missed a document that was being renamed.
    for _ in 0..<2 where !new.isEmpty {
      documents = try container.documents().map(\.document)
      new.subtract(documents.flatMap(\.identifiers))
    }
    let unknown = try new.isEmpty ? [] : findUnnamed(among: documents, takingFrom: &new)
    new = new.filter { isTakenIn($0, news) }
    container.progress?.expect(documents: new.count)
    let known = Set(results.map(\.document))
    let others = try unknown.isEmpty ? addTogether(new.sorted(), news) : new.sorted()
    for identifier in others {
      try container.checkCancellation()
      let arrival = try news.everything(of: [identifier])
      if let document = container.counterpart(of: identifier, arrival, on: peer.objects) {
        try join(arrival, into: document, news)
        continue
      }
      let outcome = try container.add(
        identifier, receiving: arrival, unknown: unknown,
        contents(of: arrival.identifiers, news), surroundings
      ) { former, place in move(from: former, to: place) }
      take(outcome, of: identifier)
      try publishStep(by: update)
    }
    try container.sortNumbers(visited: results.map(\.document)) { move(from: $0, to: $1) }
    coordination.announce(
      results.filter { $0.failure == nil && !known.contains($0.document) }.map(\.document))
  }

  /// Receives new documents, large numbers of them with one wait for the disk.
  ///
  /// - Returns: the documents that have to be received individually.
  private func addTogether(_ identifiers: [String], _ news: PeerNews) throws -> [String] {
    guard identifiers.count >= DeferredWait.fewest,
      let documents = try NewDocuments(in: container, surroundings)
    else { return identifiers }
    var others: [String] = []
    func nameAll(last isLast: Bool = false) throws {
      let (done, rest) = try documents.nameAll(last: isLast)
      for (identifier, outcome) in done { take(outcome, of: identifier) }
      for document in documents.resting { index.set(document) }
      others += rest
    }
    for identifier in identifiers {
      try container.checkCancellation()
      let arrival = try news.everything(of: [identifier])
      let isAdded = try documents.add(
        identifier, receiving: arrival, contents(of: arrival.identifiers, news))
      if !isAdded { others.append(identifier) }
      if documents.isFull { try nameAll() }
    }
    try nameAll(last: true)
    return others
  }

  /// Records that a document has moved after its state was computed.
  func move(from former: URL, to place: URL) {
    if !results.contains(where: { $0.document == former }) {
      results.append(DocumentExchange(document: former))
    }
    results.recordMove(from: former, to: place)
    index.move(from: former, to: place, in: container.folder)
    // Its new path is published by the next exchange.
    state.scanned = 0
  }
}

extension [DocumentExchange] {
  /// Records that a document has moved.
  mutating func recordMove(from former: URL, to place: URL) {
    guard let index = firstIndex(where: { $0.document == former }) else { return }
    self[index].document = place
    self[index].recordMove(from: former)
  }

  /// Sorts the last results by the numbers of their documents.
  ///
  /// - Parameter numbers: a number for each of them.
  mutating func sortLast(by numbers: [Int]) {
    let last = zip(numbers, suffix(numbers.count)).sorted { $0.0 < $1.0 }.map(\.1)
    replaceSubrange((count - numbers.count)..., with: last)
  }
}

extension DocumentExchange {
  /// Records that the document has moved to its present location; a new one has no former location.
  mutating func recordMove(from former: URL) {
    guard ownPlace == nil else { return }
    if formerDocument == nil { formerDocument = former }
    if formerDocument?.path == document.path { formerDocument = nil }
  }
}
