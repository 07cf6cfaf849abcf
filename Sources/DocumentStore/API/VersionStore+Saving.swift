public import Foundation

/// Making versions.
extension VersionStore {
  /// Saves the document as it is on disk as a new version.
  ///
  /// The version follows the one that the document shows. If another one has followed that meanwhile, or if
  /// `base` names an older one, both stay: that is a conflict, never a loss. The version is on the disk
  /// when this returns.
  ///
  /// - Parameters:
  ///   - document: a file, or a folder that is a package.
  ///   - note: what to say about the version.
  ///   - base: the version that the contents were made from, for an editor that knows; by default the
  ///     version that the document on disk was last saved as or written from.
  ///   - asPackage: takes any folder as a package. Without it a folder needs an extension: one of a type that is
  ///     a package by ``types`` or by what its container declares, or one that no type has.
  /// - Throws: ``FileError`` for what cannot be read, ``VersionError`` for what cannot be stored; with code
  ///   `noSuchVersion` for a `base` of another document.
  @discardableResult
  public func save(
    _ document: URL, note: String? = nil, base: FileVersion? = nil, asPackage: Bool = false
  ) async throws -> SaveOutcome {
    try await perform {
      try $0.save(document, note: note, base: base, asPackage: asPackage)
    }
  }

  /// Saves a package of which the caller knows what changed since it was last saved or written: only that is read, so a
  /// save takes about as long as what changed is large.
  ///
  /// Other changes stay as they are on disk, are reported as edits, and are in the next version that is saved without
  /// such knowledge. Where there is no version of the package yet, all of it is saved.
  ///
  /// - Parameters:
  ///   - document: a package.
  ///   - members: what changed, as paths in the package with "/" between folders: files, links and folders, also those
  ///     that are new or gone. A folder stands for all it holds.
  ///   - note: what to say about the version.
  ///   - asPackage: takes any folder as a package, where there is no version yet.
  /// - Throws: the same as ``save(_:note:base:asPackage:)``; ``VersionError`` with code `invalidArgument` for a path that
  ///   leads out of the package, `noSuchMember` for what neither is there nor was.
  @discardableResult
  public func save(
    _ document: URL, changed members: [String], note: String? = nil, asPackage: Bool = false
  ) async throws -> SaveOutcome {
    try await perform {
      try $0.save(document, changed: members, note: note, asPackage: asPackage)
    }
  }

  /// Saves several documents, some of them at the same time: most of a save is waiting for the disk, and one wait
  /// serves all that go on.
  ///
  /// - Returns: the outcomes in the order of the documents; one that fails stops no other.
  public func saveEach(
    _ documents: [URL], note: String? = nil, asPackage: Bool = false
  ) async -> [Result<SaveOutcome, any Error>] {
    do {
      return try await perform { $0.saveEach(documents, note: note, asPackage: asPackage) }
    } catch {
      return documents.map { _ in .failure(error) }
    }
  }

  /// Puts a version's contents in the document's place, as a new version.
  ///
  /// Unsaved edits become a version first. A conflict stays: other devices' versions
  /// are not touched by restoring.
  ///
  /// - Parameters:
  ///   - version: the version whose contents are wanted.
  ///   - document: the document, where it was renamed since the version was listed.
  /// - Throws: ``VersionError`` with code `contentsNotLocal` when they are not on this device.
  @discardableResult
  public func restore(
    _ version: FileVersion, of document: URL? = nil
  ) async throws -> RestoreOutcome {
    try await perform { try $0.restore(version, of: document) }
  }

  /// Puts one member of a version back into the package on disk, as a new version; all other members stay as they
  /// are on disk.
  ///
  /// Unsaved edits become a version first, and the new version follows it. Missing folders above the member
  /// are made; a folder comes back with what it held then, and nothing else. Where something else is in the
  /// member's place, it is replaced. Either all of it is done, or nothing.
  ///
  /// - Parameters:
  ///   - version: the version that has the member.
  ///   - member: the member's path in the package, with "/" between folders; as it is, or as listings show it.
  ///   - document: the document, where it was renamed since the version was listed.
  /// - Returns: ``RestoreOutcome/isNew`` is false when the member on disk is the same already.
  /// - Throws: ``VersionError`` with code `noSuchMember`, or `contentsNotLocal` when the version's contents are
  ///   not on this device; ``FileError`` with code `notFound` when the document is not on disk, and with
  ///   `unsupportedKind` when it is no package now, or when a folder above the member is a file or a link now.
  @discardableResult
  public func restore(
    _ version: FileVersion, member: String, of document: URL? = nil
  ) async throws -> RestoreOutcome {
    try await perform { try $0.restore(version, member: member, of: document) }
  }

  /// Deletes the document on every device; its versions stay, and any of them can be restored.
  ///
  /// Unsaved edits become a version first.
  ///
  /// - Returns: the version that stands for the deletion.
  @discardableResult
  public func delete(_ document: URL) async throws -> FileVersion {
    try await perform { try $0.delete(document) }
  }

  /// Renames the document, and its versions with it; unsaved edits become a version first.
  ///
  /// The versions of a deleted document that had the name stay, under that name with a number.
  ///
  /// - Parameters:
  ///   - document: the document; it must be on disk.
  ///   - name: its new name, in the same folder.
  /// - Returns: the version that stands for the rename, whose `documentURL` is the new place.
  @discardableResult
  public func rename(_ document: URL, to name: String) async throws -> FileVersion {
    try await perform { try $0.rename(document, to: name) }
  }

  /// Takes a conflicted copy that a sync tool left behind in as a conflict version of its document.
  ///
  /// The document keeps its contents and stays current; unsaved edits become a version first.
  /// The copy's file stays where it is.
  ///
  /// - Parameters:
  ///   - copy: the conflicted copy. A person or device that its name mentions goes into the version; otherwise
  ///     they are “unknown”. One that has versions of its own is refused.
  ///   - document: the document that it is a copy of; it must be on disk.
  ///   - base: the version that the copy was made from, where that is certain: a wrong one could take
  ///     later edits back in a merge. Without it, all differences are left to be decided.
  /// - Returns: the conflict version; nil if the document, or one of its versions, has these contents already.
  package func importCopy(
    _ copy: URL, into document: URL, base: FileVersion? = nil
  ) async throws -> FileVersion? {
    try await perform { try $0.importCopy(copy, into: document, base: base) }
  }

  /// Takes back the last operation on a document, where that was one that is easily done by mistake:
  /// resolving a conflict or marking it as resolved, restoring, deleting, renaming, removing or thinning.
  ///
  /// | the last operation | undoing it |
  /// | --- | --- |
  /// | removed or thinned versions | puts their contents back, until the trash was collected |
  /// | restored, deleted or renamed | makes a version with the contents and the name from before |
  /// | settled a conflict | makes the conflict unresolved again, on every device after the next exchange |
  ///
  /// No version is taken away: what was undone stays in the history, and what another device made
  /// from it meanwhile becomes one more conflict version. A document with unsaved edits keeps
  /// them: they become a version first, or stay in the document where a conflict opens again.
  ///
  /// A second undo does not do again what was undone.
  ///
  /// - Throws: ``VersionError`` with code `nothingToUndo` where the last operation is another one, such as a
  ///   save, and `contentsNotLocal` where contents that are needed are not on this device any more.
  @discardableResult
  public func undo(_ document: URL) async throws -> UndoOutcome {
    try await perform { try $0.undo(document) }
  }
}
