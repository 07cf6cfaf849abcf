internal import DocumentFiles
public import DocumentStore
public import DocumentTransport
public import Foundation
internal import SystemPackage

/// Documents whose contents are on other devices.
extension VersionStore {
  /// Returns the documents below a folder that other devices have published and that are not on this device,
  /// in the order of their paths, as of the last sync.
  ///
  /// They take no place on disk, not even as empty files or links, so a listing of the folder doesn't show
  /// them.
  public func documentsNotDownloaded(below folder: URL) async throws -> [ListedDocument] {
    try await perform { try $0.documentsNotDownloaded(below: folder) }
  }

  /// Returns whether documents that are new here are only listed until they are downloaded.
  ///
  /// - Parameter container: a folder with documents, or one inside it.
  public func listsNewDocuments(in container: URL) async throws -> Bool {
    try await perform { try $0.listsNewDocuments(in: container) }
  }

  /// Sets whether documents that are new here are only listed, from the next sync on.
  ///
  /// Documents on this device stay and continue to be synced. After this is set to false, the next sync
  /// downloads everything.
  ///
  /// - Parameter container: a folder with documents, or one inside it.
  public func setListsNewDocuments(_ isListing: Bool, in container: URL) async throws {
    try await perform { try $0.setListsNewDocuments(isListing, in: container) }
  }

  /// Downloads listed documents with a sync of the container; from then on, they are synced.
  ///
  /// It may be interrupted at any moment and run again. ``OperationProgress/documents`` reports its progress.
  ///
  /// - Parameters:
  ///   - documents: documents that are not downloaded, or folders with such documents; documents that are
  ///     already here stay as they are.
  ///   - name: the remote; nil for the first one that has the document, or for several documents as many
  ///     remotes as are needed.
  /// - Returns: the outcome for these and all other documents; a document that the remote doesn't have has a
  ///   ``DocumentExchange/failure``.
  /// - Throws: ``FileError`` with code `notFound` for a document that no device has published;
  ///   ``VersionError`` with code `remoteUnreachable` or `remoteRefused` if the remote can't be used.
  @discardableResult
  public func startDownloading(
    _ documents: [URL], from name: String? = nil, access: RemoteAccess = RemoteAccess()
  ) async throws -> ExchangeOutcome {
    try await perform { try $0.download(documents, from: name, access: access) }
  }

  /// Removes a document from this device once the remote has all of it.
  ///
  /// This removes its file and the store of its versions. The document is then listed, and can be downloaded
  /// again. The container must be one that lists new documents; otherwise, the next sync would bring the
  /// document back. The container is synced first.
  ///
  /// - Throws: ``VersionError`` with code `onlyHere` for a document with edits, with versions that are not
  ///   sent, or that a program has open; with code `unresolvedConflict` or `pinnedVersion` for a document
  ///   with such versions.
  public func evict(
    _ document: URL, to name: String? = nil, access: RemoteAccess = RemoteAccess()
  ) async throws {
    try await perform { store in
      var failure: (any Error)?
      _ = try store.evict([document], to: name, access: access) { failure = $1 }
      if let failure { throw failure }
    }
  }

  /// Returns the download status of a document.
  ///
  /// - Throws: ``FileError`` with code `notFound` for a document that is neither here nor listed.
  public func downloadStatus(of document: URL) async throws -> DownloadStatus {
    try await perform { try $0.downloadStatus(of: document) }
  }
}

extension SynchronousStore {
  /// The synchronous form of ``VersionStore/documentsNotDownloaded(below:)``.
  package func documentsNotDownloaded(below folder: URL) throws -> [ListedDocument] {
    let (container, place) = try place(of: folder)
    return try DocumentListing.documents(in: container.folder)
      .filter { try $0.document.filePath.starts(with: place) }
  }

  /// The synchronous form of ``VersionStore/listsNewDocuments(in:)``.
  package func listsNewDocuments(in container: URL) throws -> Bool {
    try replicatedContainer(container).listsNewDocuments
  }

  /// The synchronous form of ``VersionStore/setListsNewDocuments(_:in:)``.
  package func setListsNewDocuments(_ isListing: Bool, in container: URL) throws {
    let folder = try replicatedContainer(container).folder
    let file = SyncFile.listsNew.path(in: folder)
    if isListing {
      try Folder.create(SyncFile.folder(of: folder))
      try SmallFile.replace(file, [])
    } else if try FileStatus.of(file) != nil {
      try Folder.removeTree(file)
    }
  }

  /// The synchronous form of ``VersionStore/startDownloading(_:from:access:)``.
  ///
  /// - Parameter isPatient: whether to wait for another sync of the container as long as it takes.
  package func download(
    _ documents: [URL], from name: String? = nil, access: RemoteAccess = RemoteAccess(),
    isPatient: Bool = false
  ) throws -> ExchangeOutcome {
    guard let first = documents.first else {
      throw VersionError(
        .invalidArgument, document: "", message: "Name a document to download.")
    }
    let container = try place(of: first).container
    let listed = try DocumentListing.documents(in: container.folder)
    var wanted: Set<ListedDocument> = []
    for document in documents {
      let place = try place(of: document).item
      let found = try listed.filter { try $0.document.filePath.starts(with: place) }
      guard
        try !found.isEmpty || FileStatus.of(place)?.kind == .folder
          || container.document(at: place.path(below: container.folder)) != nil
      else { throw try Self.unknown(document) }
      wanted.formUnion(found)
    }
    let chosen = listed.filter(wanted.contains)
    container.progress?.expect(downloads: chosen.map(\.size))
    return try ContainerSync(self, isPatient: isPatient).download(
      chosen, to: URL(filePath: container.folder.string), from: name, by: access)
  }

  /// The synchronous form of ``VersionStore/evict(_:to:access:)`` for several documents.
  ///
  /// - Parameter failed: receives each document that stays, and the reason.
  /// - Returns: the removed documents.
  package func evict(
    _ documents: [URL], to name: String? = nil, access: RemoteAccess = RemoteAccess(),
    failed: (URL, any Error) -> Void
  ) throws -> [URL] {
    guard let first = documents.first else { return [] }
    let container = try place(of: first).container.folder
    return try ContainerSync(self).evict(
      documents, from: URL(filePath: container.string), with: name, by: access, failed: failed)
  }

  /// The synchronous form of ``VersionStore/downloadStatus(of:)``.
  package func downloadStatus(of document: URL) throws -> DownloadStatus {
    let (container, place) = try place(of: document)
    if let entry = try container.document(at: place.path(below: container.folder)) {
      return try PeerState.isPending(entry.identifiers, in: container.folder)
        ? .downloaded : .current
    }
    let listed = try DocumentListing.documents(in: container.folder)
    guard try listed.contains(where: { try $0.document.filePath == place }) else {
      throw try Self.unknown(document)
    }
    return .notDownloaded
  }

  /// Returns whether a document is listed and no item is in its place.
  package func isOnlyListed(_ document: URL) throws -> Bool {
    let (container, place) = try place(of: document)
    let path = place.path(below: container.folder)
    let location = container.location(path)
    guard try FileStatus.of(place) == nil,
      try container.document(at: path) == nil || LeavingMark.isLeft(at: location)
    else { return false }
    return try DocumentListing.documents(in: container.folder)
      .contains { try $0.document.filePath == place }
  }

  /// Returns the container around an item that may not exist, and the item's path, without links in the
  /// folders above it.
  func place(
    of document: URL
  ) throws -> (container: ReplicatedContainer, item: FilePath) {
    var path = try document.filePath
    var rest: [FilePath.Component] = []
    while let name = path.lastComponent, try FileStatus.of(path)?.kind != .folder {
      rest.insert(name, at: 0)
      path = path.removingLastComponent()
    }
    path = try path.resolvingLinks()
    let container = try replicatedContainer(URL(filePath: path.string))
    return (container, rest.reduce(path) { $0.appending($1) })
  }

  private static func unknown(_ document: URL) throws -> FileError {
    let name = Printable.text(document.lastPathComponent)
    return FileError(
      .notFound, path: try document.filePath,
      message: "There is no document “\(name)”, and the last sync found none on other devices.")
  }
}

extension FilePath {
  /// Returns the path relative to a folder around it, with "/" between names.
  func path(below folder: FilePath) -> String {
    var rest = self
    _ = rest.removePrefix(folder)
    return rest.string
  }
}
