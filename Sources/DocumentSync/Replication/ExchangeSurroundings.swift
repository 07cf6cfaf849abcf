internal import DocumentGit
internal import DocumentStore
internal import SystemPackage

/// The context that an exchange of one document needs.
struct ExchangeSurroundings {
  let peer: PeerObjects
  let batch: ObjectBatch
  /// Where the versions of new documents stay while the documents rest; nil if none may.
  let restingPlace: RestingPlace?
  /// The readers of resting documents.
  let resting: RestingReaders
  /// False if this device's versions of the document aren't sent.
  private(set) var isPublishing = true

  /// A place for the versions of resting documents.
  enum RestingPlace {
    /// This device's copy of the peer, with its name.
    case mirror(String)
    /// This device's shelf; the folder of the peer may be gone at any time.
    case shelf
  }

  /// Returns the contents from which new documents are written that can rest; nil if none can.
  func restingContents(in container: FilePath) throws -> RestingContents? {
    switch restingPlace {
    case .mirror(let name): try RestingContents(in: name, of: container)
    case .shelf: try peer.folder.map { try RestingContents(from: $0, of: container) }
    case nil: nil
    }
  }

  /// Returns the same surroundings, for sending this device's versions of the document or not.
  func publishing(_ isPublishing: Bool) -> ExchangeSurroundings {
    var surroundings = self
    surroundings.isPublishing = isPublishing
    return surroundings
  }
}
