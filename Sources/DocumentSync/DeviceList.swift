internal import DocumentFiles
internal import DocumentGit
internal import DocumentStore
internal import DocumentTransport
internal import Foundation

/// The devices of a peer.
struct DeviceList {
  let peer: any Peer
  let own: DeviceIdentifier

  /// Lists the devices, this one first and then by their names.
  func devices(
    _ references: [DeviceIdentifier: DeviceReferences]
  ) throws -> [SyncDevice] {
    let objects = peer.objects.repository.objects
    return try references.compactMap { device, references in
      do {
        let commit = try objects.commit(references.records)
        let state = try StateTree(at: references.records, in: objects)
        return SyncDevice(
          id: device.description, name: Printable.text(try state.info().name),
          lastPublished: Date(timeIntervalSince1970: Double(commit.author.seconds)),
          documents: try state.documents(including: []).count, isCurrent: device == own)
      } catch let error as GitError where !error.isFromSystem {
        // The state has not arrived, or isn't valid.
        return nil
      }
    }.sorted { ($0.isCurrent ? 0 : 1, $0.name, $0.id) < ($1.isCurrent ? 0 : 1, $1.name, $1.id) }
  }

  /// The references of one device, by their names.
  func references(
    of device: DeviceIdentifier, _ all: [DeviceIdentifier: DeviceReferences]
  ) throws -> [String: ObjectID] {
    guard let own = all[device] else { return [:] }
    var found = [DeviceReference.records(of: device): own.records]
    if let contents = own.contents {
      let info = try StateTree(at: own.records, in: peer.objects.repository.objects).info()
      guard DeviceReference.isBranch(info.branch) else {
        throw GitError.malformed("a device names a branch that is none")
      }
      found[DeviceReference.contents(of: info.branch)] = contents
    }
    return found
  }
}

extension ContainerSync {
  /// Lists the devices that sync through a remote.
  func devices(_ url: URL, with name: String?, by access: RemoteAccess) throws -> [SyncDevice] {
    try withPeer(of: url, named: name, listing: true, by: access) { _, peer, device in
      try DeviceList(peer: peer, own: device.identifier).devices(peer.references())
    }
  }

  /// Removes a device from a remote, after this device has published everything that only that one
  /// had published.
  ///
  /// - Parameter wanted: the beginning of its identity, or its name.
  func forget(
    _ wanted: String, _ url: URL, with name: String?, by access: RemoteAccess
  ) throws -> SyncDevice {
    let listing = try store.replicatedContainer(url)
    guard try !listing.listsNewDocuments else {
      throw VersionError(
        .invalidArgument, document: listing.folder.printable,
        message:
          "This device doesn’t have everything that others have published, so it can’t take over from a device that leaves.",
        hint: "Do it on a device that has all documents, or make this one such first.")
    }
    // Everything that it has published is received first.
    try sync(url, with: name, by: access)
    let forgotten = try withPeer(of: url, named: name, by: access) { container, peer, device in
      let list = DeviceList(peer: peer, own: device.identifier)
      let references = try peer.references()
      let found = try list.devices(references).filter {
        $0.id.hasPrefix(wanted) || $0.name == wanted
      }
      guard let chosen = found.first, found.count == 1 else {
        throw VersionError(
          .invalidArgument, document: container.folder.printable,
          message: found.isEmpty
            ? "There is no device “\(Printable.text(wanted))” at the remote."
            : "“\(Printable.text(wanted))” fits several devices.",
          hint: "Name it by the beginning of its identity.")
      }
      guard !chosen.isCurrent, let identifier = DeviceIdentifier(chosen.id) else {
        throw VersionError(
          .invalidArgument, document: container.folder.printable,
          message: "“\(chosen.name)” is this device.",
          hint: "Remove the remote instead.")
      }
      // From here on, the next sync checks every document, and publishes missing contents.
      try PeerState.recordForgetting(of: identifier, on: peer, in: container.folder)
      try peer.remove(list.references(of: identifier, references))
      return chosen
    }
    try sync(url, with: name, by: access)
    return forgotten
  }
}
