internal import DocumentGit
internal import DocumentStore

/// The part of an exchange that concerns resting documents.
struct RestingNews {
  private let container: ReplicatedContainer
  private let peer: any Peer

  init(_ container: ReplicatedContainer, with peer: any Peer) {
    self.container = container
    self.peer = peer
  }

  /// True if a document rests on the copy of the peer.
  var isAny: Bool {
    guard let mirror = peer.mirrorName else { return false }
    do { return try RestingDocuments.of(container.folder).contains(mirror: mirror) } catch {
      return false
    }
  }

  /// Returns whether a document rests on the copy of the peer, and so has no news for it.
  func rests(_ document: ReplicatedContainer.Entry) -> Bool {
    guard let mirror = peer.mirrorName else { return false }
    return container.rests(document, on: mirror)
  }

  /// Leaves out arrived versions that resting documents already have.
  func leaveOut(of news: PeerNews) throws {
    guard !news.arrivals.isEmpty else { return }
    for document in try RestingDocuments.of(container.folder).all {
      for identifier in document.identity.all.map(\.description) {
        guard let arrival = news.arrivals[identifier],
          container.rests(.init(document.identity, path: document.path)),
          try isKnown(arrival, to: document)
        else { continue }
        news.leaveOut(identifier)
      }
    }
  }

  private func isKnown(_ arrival: ArrivedVersions, to document: RestingDocument) throws -> Bool {
    guard arrival.identifiers.isSubset(of: document.identity.all.map(\.description)),
      arrival.contents.isSubset(of: document.contents)
    else { return false }
    if arrival.heads.isSubset(of: [document.head]) { return true }
    // Receiving it reports a fault.
    return try ifReadable {
      try arrival.heads.isSubset(of: document.history(in: peer.objects.repository).keys)
    } ?? false
  }
}
