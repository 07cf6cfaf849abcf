internal import DocumentFiles
internal import DocumentGit
internal import DocumentStore

/// A document whose exchange was requested individually.
struct DocumentRequest {
  /// Its name, printable.
  let name: String
  /// All its ids.
  let identifiers: Set<String>
  /// True if its sync is paused.
  let isPaused: Bool
  /// Its versions on this device, if the exchange must fail when another device has sent a further
  /// one; otherwise nil.
  var known: Set<ObjectID>?
  /// True if its versions on this device aren't sent, because they are about to be replaced.
  var isOnlyReceived = false

  /// Returns whether a document is the requested one.
  func isFor(_ document: ReplicatedContainer.Entry) -> Bool {
    !identifiers.isDisjoint(with: document.identifiers)
  }

  /// Returns whether the versions of a document on this device aren't sent.
  func keepsBack(_ document: ReplicatedContainer.Entry) -> Bool {
    isOnlyReceived && isFor(document)
  }

  /// Fails if another device has sent a version of the document that is not here, and the request
  /// demands that.
  func refuse(_ news: PeerNews) throws {
    guard let known, try !news.everything(of: identifiers).heads.isSubset(of: known) else { return }
    throw VersionError(
      .newerElsewhere, document: name,
      message: "Another device has sent a version of “\(name)” that is not here; nothing was sent"
        + (isPaused ? ", and it stays paused." : "."),
      recovery: isPaused ? .resumeSync : .fetchLatest)
  }

  /// Returns the version that other devices, and this one earlier, have published as current.
  func version(at peer: PeerObjects, _ news: PeerNews, _ base: StateTree?) throws -> ObjectID? {
    var heads = try news.everything(of: identifiers).heads
    for identifier in identifiers { heads.formUnion(try base?.document(identifier)?.heads ?? []) }
    return try peer.current(of: heads)
  }
}
