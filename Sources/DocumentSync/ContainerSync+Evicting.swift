internal import DocumentCoordination
internal import DocumentFiles
internal import DocumentGit
internal import DocumentStore
internal import DocumentTransport
internal import Foundation

/// Eviction of documents that the remote has completely.
extension ContainerSync {
  /// Syncs a container, and removes documents from this device.
  ///
  /// - Parameter failed: receives each document that stays, and the reason.
  /// - Returns: the removed documents.
  func evict(
    _ documents: [URL], from url: URL, with name: String?, by access: RemoteAccess,
    failed: (URL, any Error) -> Void
  ) throws -> [URL] {
    let container = try store.replicatedContainer(url)
    guard try container.listsNewDocuments else {
      throw VersionError(
        .invalidArgument, document: container.folder.printable,
        message: "This device downloads all documents, so none can be evicted.",
        recovery: .listNewDocuments)
    }
    let interrupted = try Set(
      documents.filter {
        let path = try $0.filePath.path(below: container.folder)
        return try LeavingMark.isLeft(
          at: container.location(path))
      })
    // First, everything here is sent to the remote, and interrupted evictions are finished.
    try sync(url, with: name, by: access)
    return try withPeer(of: url, named: name, listing: true, by: access) {
      container, peer, device in
      // A device on which nothing has changed may have published nothing.
      let state = try peer.references()[device.identifier].map {
        try StateTree(at: $0.records, in: peer.objects.repository.objects)
      }
      let states = try peer.references().values.map {
        try StateTree(at: $0.records, in: peer.objects.repository.objects)
      }
      var index = try DocumentIndex(in: container.folder)
      let listing = DocumentListing(of: peer, in: container.folder)
      let leaving = Set(try documents.map { try $0.filePath.path(below: container.folder) })
      do {
        // Documents are listed first, so that those removed before an interruption can be downloaded again.
        try listing.leaving.write(states, of: peer.objects) {
          index.paths[index.identifier(for: $0)].map { !leaving.contains($0) } ?? true
        }
      } catch let error as FileError where error.code == .noSpace {
        // Once they have left, there is space for the list; after an interruption, the next sync makes it.
      }
      var gone: [URL] = []
      var cancellation: CancellationError?
      for document in documents where cancellation == nil {
        do {
          try container.checkCancellation()
          try store.refusePaused(document)
          try refuseOpen(document)
          if interrupted.contains(document), try !store.hasStore(document) {
            gone.append(document)
            continue
          }
          var identifier: String?
          try store.release(document) { held in
            try check(held, of: document, state, states, peer)
            identifier = held.identifier
          }
          if let identifier { index.remove(identifier) }
          gone.append(document)
        } catch let error as CancellationError {
          // The removed documents are listed first.
          cancellation = error
        } catch {
          failed(document, error)
        }
      }
      if !gone.isEmpty {
        try index.write(in: container.folder)
        try listing.write(states, of: peer.objects) {
          index.paths[index.identifier(for: $0)] != nil
        }
      }
      try listing.leaving.remove()
      if let cancellation { throw cancellation }
      return gone
    }
  }

  private func refuseOpen(_ document: URL) throws {
    guard let program = try PresenterListing.programs(at: document).first else { return }
    let name = Printable.text(document.lastPathComponent)
    throw VersionError(
      .onlyHere, document: name,
      message: "“\(name)” is open in \(Printable.text(program.name)).", hint: "Close it first.")
  }

  /// Fails unless the remote has all of a document.
  private func check(
    _ held: EvictedState, of document: URL, _ own: StateTree?, _ all: [StateTree],
    _ peer: any Peer
  ) throws {
    var heads: Set<ObjectID> = []
    for state in all { heads.formUnion(try state.document(held.identifier)?.heads ?? []) }
    // A document that rested until now has only versions that other devices have published.
    let isPublished =
      try own?.document(held.identifier).map {
        $0.chain == ChainState(held.references).identifier
      } ?? held.heads.isSubset(of: heads)
    guard isPublished, try peer.holds(held.contents) else {
      let name = Printable.text(document.lastPathComponent)
      throw VersionError(
        .onlyHere, document: name,
        message: "“\(name)” has versions whose contents may not be at the remote.",
        hint: "Those that were saved by themselves are not sent: thin the document, and sync.")
    }
  }
}
