internal import DocumentFiles
internal import DocumentGit
internal import DocumentStore
internal import Foundation
internal import SystemPackage

/// Brings a container and a peer to the same versions.
struct ContainerSync {
  let store: SynchronousStore

  init(_ store: SynchronousStore) {
    self.store = store
  }

  func exchange(_ url: URL, through folder: URL) throws -> ExchangeOutcome {
    guard folder.isFileURL else {
      throw VersionError(
        .invalidArgument, document: Printable.text(folder.absoluteString),
        message:
          "“\(Printable.text(folder.absoluteString))” is not a folder; documents are exchanged through one.",
        hint: "Name a folder that a syncing tool, a network or a stick carries between the devices."
      )
    }
    let path = try folder.filePath
    guard !store.isDryRun else {
      throw VersionError(
        .invalidArgument, document: path.printable,
        message: "An exchange cannot be tried without doing it.")
    }
    let container = try store.replicatedContainer(url)
    do {
      let place = try FileStatus.of(path) == nil ? path : path.resolvingLinks()
      let peer = try FolderPeer(place, clock: container.fileClock)
      let device = try LocalDevice(in: container.folder, named: container.device)
      let lock = try FileLock(
        SyncFile.lock.path(in: container.folder), waitingAtMost: container.lockTimeout
      ) { try container.checkCancellation() }
      try peer.removeUnfinished(
        of: device.identifier, branch: device.branch, wasKilled: lock.isLeftBehind)
      let outcome = try ExchangeSession(container, with: peer, as: device).run()
      lock.release()
      return outcome
    } catch let error as GitError {
      throw Self.failure(error, in: path)
    }
  }

  /// The error for a folder that cannot be read as a whole.
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
