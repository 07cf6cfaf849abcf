internal import DocumentFiles
public import DocumentStore
public import DocumentTransport
public import Foundation

/// Exchange with other devices through git repositories.
extension VersionStore {
  /// Returns the remotes of a container, the default remote first.
  ///
  /// - Parameter container: a folder with documents, or one inside it.
  public func remotes(of container: URL) async throws -> [Remote] {
    try await perform { try $0.remotes(of: container) }
  }

  /// Adds a remote to a container without connecting to it.
  ///
  /// The people who run the host of a remote can read every document that is published there.
  ///
  /// - Throws: ``VersionError`` with code `invalidArgument` if the container has a remote of that name.
  public func addRemote(_ remote: Remote, to container: URL) async throws {
    try await perform { try $0.addRemote(remote, to: container) }
  }

  /// Removes a remote from a container; the repository stays unchanged.
  public func removeRemote(named name: String, from container: URL) async throws {
    try await perform { try $0.removeRemote(named: name, from: container) }
  }

  /// Exchanges the versions of a container's documents with other devices, through a git repository.
  ///
  /// This works like ``exchange(_:through:)``. It may be interrupted at any moment and run again.
  ///
  /// - Parameters:
  ///   - container: a folder with documents, or a folder inside it.
  ///   - name: the name of the remote; `nil` for the one that was added first.
  ///   - access: how to reach the server.
  /// - Returns: the sent and received versions, and the affected documents.
  /// - Throws: ``VersionError`` with code `remoteUnreachable` or `remoteRefused`: the local state is then either that
  ///   from before or from after the sync.
  @discardableResult
  public func sync(
    _ container: URL, with name: String? = nil, access: RemoteAccess = RemoteAccess()
  ) async throws -> ExchangeOutcome {
    try await perform { try $0.sync(container, with: name, access: access) }
  }

  /// Creates a folder with all documents of a remote, as an additional device.
  ///
  /// - Parameters:
  ///   - remote: the remote, which becomes the first remote of the folder.
  ///   - folder: a new or an empty folder.
  ///   - takesFiles: whether the folder may contain files. A file that is a version of the document with its name
  ///     becomes that document and gets its newest contents; other files stay unchanged.
  ///   - isListing: whether documents are only listed until they are downloaded; see
  ///     ``startDownloading(_:from:access:)``.
  /// - Throws: ``VersionError``. If the connection broke or documents have arrived, the folder stays, and
  ///   ``sync(_:with:access:)`` continues; otherwise the folder is removed.
  @discardableResult
  public func clone(
    _ remote: Remote, to folder: URL, takingFiles takesFiles: Bool = false,
    listing isListing: Bool = false, access: RemoteAccess = RemoteAccess()
  ) async throws -> ExchangeOutcome {
    try await perform {
      try $0.clone(
        remote, to: folder, takingFiles: takesFiles, listing: isListing, access: access)
    }
  }
}

extension SynchronousStore {
  /// Returns the name of this device in a container.
  package func deviceName(in container: URL) throws -> String {
    try replicatedContainer(container).device
  }

  /// Sets the name of this device in a container, as other devices see it.
  ///
  /// - Parameter name: at most 100 characters, without line breaks; by default the device's name in
  ///   ``VersionStore/identity``.
  /// - Throws: ``VersionError`` with code `invalidArgument` for any other name.
  package func setDeviceName(_ name: String, in container: URL) throws {
    let folder = try replicatedContainer(container).folder
    let isPlain = name.unicodeScalars.allSatisfy { $0.properties.generalCategory != .control }
    guard (1...100).contains(name.count), name.utf8.count <= 1_000, isPlain else {
      throw VersionError(
        .invalidArgument, document: folder.printable,
        message: "A device’s name has 1 to 100 characters, without line breaks.")
    }
    try Folder.create(SyncFile.folder(of: folder))
    try SmallFile.replace(SyncFile.name.path(in: folder), Array(name.utf8))
  }

  /// Lists the devices that sync through a remote of a container, this one first.
  ///
  /// - Parameter name: the remote; nil for the one that was added first.
  package func devices(
    of container: URL, with name: String? = nil, access: RemoteAccess = RemoteAccess()
  ) throws -> [SyncDevice] {
    try ContainerSync(self).devices(container, with: name, by: access)
  }

  /// Removes a device that is no longer used from a remote.
  ///
  /// This device first publishes the versions that only that device had published. If that device is used
  /// again, it continues as before, and loses nothing.
  ///
  /// - Parameter device: its name, or the beginning of its identity.
  @discardableResult
  package func forgetDevice(
    _ device: String, of container: URL, with name: String? = nil,
    access: RemoteAccess = RemoteAccess()
  ) throws -> SyncDevice {
    try ContainerSync(self).forget(device, container, with: name, by: access)
  }

  /// The synchronous form of ``VersionStore/remotes(of:)``.
  package func remotes(of container: URL) throws -> [Remote] {
    try RemoteList(of: replicatedContainer(container).folder).remotes
  }

  /// The synchronous form of ``VersionStore/addRemote(_:to:)``.
  package func addRemote(_ remote: Remote, to container: URL) throws {
    try RemoteList.change(of: replicatedContainer(container).folder) { try $0.add(remote) }
  }

  /// The synchronous form of ``VersionStore/removeRemote(named:from:)``.
  package func removeRemote(named name: String, from container: URL) throws {
    let folder = try replicatedContainer(container).folder
    let remote = try RemoteList.change(of: folder) { list in
      try RemoteMirror.release(of: list.remote(named: name), in: folder)
      return try list.remove(named: name)
    }
    for key in try remote.peerKeys { try DocumentListing(ofPeer: key, in: folder).remove() }
    try RemoteMirror.remove(of: remote, in: folder)
  }

  /// Returns the documents that only their owner can read on this device.
  package func privateDocuments(below folder: URL) throws -> [URL] {
    try (documents(below: folder) ?? []).filter { document in
      guard let status = try FileStatus.of(document.filePath) else { return false }
      return status.permissions & 0o077 == 0
    }
  }

  /// The synchronous form of ``VersionStore/sync(_:with:access:)``.
  @discardableResult
  package func sync(
    _ container: URL, with name: String? = nil, access: RemoteAccess = RemoteAccess()
  ) throws -> ExchangeOutcome {
    try ContainerSync(self).sync(container, with: name, by: access)
  }

  /// The synchronous form of ``VersionStore/clone(_:to:takingFiles:listing:access:)``.
  @discardableResult
  package func clone(
    _ remote: Remote, to folder: URL, takingFiles takesFiles: Bool = false,
    listing isListing: Bool = false, access: RemoteAccess = RemoteAccess()
  ) throws -> ExchangeOutcome {
    try ContainerSync(self).clone(
      remote, to: folder, takingFiles: takesFiles, listing: isListing, by: access)
  }
}
