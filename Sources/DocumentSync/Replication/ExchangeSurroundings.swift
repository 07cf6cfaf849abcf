internal import DocumentGit
internal import DocumentStore

/// The context that an exchange of one document needs.
struct ExchangeSurroundings {
  let peer: PeerObjects
  let batch: ObjectBatch
  /// The name of this device's copy of the peer, on which new documents may rest; nil if none may.
  let mirror: String?
  /// The readers of resting documents.
  let resting: RestingReaders
  /// False if this device's versions of the document aren't sent.
  private(set) var isPublishing = true

  /// Returns the same surroundings, for sending this device's versions of the document or not.
  func publishing(_ isPublishing: Bool) -> ExchangeSurroundings {
    var surroundings = self
    surroundings.isPublishing = isPublishing
    return surroundings
  }
}
