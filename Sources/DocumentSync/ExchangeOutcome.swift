internal import DocumentGit
internal import DocumentStore
internal import DocumentTransport
package import Foundation

/// The outcome of an exchange.
public struct ExchangeOutcome: Sendable {
  /// The affected documents, in the order of their paths: those with sent or received versions, and
  /// those that were moved, are in conflict, or were left out.
  public let documents: [DocumentExchange]
  /// The number of bytes written to the peer.
  public let sentBytes: Int
  /// The number of bytes written to the stores of documents.
  public let receivedBytes: Int
  /// The names of the devices from which not everything has arrived yet.
  package let arriving: [String]
  /// True if contents that were removed or thinned on this device, now or earlier, stay readable on
  /// the peer because the host rejects force-pushes.
  package let removedContentsStay: Bool
  /// True if all contents were fetched although documents are only listed, because the host doesn't
  /// send single contents.
  package let hasFetchedEverything: Bool
  /// The current version, at the peer, of the individually requested document; nil if there is none.
  var versionAtPeer: ObjectID?
  /// The name of the remote, or of the last one of several; `nil` for a folder that isn't a remote.
  package var remote: String?

  /// The number of published versions.
  public var sent: Int { documents.reduce(0) { $0 + $1.sent } }
  /// The number of received versions.
  public var received: Int { documents.reduce(0) { $0 + $1.received } }

  /// The documents that are in conflict after the exchange.
  package var documentsInConflict: [URL] {
    documents.filter { $0.unresolvedConflicts > 0 && $0.failure == nil }.map(\.document)
  }

  /// Returns both exchanges as one, with the documents as they are after the second.
  package func followed(by next: ExchangeOutcome) -> ExchangeOutcome {
    // Another document may have taken the place of one that has moved since.
    let later = Dictionary(
      next.documents.map { ($0.formerDocument ?? $0.document, $0) },
      uniquingKeysWith: { $0.formerDocument != nil ? $0 : $1 })
    var known: Set<URL> = []
    let both = documents.map { former in
      guard var document = later[former.document] else { return former }
      known.insert(document.document)
      document.received += former.received
      document.sent += former.sent
      document.receivedBytes += former.receivedBytes
      document.formerDocument = former.formerDocument
      document.ownPlace = document.ownPlace ?? former.ownPlace
      if document.document != former.document { document.recordMove(from: former.document) }
      return document
    }
    let new = next.documents.filter { !known.contains($0.document) }
    return ExchangeOutcome(
      documents: (both + new).sorted { $0.document.path < $1.document.path },
      sentBytes: sentBytes + next.sentBytes, receivedBytes: receivedBytes + next.receivedBytes,
      arriving: next.arriving, removedContentsStay: next.removedContentsStay,
      hasFetchedEverything: next.hasFetchedEverything,
      versionAtPeer: next.versionAtPeer ?? versionAtPeer, remote: next.remote)
  }

  /// Returns the outcome with more documents.
  func adding(_ more: [DocumentExchange]) -> ExchangeOutcome {
    followed(by: with(more, sentBytes: 0, receivedBytes: 0))
  }

  /// The outcome without the documents that failed, so that these can be tried again.
  var withoutFailures: ExchangeOutcome {
    with(
      documents.filter { $0.failure == nil }, sentBytes: sentBytes, receivedBytes: receivedBytes)
  }

  private func with(
    _ documents: [DocumentExchange], sentBytes: Int, receivedBytes: Int
  ) -> ExchangeOutcome {
    ExchangeOutcome(
      documents: documents, sentBytes: sentBytes, receivedBytes: receivedBytes,
      arriving: arriving, removedContentsStay: removedContentsStay,
      hasFetchedEverything: hasFetchedEverything, versionAtPeer: versionAtPeer, remote: remote)
  }
}

extension ExchangeOutcome {
  /// Creates the outcome for all documents that were exchanged with a peer.
  init(
    _ results: [DocumentExchange], with peer: any Peer, _ batch: ObjectBatch, arriving: [String],
    removedContentsStay: Bool, hasFetchedEverything: Bool
  ) {
    let documents = results.filter { result in
      result.received + result.sent + result.unresolvedConflicts > 0 || result.failure != nil
        || result.formerDocument != nil
    }
    // Making a path takes longer than comparing it.
    let sorted = documents.map { ($0.document.path, $0) }.sorted { $0.0 < $1.0 }.map(\.1)
    let traffic = peer.traffic
    self.init(
      documents: sorted,
      sentBytes: traffic.sent > 0 ? traffic.sent : batch.allPacks.reduce(0) { $0 + $1.size },
      receivedBytes: traffic.received > 0
        ? traffic.received : results.reduce(0) { $0 + $1.receivedBytes }, arriving: arriving,
      removedContentsStay: removedContentsStay, hasFetchedEverything: hasFetchedEverything)
  }
}
