internal import DocumentFiles
package import Foundation

/// The operations that change documents and their versions.
extension SynchronousStore {
  // MARK: Making versions

  /// The synchronous form of ``VersionStore/save(_:note:base:asPackage:)``.
  @discardableResult
  package func save(
    _ document: URL, note: String? = nil, base: FileVersion? = nil, asPackage: Bool = false
  ) throws -> SaveOutcome {
    try Saving(environment).save(document, note: note, base: base, asPackage: asPackage)
  }

  /// The synchronous form of ``VersionStore/save(_:changed:note:asPackage:)``.
  @discardableResult
  package func save(
    _ document: URL, changed members: [String]?, note: String? = nil, asPackage: Bool = false,
    isOwn: () throws -> Bool = { false }
  ) throws -> SaveOutcome {
    try Saving(environment).save(
      document, changed: members, note: note, asPackage: asPackage, isOwn: isOwn)
  }

  /// Makes a version of a document's contents from before another program wrote or removed its file.
  package func saveFormer(
    of document: URL, base: FileVersion?, isLoaded: Bool = false, isRead: Bool,
    write: (URL) throws -> Void
  ) throws -> SaveOutcome {
    try Saving(environment).saveFormer(
      of: document, base: base, isLoaded: isLoaded, isRead: isRead, write: write)
  }

  /// Makes a version of contents that an app may write over a document that others changed.
  package func saveBeside(
    _ document: URL, base: FileVersion?, note: String? = nil, write: (URL) throws -> Void
  ) throws -> SaveOutcome {
    try Saving(environment).saveBeside(document, base: base, note: note, write: write)
  }

  /// The synchronous form of ``VersionStore/saveEach(_:note:asPackage:)``.
  package func saveEach(
    _ documents: [URL], note: String? = nil, asPackage: Bool = false
  ) -> [Result<SaveOutcome, any Error>] {
    var outcomes: [Result<SaveOutcome, any Error>] = []
    saveEach(documents, note: note, asPackage: asPackage) { outcomes.append($0) }
    return outcomes
  }

  /// Saves very many documents, without keeping all outcomes in memory.
  ///
  /// - Parameter take: receives the outcomes in the order of the documents, the first ones early.
  package func saveEach(
    _ documents: some Collection<URL>, note: String? = nil, asPackage: Bool = false,
    _ take: (Result<SaveOutcome, any Error>) -> Void
  ) {
    Saving(environment).saveEach(documents, note: note, asPackage: asPackage, take)
  }

  /// The synchronous form of ``VersionStore/restore(_:of:)``.
  @discardableResult
  package func restore(_ version: FileVersion, of document: URL? = nil) throws -> RestoreOutcome {
    try Restoring(environment).restore(version, of: document)
  }

  /// The synchronous form of ``VersionStore/restore(_:member:of:)``.
  @discardableResult
  package func restore(
    _ version: FileVersion, member: String, of document: URL? = nil
  ) throws -> RestoreOutcome {
    try Restoring(environment).restore(version, member: member, of: document)
  }

  /// The synchronous form of ``VersionStore/delete(_:)``.
  @discardableResult
  package func delete(_ document: URL) throws -> FileVersion {
    try Deleting(environment).delete(document)
  }

  /// Records the deletion of a document whose file is gone; throws `changing` if it exists again.
  package func recordDeletion(of document: URL) throws -> FileVersion {
    try Deleting(environment).delete(document, isGone: true)
  }

  /// The synchronous form of ``FileVersion/move(_:to:store:)``.
  @discardableResult
  package func move(_ document: URL, to destination: URL) throws -> FileVersion {
    try Moving(environment).move(document, to: destination)
  }

  /// The synchronous form of ``VersionStore/rename(_:to:)``.
  @discardableResult
  package func rename(_ document: URL, to name: String) throws -> FileVersion {
    try Renaming(environment).rename(document, to: name, makingWay: true).version
  }

  /// Renames a document, and returns the new location of the versions of a deleted document that had the name.
  package func renameMakingWay(
    _ document: URL, to name: String
  ) throws -> (version: FileVersion, madeWay: URL?) {
    try Renaming(environment).rename(document, to: name, makingWay: true)
  }

  /// The synchronous form of ``VersionStore/join(_:with:)``.
  @discardableResult
  package func join(_ document: URL, with other: URL) throws -> FileVersion {
    try Joining(environment).join(document, with: other)
  }

  /// Imports a conflicted copy that a sync tool left behind as a conflict version of its document.
  ///
  /// The document keeps its contents and stays current; unsaved edits become a version first.
  /// The copy's file stays where it is.
  ///
  /// - Parameters:
  ///   - copy: the conflicted copy. The version gets the person and the device that the copy's name mentions; otherwise
  ///     they are “unknown”. A copy that has versions is refused.
  ///   - document: the document that it is a copy of; it must be on disk.
  ///   - base: the version that the copy is based on, if that is certain: a wrong base could revert later edits in a
  ///     merge. Without a base, all differences are left to be decided.
  /// - Returns: the conflict version; `nil` if the document, or one of its versions, already has these contents.
  package func importCopy(
    _ copy: URL, into document: URL, base: FileVersion? = nil
  ) throws -> FileVersion? {
    try Importing(environment).importCopy(copy, into: document, base: base)
  }

  /// The synchronous form of ``VersionStore/undo(_:)``.
  @discardableResult
  package func undo(_ document: URL) throws -> UndoOutcome {
    try Undoing(environment).undo(document)
  }

  /// Takes a document off this device: removes its file and its store.
  ///
  /// - Parameter check: throws an error unless all of it is elsewhere; runs while the document is locked.
  package func release(_ document: URL, _ check: (EvictedState) throws -> Void) throws {
    let location = try DocumentLocation(of: document, links: .refused)
    try environment.reportingErrors(of: location) {
      try Evicting(environment).evict(location, check)
    }
  }

  // MARK: Conflicts

  /// Marks conflict versions as resolved in favor of the current version; they stay among the other versions.
  ///
  /// Versions that aren't in conflict are ignored.
  ///
  /// - Returns: the current version afterward.
  @discardableResult
  package func markResolved(_ versions: [FileVersion], of document: URL) throws -> FileVersion {
    try Resolving(environment).markResolved(versions, of: document)
  }

  /// Begins to resolve a conflict; unsaved edits become a version first.
  ///
  /// - Returns: the session; `nil` if the document isn't in conflict.
  package func beginResolving(_ document: URL) throws -> ConflictSession? {
    try Resolving(environment).begin(document)
  }

  /// Resolves a conflict with one version that follows all of its versions, and writes the document.
  ///
  /// - Throws: ``VersionError`` with code `changedMeanwhile` if the versions are no longer those of the session's
  ///   state, or the document was edited; ``FileError`` with code `changing` if it was moved away. Then nothing
  ///   changes.
  package func settle(
    _ session: ConflictSession, with settlement: Settlement
  ) throws -> FileVersion {
    try Resolving(environment).settle(session, with: settlement)
  }

  // MARK: Retention

  /// The synchronous form of ``VersionStore/remove(_:of:everywhere:)``.
  package func remove(_ versions: [FileVersion], of url: URL, everywhere: Bool = false) throws {
    try Removing(environment).remove(versions, of: url, everywhere: everywhere)
  }

  /// Leaves the current version as the only one: resolves open conflicts in its favor, and removes all other contents
  /// from this device.
  ///
  /// - Returns: the current version afterward.
  /// - Throws: ``VersionError`` with code `pinnedVersion` if another version is pinned. In a conflict, that includes
  ///   the current version, because the version that resolves the conflict follows it.
  @discardableResult
  package func removeOthers(of document: URL) throws -> FileVersion {
    try Removing(environment).removeOthers(of: document)
  }

  /// The synchronous form of ``VersionStore/undelete(_:of:)``.
  @discardableResult
  package func undelete(
    _ versions: [FileVersion]? = nil, of document: URL
  ) throws -> [FileVersion] {
    try Removing(environment).undelete(versions, of: document)
  }

  /// Pins or unpins versions; other devices don't receive the pins.
  ///
  /// A pinned version is never thinned, and can't be removed.
  ///
  /// - Throws: ``VersionError`` with code `contentsNotLocal` if the contents of one of them aren't on this device; then
  ///   nothing is changed.
  package func setPinned(
    _ isPinned: Bool = true, _ versions: [FileVersion], of document: URL
  ) throws {
    try Removing(environment).setPinned(isPinned, versions, of: document)
  }

  /// Removes the contents of old versions from this device, according to a policy.
  ///
  /// The policy uses the dates on which the versions were made. Under every policy, the following stay: the current
  /// version, unresolved conflict versions and their bases, pinned versions, the version that the document on disk
  /// shows, and, once the document was exchanged, the version that was published last and the versions that no other
  /// device can have yet. Versions whose contents are elsewhere don't count, and other devices keep what they have.
  ///
  /// No rule keeps a discardable version, whether or not it was exchanged, unless the caller says so.
  ///
  /// Until the store is collected, thinning can be undone.
  ///
  /// - Parameters:
  ///   - document: the document.
  ///   - policy: what to keep.
  ///   - timeZone: the time zone in which days and other periods begin; by default the system's.
  ///   - sparesDiscardable: whether the policy keeps discardable versions, too.
  /// - Returns: the outcome for each version, and the reason.
  /// - Throws: ``VersionError`` with code `invalidArgument` for a policy that keeps nothing.
  @discardableResult
  package func thin(
    _ document: URL, keeping policy: RetentionPolicy, timeZone: TimeZone? = nil,
    sparingDiscardable sparesDiscardable: Bool = false
  ) throws -> ThinOutcome {
    try Thinning(environment).thin(
      document, keeping: policy, timeZone: timeZone, sparingDiscardable: sparesDiscardable)
  }

  /// Stores a document's versions as compactly as possible, and drops contents that were removed long enough ago.
  ///
  /// All kept contents are read, checked and read back before anything is removed, so a damaged store stays as it is. A
  /// removal can be undone with ``undelete(_:of:)`` until it is older than the grace period; a removal that holds lost
  /// versions stays, because a repair can restore them. The contents of discardable versions are dropped at once,
  /// except those that thinning always keeps. Copies that were returned as a version's `url` are removed at the end.
  ///
  /// - Parameters:
  ///   - document: a document with versions.
  ///   - grace: how long removed contents are kept; by default 14 days.
  /// - Throws: ``VersionError`` with code `damaged` if something that a version needs is missing, and
  ///   `CancellationError`; then only expired contents have been removed.
  @discardableResult
  package func collect(
    _ document: URL, grace: Duration = .seconds(14 * 86_400)
  ) throws -> CollectOutcome {
    try Collecting(environment).collect(document, grace: grace)
  }

  // MARK: Repairs

  /// Repairs a document's store as far as possible.
  ///
  /// A repair never deletes a version, and never touches the document. It moves replaced parts to `quarantine` in the
  /// store, after their replacement is on disk; it copies references, config and ledger to `backup` first. With
  /// ``isDryRun``, it reports what it would do.
  ///
  /// - Returns: the repairs, and the findings that can't be repaired.
  package func repair(
    _ document: URL, options: RepairOptions = RepairOptions()
  ) throws -> Repair {
    try DocumentRepair(environment).repair(document, options: options)
  }

  /// Runs a closure for each of several documents at the same time.
  ///
  /// - Parameter body: receives a store for one document, and the document's index.
  /// - Returns: the results, in the order of the documents.
  package func performEach<Outcome: Sendable>(
    _ documents: [URL], _ body: @escaping @Sendable (SynchronousStore, Int) throws -> Outcome
  ) -> [Result<Outcome, any Error>] {
    guard let first = documents.first else { return [] }
    return ManyDocuments(documents.count, near: first, in: environment)
      .perform(documents.count) { index, environment in
        try body(SynchronousStore(environment), index)
      }
  }

  /// Lets the system drop the contents of a version when space is needed; does nothing if they are no longer
  /// here.
  package func makeDiscardable(
    _ identifier: FileVersion.PersistentIdentifier, of document: URL
  ) throws {
    try Removing(environment).makeDiscardable(identifier, of: document)
  }
}
