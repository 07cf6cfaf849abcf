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
    _ document: URL, changed members: [String], note: String? = nil, asPackage: Bool = false
  ) throws -> SaveOutcome {
    try Saving(environment).save(document, changed: members, note: note, asPackage: asPackage)
  }

  /// Makes a version of what a document held before another program wrote or removed its file.
  package func saveFormer(
    of document: URL, base: FileVersion?, isRead: Bool, write: (URL) throws -> Void
  ) throws -> SaveOutcome {
    try Saving(environment).saveFormer(of: document, base: base, isRead: isRead, write: write)
  }

  /// The synchronous form of ``VersionStore/saveEach(_:note:asPackage:)``.
  package func saveEach(
    _ documents: [URL], note: String? = nil, asPackage: Bool = false
  ) -> [Result<SaveOutcome, any Error>] {
    Saving(environment).saveEach(documents, note: note, asPackage: asPackage)
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

  /// Renames a document, and says where the versions are now of a deleted document that had the name.
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

  /// The synchronous form of ``VersionStore/importCopy(_:into:base:)``.
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

  // MARK: Conflicts

  /// Marks conflict versions as resolved in favour of the current one; they stay among the other
  /// versions.
  ///
  /// Versions that are in no conflict are passed over.
  ///
  /// - Returns: the current version afterwards.
  @discardableResult
  package func markResolved(_ versions: [FileVersion], of document: URL) throws -> FileVersion {
    try Resolving(environment).markResolved(versions, of: document)
  }

  /// Begins to resolve a conflict; unsaved edits become a version first.
  ///
  /// - Returns: nil when the document is in no conflict.
  package func beginResolving(_ document: URL) throws -> ConflictSession? {
    try Resolving(environment).begin(document)
  }

  /// Ends a conflict with one version that follows all of its versions, and writes the document.
  ///
  /// - Throws: ``VersionError`` with code `changedMeanwhile` when the versions are no longer those of the session's
  ///   state, or the document was edited; ``FileError`` with code `changing` when it was moved away. Then nothing changes.
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

  /// The synchronous form of ``VersionStore/removeOthers(of:)``.
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

  /// The synchronous form of ``VersionStore/setPinned(_:_:of:)``.
  package func setPinned(
    _ isPinned: Bool = true, _ versions: [FileVersion], of document: URL
  ) throws {
    try Removing(environment).setPinned(isPinned, versions, of: document)
  }

  /// The synchronous form of ``VersionStore/thin(_:keeping:timeZone:)``.
  @discardableResult
  package func thin(
    _ document: URL, keeping policy: RetentionPolicy, timeZone: TimeZone? = nil
  ) throws -> ThinOutcome {
    try Thinning(environment).thin(document, keeping: policy, timeZone: timeZone)
  }

  /// Stores a document's versions as compactly as possible, and lets go of what was removed long enough ago.
  ///
  /// Everything that is kept is read, checked and read back before anything goes: a damaged store is left as
  /// it is. Until a removal is older than the grace time it can be undone with ``undelete(_:of:)``; one that holds
  /// versions that were lost stays, because a repair can bring them back. The contents of discardable versions go at
  /// once, but for those that thinning always keeps. Afterwards the
  /// copies that were handed out as a version's `url` go, too.
  ///
  /// - Parameters:
  ///   - document: a document with versions.
  ///   - grace: how long removed contents are kept, in seconds; 14 days by default, for ever where it is infinite or no
  ///     number.
  /// - Throws: ``VersionError`` with code `damaged` if something that a version needs is missing, and
  ///   `CancellationError`; then nothing was removed but what has expired.
  @discardableResult
  package func collect(_ document: URL, grace: Double = 14 * 86_400) throws -> CollectOutcome {
    try Collecting(environment).collect(document, grace: grace)
  }

  // MARK: Containers and stores

  /// Declares types for the documents of a container.
  ///
  /// - Parameters:
  ///   - file: a property list; see ``DocumentTypes/add(declarationsIn:)``. It is copied.
  ///   - container: a folder with documents, or one inside it; it becomes a container where it is not one yet.
  /// - Returns: the declarations; the name is that of the file, with a number where that is taken. What is
  ///   declared already is left as it is.
  /// - Throws: ``FileError`` where the file is not what it should be; nothing is declared then.
  @discardableResult
  package func declareTypes(from file: URL, in container: URL) throws -> TypeDeclarations {
    try DeclaredTypes(environment).declare(from: file, in: container)
  }

  /// Takes back what ``declareTypes(from:in:)`` declared.
  ///
  /// The file need not be readable.
  ///
  /// - Throws: ``FileError`` with code `notFound` where no declarations have that name.
  package func removeTypes(named name: String, in container: URL) throws {
    try DeclaredTypes(environment).remove(named: name, in: container)
  }

  /// Repairs a document's store as far as what is left allows.
  ///
  /// Never deletes a version, and never touches the document. Parts that are taken out of use are moved to `quarantine`
  /// in the store, after their replacement is on the disk; references, config and ledger are copied to `backup` first.
  /// With ``isDryRun``, reports what it would do.
  ///
  /// - Returns: what was done, and what cannot be repaired.
  package func repair(
    _ document: URL, options: RepairOptions = RepairOptions()
  ) throws -> Repair {
    try DocumentRepair(environment).repair(document, options: options)
  }
}
