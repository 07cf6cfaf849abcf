internal import DocumentVersions
internal import Foundation

/// The watchers of folders: `{"watchers": [{"adopted", "conflicts", "copies", "deleted", "failures", "folder", "missing", "pause",
/// "polling", "process", "remotes", "since", "toSave", "versions", "lastVersion", "kept"}]}`.
struct WatchReport: Encodable {
  /// The exchanges with a remote.
  struct Remote: Encodable {
    let name: String
    @Nullable var failure: String?
    @Nullable var last: String?
  }

  /// A failure.
  struct Failure: Encodable {
    @Nullable var document: String?
    let message, time: String
  }

  let folder: String
  let kept: Bool
  @Nullable var process: Int32?
  @Nullable var since: String?
  @Nullable var pause: Double?
  @Nullable var versions: Int?
  @Nullable var lastVersion: String?
  @Nullable var adopted: Int?
  @Nullable var deleted: Int?
  @Nullable var toSave: Int?
  let copies, conflicts: [String]
  let remotes: [Remote]
  let failures: [Failure]
  let missing, polling: Bool

  /// - Parameter status: the watcher's status; nil if none watches the folder.
  init(_ folder: URL, _ status: WatchStatus?, conflicts: [URL]) {
    self.folder = folder.path
    kept = status != nil
    process = status?.process
    since = (status?.since).map(Timestamp.textInSeconds)
    pause = status?.pause
    versions = status?.versions
    lastVersion = status.flatMap(\.lastVersion).map(Timestamp.textInSeconds)
    adopted = status?.adopted
    deleted = status?.deleted
    toSave = status?.toSave
    copies = status?.copies ?? []
    self.conflicts = conflicts.map(\.path)
    remotes = (status?.remotes ?? [:]).sorted { $0.key < $1.key }.map { name, exchanges in
      Remote(
        name: name, failure: exchanges.failure, last: exchanges.last.map(Timestamp.textInSeconds))
    }
    failures = (status?.failures ?? []).map { failure in
      Failure(
        document: failure.document, message: failure.message,
        time: Timestamp.textInSeconds(failure.date))
    }
    missing = status?.isMissing ?? false
    polling = status?.isPolling ?? false
  }
}
