internal import DocumentFiles
internal import DocumentGit
internal import DocumentStore
internal import Foundation
internal import SystemPackage

/// Joining of documents that began on several devices.
extension ExchangeSession {
  /// Joins documents that other devices know to be one, and combines their arrived versions.
  func unite(_ news: PeerNews) throws {
    try news.takeAgain(state.pending)
    // Uses the present ids, because a document left out under a former id would be left out forever.
    state.pending = Set(state.pending.map(index.identifier))
    news.unite(index.identifier)
    let isUnited = news.arrivals.allSatisfy { identifier, arrival in
      arrival.identifiers.count < 2
        || index.paths[identifier] != nil
          && arrival.identifiers.allSatisfy { index.identifier(for: $0) == identifier }
    }
    guard !isUnited else { return }
    let documents = try container.documents().map(\.document)
    for (identifier, arrival) in news.arrivals where arrival.identifiers.count > 1 {
      let here = documents.filter { !$0.identifiers.isDisjoint(with: arrival.identifiers) }
      guard let first = here.first,
        here.count > 1 || !first.identifiers.isSuperset(of: arrival.identifiers),
        try unite(here, knownBy: arrival.identifiers) == nil
      else { continue }
      news.leaveOut(identifier)
    }
    index.set(try container.documents().map(\.document))
    news.unite(index.identifier)
    state.scanned = 0
  }

  /// Joins stores that name the same document, because a join did not finish, or one of them could
  /// not be read when the other one arrived.
  func uniting(
    _ found: [(document: ReplicatedContainer.Entry, location: URL)]
  ) throws -> [(document: ReplicatedContainer.Entry, location: URL)] {
    let documents = found.map(\.document)
    var stores: [String: [ReplicatedContainer.Entry]] = [:]
    for document in documents {
      for identifier in document.identifiers { stores[identifier, default: []].append(document) }
    }
    // A store may have several of the ids, and is joined once.
    var united: Set<String> = []
    for (_, same) in stores.sorted(by: { $0.key < $1.key }) where same.count > 1 {
      guard united.isDisjoint(with: same.map(\.path)) else { continue }
      united.formUnion(same.map(\.path))
      _ = try unite(same, knownBy: [])
    }
    return !united.isEmpty ? try container.documents() : found
  }

  /// Joins several documents into one; a failure is reported and doesn't affect the others.
  ///
  /// - Returns: the joined document; nil if the join failed.
  private func unite(
    _ documents: [ReplicatedContainer.Entry], knownBy identifiers: Set<String>
  ) throws -> ReplicatedContainer.Entry? {
    do {
      return try container.unite(documents, knownBy: identifiers) { former, place in
        move(from: former, to: place)
      }
    } catch {
      if let document = documents.first {
        results.append(try container.failure(error, of: document))
      }
      state.pending.formUnion(identifiers)
      return nil
    }
  }

  /// Receives the arrived versions of a document that also began here.
  func join(
    _ arrival: ArrivedVersions, into document: ReplicatedContainer.Entry, _ news: PeerNews
  ) throws {
    guard let joined = try unite([document], knownBy: arrival.identifiers) else { return }
    // Results for its former ids are no longer valid.
    let place = URL(filePath: container.folder.appending(document.path).string)
    results.removeAll { $0.document == place && $0.failure == nil && $0.formerDocument == nil }
    publications.removeAll { joined.identifiers.contains($0.identifier) }
    index.set(joined)
    let all = try news.everything(of: joined.identifiers)
    let outcome = try coordination.receiving(all, for: joined) {
      try container.exchange(
        joined, receiving: all, after: nil, contents(of: joined.identifiers, news), surroundings)
    }
    state.pending.subtract(joined.identifiers)
    take(outcome, of: joined.identifier ?? "")
  }

  /// Identifies documents whose stores don't name them or couldn't be exchanged, because they aren't new.
  ///
  /// - Parameter new: the ids of new documents; these documents are removed from it.
  /// - Returns: the documents that can't be identified.
  func findUnnamed(
    among documents: [ReplicatedContainer.Entry], takingFrom new: inout Set<String>
  ) throws -> [ReplicatedContainer.Entry] {
    try documents.filter { document in
      guard document.identifier == nil || isFailed(document) else { return false }
      let identifiers = try Set(
        container.recordedIdentifiers(of: document).map(index.identifier))
      // Its arrived versions wait until its store can be read.
      state.pending.formUnion(new.intersection(identifiers))
      new.subtract(identifiers)
      return try identifiers.isEmpty && container.document(at: document.path) != nil
    }
  }

  private func isFailed(_ document: ReplicatedContainer.Entry) -> Bool {
    let place = URL(filePath: container.folder.appending(document.path).string)
    return results.contains { $0.failure != nil && $0.document == place }
  }
}
