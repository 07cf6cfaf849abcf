internal import DocumentFiles
internal import DocumentGit
internal import DocumentStore
internal import DocumentTransport
internal import Foundation
internal import SystemPackage

/// Brings a container and a peer to the same versions.
struct ContainerSync {
  let store: SynchronousStore
  /// True if it waits for another sync of the container until that ends, or the operation is canceled.
  private let isPatient: Bool

  init(_ store: SynchronousStore, isPatient: Bool = false) {
    self.store = store
    self.isPatient = isPatient
  }

  func exchange(
    _ url: URL, through folder: URL, downloading wanted: Set<String> = [],
    for request: DocumentRequest? = nil
  ) throws -> ExchangeOutcome {
    guard folder.isFileURL else {
      throw VersionError(
        .invalidArgument, document: Printable.text(folder.absoluteString),
        message:
          "“\(Printable.text(folder.absoluteString))” is not a folder; documents are exchanged through one.",
        hint: "Name a folder that a syncing tool, a network or a stick carries between the devices."
      )
    }
    let path = try folder.filePath
    try refuseDryRun(of: path.printable)
    let container = try store.replicatedContainer(url)
    do {
      let place = try Self.place(of: path)
      return try exchange(container, downloading: wanted, for: request) { device, wasKilled in
        let peer = try FolderPeer(place, in: container.folder, clock: container.fileClock)
        try peer.removeUnfinished(
          of: device.identifier, branch: device.branch, wasKilled: wasKilled)
        return peer
      }
    } catch let error as GitError {
      throw Self.failure(error, in: path)
    }
  }

  /// Returns the canonical path of an exchange folder, whatever path leads to it.
  static func place(of folder: FilePath) throws -> FilePath {
    try FileStatus.of(folder) == nil ? folder : folder.resolvingLinks()
  }

  /// Exchanges with a remote.
  ///
  /// - Parameters:
  ///   - name: nil for the one that was added first.
  ///   - wanted: the ids of documents to download if new ones are only listed.
  ///   - request: the document that was requested individually.
  @discardableResult
  func sync(
    _ url: URL, with name: String?, by access: RemoteAccess, downloading wanted: Set<String> = [],
    for request: DocumentRequest? = nil
  ) throws -> ExchangeOutcome {
    let container = try store.replicatedContainer(url)
    try refuseDryRun(of: container.folder.printable)
    let remote = try RemoteList(of: container.folder).remote(named: name)
    try refuseUnmounted(remote, in: container)
    var outcome: ExchangeOutcome
    if let folder = try remote.folder {
      outcome = try exchange(url, through: folder, downloading: wanted, for: request)
    } else {
      outcome = try Self.reporting(remote, of: container) {
        try exchange(container, downloading: wanted, for: request) { device, _ in
          try server(
            remote, of: container, device, listing: container.listsNewDocuments, by: access)
        }
      }
    }
    outcome.remote = remote.name
    do {
      try RemoteList.change(of: container.folder) {
        try $0.recordSync(with: remote.name, at: container.now)
      }
    } catch let error as FileError where error.code == .noSpace && remote.lastSync != nil {
      // Everything is exchanged; only the date of the last sync stays as it was.
    }
    return outcome
  }

  /// Runs a closure with a remote as the peer; only one exchange of the container runs at a time.
  ///
  /// - Parameter isListing: whether new contents are left out, if the server allows that.
  func withPeer<Result>(
    of url: URL, named name: String?, listing isListing: Bool = false, by access: RemoteAccess,
    _ body: (ReplicatedContainer, any Peer, LocalDevice) throws -> Result
  ) throws -> Result {
    let container = try store.replicatedContainer(url)
    let remote = try RemoteList(of: container.folder).remote(named: name)
    try refuseUnmounted(remote, in: container)
    return try Self.reporting(remote, of: container) {
      let device = try LocalDevice(in: container.folder, named: container.device)
      let lock = try lock(container)
      let peer: any Peer =
        if let folder = try remote.folder {
          try FolderPeer(
            Self.place(of: folder.filePath), in: container.folder, clock: container.fileClock)
        } else {
          try server(remote, of: container, device, listing: isListing, by: access)
        }
      let result = try body(container, peer, device)
      lock.release()
      return result
    }
  }

  /// Fails if the folder of a remote that was synced before is gone and an empty folder is in its place, as
  /// when a disk isn't mounted.
  private func refuseUnmounted(_ remote: Remote, in container: ReplicatedContainer) throws {
    guard remote.lastSync != nil, let folder = try remote.folder,
      case let place = try Self.place(of: folder.filePath), try !ExchangeFolder(place).isThere
    else { return }
    let around = try FileStatus.of(place) == nil ? place.parentFolder : place
    guard try FileStatus.of(around)?.kind == .folder, try Folder.names(in: around).isEmpty else {
      return
    }
    try DocumentListing(ofPeer: place.string, in: container.folder).refuseEmptied(place.printable)
    throw VersionError(
      .remoteUnreachable, document: place.printable,
      message: """
        “\(place.printable)” held documents when it was synced with last, and is not there now: its disk may not be \
        mounted.
        """,
      hint: "Nothing was changed. If it has gone for good, remove the remote, and add it again.")
  }

  private func server(
    _ remote: Remote, of container: ReplicatedContainer, _ device: LocalDevice,
    listing isListing: Bool, by access: RemoteAccess
  ) throws -> GitRemotePeer {
    var access = access
    access.checkCancellation = { try container.checkCancellation() }
    let mirror = try RemoteMirror(of: remote, in: container.folder, clock: container.fileClock)
    let peer = try GitRemotePeer(
      remote, mirror: mirror, of: device, listing: isListing, by: access,
      in: container.transferStep, reportingTo: container.progress)
    peer.listing = DocumentListing(of: peer, in: container.folder)
    return peer
  }

  private func lock(_ container: ReplicatedContainer) throws -> FileLock {
    try FileLock(
      SyncFile.lock.path(in: container.folder),
      waitingAtMost: isPatient ? .infinity : container.lockTimeout,
      heldFor: "syncing “\(container.folder.printable)”"
    ) { try container.checkCancellation() }
  }

  private static func reporting<Result>(
    _ remote: Remote, of container: ReplicatedContainer, _ body: () throws -> Result
  ) throws -> Result {
    do {
      return try body()
    } catch let error as TransportError {
      throw VersionError(error, of: remote)
    } catch let error as GitError {
      if let folder = try remote.folder { throw failure(error, in: try folder.filePath) }
      throw failure(error, of: remote, in: container.folder)
    }
  }

  /// Creates a folder with all documents of a remote.
  ///
  /// - Parameter takesFiles: whether the folder may already contain files.
  func clone(
    _ remote: Remote, to url: URL, takingFiles takesFiles: Bool, listing isListing: Bool,
    by access: RemoteAccess
  ) throws -> ExchangeOutcome {
    let folder = try url.filePath
    if try isUnfinishedClone(of: remote, folder, url) {
      return try sync(url, with: remote.name, by: access)
    }
    if try FileStatus.of(folder) != nil {
      try checkTarget(folder.resolvingLinks(), takingFiles: takesFiles)
    }
    if let origin = try remote.folder?.filePath, try FileStatus.of(origin) == nil {
      throw VersionError(
        .remoteRefused, document: origin.printable,
        message: "There is no repository “\(origin.printable)”.")
    }
    if let origin = try remote.folder?.filePath,
      try FileStatus.of(SyncFile.folder(of: origin).removingLastComponent()) != nil
    {
      throw VersionError(
        .invalidArgument, document: origin.printable,
        message: "“\(origin.printable)” is a folder of documents, not a repository.",
        hint: "Add a third folder to it as a remote, sync it, and clone that one.")
    }
    let isNew = try FileStatus.of(folder) == nil
    try Folder.create(folder)
    do {
      try refuseInside(folder, url)
      try store.makeContainer(url)
      try store.addRemote(remote, to: url)
      if isListing { try store.setListsNewDocuments(true, in: url) }
      return try sync(url, with: remote.name, by: access)
    } catch  where !(error is CancellationError) {
      // Contents received before the connection was lost or the disk was full aren't received again.
      if error is FileError || (error as? VersionError)?.code == .remoteUnreachable,
        try RemoteMirror.hasReceived(from: remote, in: folder)
      {
        throw error
      }
      try removeEmptyContainer(folder, url, andFolder: isNew)
      throw error
    }
  }

  /// Returns whether a folder is a container that a clone of a remote created and never synced completely.
  private func isUnfinishedClone(
    of remote: Remote, _ folder: FilePath, _ url: URL
  ) throws -> Bool {
    guard try FileStatus.of(folder)?.kind == .folder,
      case let container = try store.replicatedContainer(url).folder,
      try container == folder.resolvingLinks(),
      let first = try RemoteList(of: container).remotes.first
    else { return false }
    return first.name == remote.name && first.address == remote.address && first.lastSync == nil
  }

  private func checkTarget(_ folder: FilePath, takingFiles takesFiles: Bool) throws {
    func refusal(_ message: String, _ recovery: ErrorRecovery?, _ hint: String?) -> VersionError {
      VersionError(
        .invalidArgument, document: folder.printable, message: message, recovery: recovery,
        hint: hint)
    }
    guard try FileStatus.of(folder)?.kind == .folder else {
      throw refusal("“\(folder.printable)” isn’t a folder.", nil, "Name a new or an empty folder.")
    }
    let names = try Folder.names(in: folder)
    let container = SyncFile.folder(of: folder).removingLastComponent().lastComponent?.string
    guard !names.contains(Array((container ?? "").utf8)) else {
      throw refusal(
        "“\(folder.printable)” already has versions of its own documents.", nil,
        "Add the repository to it as a remote instead.")
    }
    guard names.isEmpty || takesFiles else {
      throw refusal("“\(folder.printable)” is not empty.", .cloneIntoExisting, nil)
    }
  }

  /// Refuses a folder that is inside a container.
  private func refuseInside(_ folder: FilePath, _ url: URL) throws {
    let container = try store.replicatedContainer(url).folder
    guard try container != folder.resolvingLinks() else { return }
    throw VersionError(
      .invalidArgument, document: folder.printable,
      message:
        "“\(folder.printable)” is inside “\(container.printable)”, whose documents have versions already.",
      hint: "Name a folder outside of it.")
  }

  /// Removes everything that a refused clone created, unless documents have arrived.
  private func removeEmptyContainer(
    _ folder: FilePath, _ url: URL, andFolder isNew: Bool
  ) throws {
    let place = try folder.resolvingLinks()
    let container = SyncFile.folder(of: place).removingLastComponent()
    let own = Array((container.lastComponent?.string ?? "").utf8)
    let names = try Folder.names(in: place)
    guard names.allSatisfy({ $0 == own }),
      try names.isEmpty || store.documents(below: url)?.isEmpty ?? true
    else { return }
    try Folder.removeTree(isNew ? place : container)
  }

  /// Exchanges with a peer, one exchange of the container at a time.
  ///
  /// - Parameter open: opens the peer, given this device and whether the last exchange was killed.
  private func exchange(
    _ container: ReplicatedContainer, downloading wanted: Set<String>,
    for request: DocumentRequest?,
    _ open: (_ device: LocalDevice, _ wasKilled: Bool) throws -> any Peer
  ) throws -> ExchangeOutcome {
    let device = try LocalDevice(in: container.folder, named: container.device)
    let lock = try lock(container)
    func run(with peer: any Peer) throws -> ExchangeOutcome {
      try ExchangeSession(
        container, with: peer, as: device, downloading: wanted, for: request
      ).run()
    }
    var peer = try open(device, lock.isLeftBehind)
    var outcome = Result { try run(with: peer) }
    if case .failure(let error as TransportError) = outcome, error.kind == .notForward {
      // Withdrawn contents stay there; everything else continues.
      try PeerState.recordKeepingBranches(of: peer, in: container.folder)
      peer = try open(device, false)
      outcome = Result { try run(with: peer) }
    }
    if try peer.givesUpDamagedCopy() {
      // The peer has the contents that couldn't be read.
      var again = try run(with: open(device, false))
      if case .success(let first) = outcome { again = first.withoutFailures.followed(by: again) }
      outcome = .success(again)
    }
    lock.release()
    return try outcome.get()
  }

  private func refuseDryRun(of place: String) throws {
    guard store.isDryRun else { return }
    throw VersionError(
      .invalidArgument, document: place,
      message: "An exchange has no dry run.")
  }

  /// The error for a server that sends unusable data, or for the copy of it in a container, which can't be
  /// written.
  private static func failure(
    _ error: GitError, of remote: Remote, in container: FilePath
  ) -> any Error {
    if error.isFromSystem || error.isForeign || error.isChangedMeanwhile {
      return error.reported(
        for: container.printable, at: SyncFile.mirrors.path(in: container))
    }
    let address = Printable.text(remote.address)
    return VersionError(
      .damagedExchange, document: address,
      message: "What “\(address)” sends can’t be used: \(error).", recovery: .exchangeAgain,
      hint: "Nothing here was changed.", cause: error)
  }

  /// The error for a folder that can't be read completely.
  private static func failure(_ error: GitError, in path: FilePath) -> any Error {
    if error.isFromSystem || error.isForeign || error.isChangedMeanwhile {
      return error.reported(for: path.printable, at: path)
    }
    return VersionError(
      .damagedExchange, document: path.printable,
      message: "The folder “\(path.printable)” can’t be used for exchange: \(error).",
      recovery: .exchangeAgain,
      hint: "If the folder is still being brought up to date, exchange again later.", cause: error)
  }
}
