internal import DocumentGit
internal import DocumentStore
internal import DocumentTransport
package import Foundation

/// The outcome of an exchange.
public struct ExchangeOutcome: Sendable {
  /// The affected documents, in the order of their paths: versions were sent or received, or they were moved, are in
  /// conflict, or were left out.
  public let documents: [DocumentExchange]
  /// The number of bytes written to the peer.
  public let sentBytes: Int
  /// The number of bytes written to the stores of documents.
  public let receivedBytes: Int
  /// The devices, by their names, of which not everything has arrived yet.
  package let arriving: [String]
  /// Whether contents that were removed or thinned on this device, now or before, stay on the peer, and can be read there:
  /// the host rejects force-pushes.
  package let removedContentsStay: Bool
  /// Whether all contents came to this device although documents are only listed: the host sends none one by one.
  package let hasFetchedEverything: Bool
  /// The version of the document that was asked for by itself that is current at the peer; nil if there is none.
  var versionAtPeer: ObjectID?
  /// The name of the remote, of several that of the last one; `nil` for a folder that is none.
  package var remote: String?

  /// The number of published versions.
  public var sent: Int { documents.reduce(0) { $0 + $1.sent } }
  /// The number of received versions.
  public var received: Int { documents.reduce(0) { $0 + $1.received } }

  /// The documents that are in a conflict after it.
  package var documentsInConflict: [URL] {
    documents.filter { $0.unresolvedConflicts > 0 && $0.failure == nil }.map(\.document)
  }

  /// Both exchanges as one, with the documents as they are after the second.
  package func followed(by next: ExchangeOutcome) -> ExchangeOutcome {
    let later = Dictionary(
      next.documents.map { ($0.document, $0) }, uniquingKeysWith: { first, _ in first })
    let known = Set(documents.map(\.document))
    let both = documents.map { former in
      guard var document = later[former.document] else { return former }
      document.received += former.received
      document.sent += former.sent
      document.receivedBytes += former.receivedBytes
      document.formerDocument = document.formerDocument ?? former.formerDocument
      document.namesake = document.namesake ?? former.namesake
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

  /// The same with more documents.
  func adding(_ more: [DocumentExchange]) -> ExchangeOutcome {
    followed(by: with(more, sentBytes: 0, receivedBytes: 0))
  }

  /// The same without the documents that failed, for another attempt at these.
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
  /// The outcome for all documents that were exchanged with a peer.
  init(
    _ results: [DocumentExchange], with peer: any Peer, _ batch: ObjectBatch, arriving: [String],
    removedContentsStay: Bool, hasFetchedEverything: Bool
  ) {
    let documents = results.filter { result in
      result.received + result.sent + result.unresolvedConflicts > 0 || result.failure != nil
        || result.formerDocument != nil
    }
    // A path takes longer to make than to compare.
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
