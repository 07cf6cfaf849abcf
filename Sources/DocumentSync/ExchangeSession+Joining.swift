internal import DocumentFiles
internal import DocumentGit
internal import DocumentStore
internal import Foundation
internal import SystemPackage

/// Documents that began on several devices, and are one.
extension ExchangeSession {
  /// Makes one document of those that other devices know to be one, and puts together what has arrived of it.
  func unite(_ news: PeerNews) throws {
    try news.takeAgain(state.pending)
    // Under the ids that the documents have now: one that was left out under another one would stay left out for ever.
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

  /// Makes one document of stores that name the same one: a joining did not finish.
  func uniting(
    _ found: [(document: ReplicatedContainer.Entry, location: URL)]
  ) throws -> [(document: ReplicatedContainer.Entry, location: URL)] {
    let joined = found.map(\.document).filter { !$0.aliases.isEmpty }
    var isChanged = false
    for document in joined {
      let same = found.map(\.document).filter {
        !$0.identifiers.isDisjoint(with: document.identifiers)
      }
      guard same.count > 1 else { continue }
      isChanged = true
      _ = try unite(same, knownBy: [])
    }
    return isChanged ? try container.documents() : found
  }

  /// Makes one document of several; a failure is reported, and leaves the others alone.
  ///
  /// - Returns: the one document; nil where it was not made.
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

  /// Takes in what has arrived of a document that began here, too.
  func join(
    _ arrival: ArrivedVersions, into document: ReplicatedContainer.Entry, _ news: PeerNews
  ) throws {
    guard let joined = try unite([document], knownBy: arrival.identifiers) else { return }
    // What was found out of it under its former ids counts no more.
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
}
