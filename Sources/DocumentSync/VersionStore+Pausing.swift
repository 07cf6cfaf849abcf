internal import DocumentFiles
internal import DocumentGit
public import DocumentStore
public import DocumentTransport
public import Foundation
internal import SystemPackage

/// The handling of changes that were made while a document's sync was paused
/// (`NSFileManager.ResumeSyncBehavior`).
public enum ResumeSyncBehavior: Sendable, CaseIterable {
  /// The next sync sends the changes; a version of another device that they don't follow is in conflict with
  /// them.
  case preserveLocalChanges
  /// The changes are sent at once. If another device has sent a version in the meantime, nothing is sent, the
  /// sync stays paused, and an error is thrown.
  case afterUploadWithFailOnConflict
  /// The remote's version becomes current again; the changes become an older version.
  case dropLocalChanges
}

/// The effect of sending a document if another device has sent a version that is not here
/// (`NSFileManager.UploadLocalVersionConflictPolicy`).
public enum UploadConflictPolicy: Sendable, CaseIterable {
  /// Both versions stay, in conflict.
  case conflict
  /// Nothing is sent, and an error is thrown.
  case failOnConflict
}

/// Pausing, fetching and sending single documents.
extension VersionStore {
  /// Pauses the sync of a document (`pauseSyncForUbiquitousItem`): its versions are neither sent nor
  /// received, through remotes or folders, until it is resumed, even after the program has ended.
  ///
  /// If the sync is already paused, this changes nothing.
  ///
  /// - Throws: ``VersionError`` with code `noVersions` for a document without versions.
  public func pauseSync(of document: URL) async throws {
    try await perform { try $0.pauseSync(of: document) }
  }

  /// Returns whether the sync of a document is paused; false for a document without versions.
  public func isSyncPaused(of document: URL) async throws -> Bool {
    try await perform { try $0.isSyncPaused(of: document) }
  }

  /// Resumes the sync of a document (`resumeSyncForUbiquitousItem`).
  ///
  /// With ``ResumeSyncBehavior/preserveLocalChanges``, this makes no connection, and a document that is not
  /// paused stays as it is; the other behaviors sync the container.
  ///
  /// - Parameter name: the remote; nil for the one that was added first.
  /// - Throws: ``VersionError`` with code `newerElsewhere` if
  ///   ``ResumeSyncBehavior/afterUploadWithFailOnConflict`` fails; `invalidArgument` if its sync is not
  ///   paused; `remoteUnreachable` or `remoteRefused` if the remote can't be used; the sync then stays
  ///   paused.
  public func resumeSync(
    of document: URL, with behavior: ResumeSyncBehavior = .preserveLocalChanges,
    on name: String? = nil, access: RemoteAccess = RemoteAccess()
  ) async throws {
    try await perform {
      _ = try $0.resumeSync(of: document, with: behavior, on: name, access: access)
    }
  }

  /// Fetches the latest version of a document (`fetchLatestRemoteVersionOfItem`), with a sync of the
  /// container; a listed document is downloaded.
  ///
  /// - Parameter name: the remote; nil for the one that was added first.
  /// - Returns: the version that is then current.
  /// - Throws: ``VersionError`` with code `invalidArgument` if the sync of the document is paused.
  @discardableResult
  public func fetchLatestVersion(
    of document: URL, from name: String? = nil, access: RemoteAccess = RemoteAccess()
  ) async throws -> FileVersion {
    try await perform { try $0.fetchLatestVersion(of: document, from: name, access: access) }
  }

  /// Sends a document (`uploadLocalVersionOfUbiquitousItem`), with a sync of the container; unsaved edits
  /// become a version first.
  ///
  /// Each device writes its own references, so a version that another device sends at the same moment isn't
  /// noticed; it arrives with the next sync, as a conflict.
  ///
  /// - Parameters:
  ///   - policy: the effect if another device has sent a version that is not here.
  ///   - name: the remote; nil for the one that was added first.
  /// - Returns: the sent version.
  /// - Throws: ``VersionError`` with code `newerElsewhere` if nothing was sent for that reason; with code
  ///   `invalidArgument` if the sync of the document is paused.
  @discardableResult
  public func uploadLocalVersion(
    of document: URL, with policy: UploadConflictPolicy = .conflict, to name: String? = nil,
    access: RemoteAccess = RemoteAccess()
  ) async throws -> FileVersion {
    try await perform {
      try $0.uploadLocalVersion(of: document, with: policy, to: name, access: access)
    }
  }
}

extension SynchronousStore {
  /// The synchronous form of ``VersionStore/pauseSync(of:)``.
  package func pauseSync(of document: URL) throws {
    let (container, identifiers) = try syncedDocument(document)
    try PausedDocuments.set(true, identifiers, in: container)
  }

  /// The synchronous form of ``VersionStore/isSyncPaused(of:)``.
  package func isSyncPaused(of document: URL) throws -> Bool {
    let (container, place) = try place(of: document)
    let paused = try PausedDocuments(in: container.folder)
    guard !paused.isEmpty,
      let entry = try container.document(at: place.path(below: container.folder))
    else { return false }
    return paused.contains(entry.identifiers)
  }

  /// The documents below a folder whose sync is paused, in the order of their paths.
  package func pausedDocuments(below folder: URL) throws -> [URL] {
    let (container, place) = try place(of: folder)
    let paused = try PausedDocuments(in: container.folder)
    guard !paused.isEmpty else { return [] }
    return try container.documents().map(\.document)
      .filter { paused.contains($0.identifiers) }
      .map { container.folder.appending($0.path) }
      .filter { $0.starts(with: place) }
      .sorted { $0.string < $1.string }.map { URL(filePath: $0.string) }
  }

  /// The synchronous form of ``VersionStore/resumeSync(of:with:on:access:)``.
  ///
  /// - Returns: the outcome, which is nil if no connection was made, and the document, which may have
  ///   another name by then.
  @discardableResult
  package func resumeSync(
    of document: URL, with behavior: ResumeSyncBehavior = .preserveLocalChanges,
    on name: String? = nil, access: RemoteAccess = RemoteAccess()
  ) throws -> (outcome: ExchangeOutcome?, document: URL) {
    let (container, identifiers) = try syncedDocument(document)
    guard try PausedDocuments(in: container).contains(identifiers) else {
      guard behavior != .preserveLocalChanges else { return (nil, document) }
      let name = Printable.text(document.lastPathComponent)
      throw VersionError(
        .invalidArgument, document: name, message: "The sync of “\(name)” is not paused.")
    }
    guard behavior != .preserveLocalChanges else {
      try PausedDocuments.set(false, identifiers, in: container)
      return (nil, document)
    }
    // Changes that are dropped aren't sent before they are an older version, or other devices would merge them.
    var (outcome, document) = try exchange(
      document, in: container, identifiers,
      isExclusive: behavior == .afterUploadWithFailOnConflict,
      isOnlyReceived: behavior == .dropLocalChanges, with: name, access)
    if behavior == .dropLocalChanges, let version = outcome.versionAtPeer {
      try makeCurrent(version, of: document)
    }
    try PausedDocuments.set(false, identifiers, in: container)
    if behavior == .dropLocalChanges {
      outcome = try ContainerSync(self).sync(
        URL(filePath: container.string), with: name, by: access)
    }
    return (outcome, document)
  }

  /// The synchronous form of ``VersionStore/fetchLatestVersion(of:from:access:)``.
  @discardableResult
  package func fetchLatestVersion(
    of document: URL, from name: String? = nil, access: RemoteAccess = RemoteAccess()
  ) throws -> FileVersion {
    try refusePaused(document)
    let (container, place) = try place(of: document)
    let known = try container.document(at: place.path(below: container.folder))?.identifiers
    _ = try download([document], from: name, access: access)
    return try currentVersion(of: present(document, known ?? []))
  }

  /// The synchronous form of ``VersionStore/uploadLocalVersion(of:with:to:access:)``.
  @discardableResult
  package func uploadLocalVersion(
    of document: URL, with policy: UploadConflictPolicy = .conflict, to name: String? = nil,
    access: RemoteAccess = RemoteAccess()
  ) throws -> FileVersion {
    try refusePaused(document)
    let (container, identifiers) = try syncedDocument(document)
    let sent = try exchange(
      document, in: container, identifiers, isExclusive: policy == .failOnConflict, with: name,
      access)
    return try currentVersion(of: sent.document)
  }

  /// Saves the edits of a document, and syncs.
  ///
  /// - Parameters:
  ///   - isExclusive: whether that fails if another device has sent a version that is not here.
  ///   - isOnlyReceived: whether the document's versions on this device aren't sent.
  /// - Returns: the outcome, and the document, which another device may have renamed.
  private func exchange(
    _ document: URL, in container: FilePath, _ identifiers: Set<String>, isExclusive: Bool,
    isOnlyReceived: Bool = false, with name: String?, _ access: RemoteAccess
  ) throws -> (outcome: ExchangeOutcome, document: URL) {
    if try [.edited, .unsaved].contains(state(of: document)) { _ = try save(document) }
    let known = try history(of: document).versions.map(\.id.objectID)
    let request = try DocumentRequest(
      name: Printable.text(document.lastPathComponent), identifiers: identifiers,
      isPaused: isSyncPaused(of: document), known: isExclusive ? Set(known) : nil,
      isOnlyReceived: isOnlyReceived)
    let outcome = try ContainerSync(self).sync(
      URL(filePath: container.string), with: name, by: access, for: request)
    let place = try present(document, identifiers)
    let path = try place.filePath
    let own = try outcome.documents.first { try $0.document.filePath == path }
    if let failure = own?.failure { throw failure }
    return (outcome, place)
  }

  /// Makes a version current again; the current one becomes an older version, and no conflict is left.
  private func makeCurrent(_ id: ObjectID, of document: URL) throws {
    let history = try history(of: document)
    guard let version = history.versions.first(where: { $0.id.objectID == id }),
      history.current != version || !history.unresolvedConflicts.isEmpty
    else { return }
    if let conflict = try beginResolving(document) {
      let settlement = Settlement(
        contents: .version(version), path: version.path, kind: .resolve)
      _ = try settle(conflict, with: settlement)
    } else {
      try restore(version, of: document)
    }
  }

  private func currentVersion(of document: URL) throws -> FileVersion {
    guard let current = try history(of: document).current else { throw try noVersions(document) }
    return current
  }

  /// Fails if the sync of a document is paused.
  func refusePaused(_ document: URL) throws {
    guard try isSyncPaused(of: document) else { return }
    let name = Printable.text(document.lastPathComponent)
    throw VersionError(
      .invalidArgument, document: name, message: "The sync of “\(name)” is paused.",
      recovery: .resumeSync)
  }

  /// The container of a document with versions, and all its ids.
  private func syncedDocument(
    _ document: URL
  ) throws -> (container: FilePath, identifiers: Set<String>) {
    let (container, place) = try place(of: document)
    guard let entry = try container.document(at: place.path(below: container.folder)) else {
      throw try noVersions(document)
    }
    return (container.folder, entry.identifiers)
  }

  /// Returns a document where it is now: another device may have renamed it.
  private func present(_ document: URL, _ identifiers: Set<String>) throws -> URL {
    let (container, place) = try place(of: document)
    let entry = try container.documents().map(\.document)
      .first { !$0.identifiers.isDisjoint(with: identifiers) }
    guard let entry, case let found = container.folder.appending(entry.path), found != place else {
      return document
    }
    return URL(filePath: found.string)
  }

  private func noVersions(_ document: URL) throws -> any Error {
    let name = Printable.text(document.lastPathComponent)
    guard try FileStatus.of(document.filePath) != nil else {
      return FileError(
        .notFound, path: try document.filePath, message: "There is no document “\(name)”.")
    }
    return VersionError(
      .noVersions, document: name, message: "“\(name)” has no versions, so it is not synced.")
  }
}
