internal import DocumentStore
internal import Foundation

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
  /// True if contents that were removed or thinned on this device, now or before, stay on the peer, and can be read there:
  /// the host rejects force-pushes.
  package let removedContentsStay: Bool

  /// The number of published versions.
  public var sent: Int { documents.reduce(0) { $0 + $1.sent } }
  /// The number of received versions.
  public var received: Int { documents.reduce(0) { $0 + $1.received } }

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
      arriving: next.arriving, removedContentsStay: next.removedContentsStay)
  }
}
