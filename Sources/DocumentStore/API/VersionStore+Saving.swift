public import Foundation

/// Making versions.
extension VersionStore {
  /// Saves the document as it is on disk as a new version.
  ///
  /// The new version follows the one that the document shows. If that already has a successor, or if `base` names an
  /// older version, both stay: the result is a conflict, never a loss. When this returns, the version is on disk.
  ///
  /// - Parameters:
  ///   - document: a file, or a folder that is a package.
  ///   - note: a note about the version.
  ///   - base: the version that the contents are based on, if the caller knows it; by default the version that the
  ///     document on disk was last saved as or written from.
  ///   - asPackage: whether any folder is accepted as a package. Otherwise the folder needs the extension of a package
  ///     type, in ``types`` or in the container's declarations, or an extension that belongs to no type.
  /// - Throws: ``FileError`` for contents that can't be read, ``VersionError`` for contents that can't be stored, and
  ///   ``VersionError`` with code `noSuchVersion` if `base` belongs to another document.
  @discardableResult
  public func save(
    _ document: URL, note: String? = nil, base: FileVersion? = nil, asPackage: Bool = false
  ) async throws -> SaveOutcome {
    try await perform {
      try $0.save(document, note: note, base: base, asPackage: asPackage)
    }
  }

  /// Saves a package whose changed members the caller knows, and reads only these.
  ///
  /// The time that this takes depends on the size of the changes, not of the package. Other changes stay on disk, are
  /// reported as edits, and are in the next version that is saved without a list of members. If the package has no
  /// version yet, all of it is saved.
  ///
  /// - Parameters:
  ///   - document: a package.
  ///   - members: the members that changed since the package was last saved or written, as paths in the package with
  ///     "/" between folders: files, links and folders, including new and removed ones. A folder stands for everything
  ///     in it.
  ///   - note: a note about the version.
  ///   - asPackage: whether any folder is accepted as a package, if it has no version yet.
  /// - Throws: the same as ``save(_:note:base:asPackage:)``; ``VersionError`` with code `invalidArgument` for a path
  ///   that leads out of the package, and `noSuchMember` for a member that neither exists nor existed.
  @discardableResult
  public func save(
    _ document: URL, changed members: [String], note: String? = nil, asPackage: Bool = false
  ) async throws -> SaveOutcome {
    try await perform {
      try $0.save(document, changed: members, note: note, asPackage: asPackage)
    }
  }

  /// Saves several documents at the same time, which takes less time than saving them one by one.
  ///
  /// A save mostly waits for the disk, and concurrent saves share their waits.
  ///
  /// - Returns: the outcomes in the order of the documents; a failure doesn't stop the others.
  public func saveEach(
    _ documents: [URL], note: String? = nil, asPackage: Bool = false
  ) async -> [Result<SaveOutcome, any Error>] {
    do {
      return try await perform { $0.saveEach(documents, note: note, asPackage: asPackage) }
    } catch {
      return documents.map { _ in .failure(error) }
    }
  }

  /// Restores a version's contents in place, as a new version.
  ///
  /// Unsaved edits become a version first. A conflict stays unresolved, because restoring doesn't affect other devices'
  /// versions.
  ///
  /// - Parameters:
  ///   - version: the version to restore.
  ///   - document: the document, if it was renamed since the version was listed.
  /// - Throws: ``VersionError`` with code `contentsNotLocal` if the contents aren't on this device.
  @discardableResult
  public func restore(
    _ version: FileVersion, of document: URL? = nil
  ) async throws -> RestoreOutcome {
    try await perform { try $0.restore(version, of: document) }
  }

  /// Restores one member of a version in the package on disk, as a new version; all other members stay unchanged.
  ///
  /// Unsaved edits become a version first, and the new version follows it. Missing folders above the member are
  /// created. A folder is restored with exactly its contents in that version. An item in the member's place is
  /// replaced. The operation completes as a whole, or changes nothing.
  ///
  /// - Parameters:
  ///   - version: the version that has the member.
  ///   - member: the member's path in the package, with "/" between folders; literally, or as listings show it.
  ///   - document: the document, if it was renamed since the version was listed.
  /// - Returns: the outcome; ``RestoreOutcome/isNew`` is false if the member on disk is already the same.
  /// - Throws: ``VersionError`` with code `noSuchMember`, or `contentsNotLocal` if the version's contents aren't on
  ///   this device; ``FileError`` with code `notFound` if the document isn't on disk, and with `unsupportedKind` if it
  ///   is no longer a package, or if a folder above the member is now a file or a link.
  @discardableResult
  public func restore(
    _ version: FileVersion, member: String, of document: URL? = nil
  ) async throws -> RestoreOutcome {
    try await perform { try $0.restore(version, member: member, of: document) }
  }

  /// Deletes the document on every device; you can still restore any of its versions.
  ///
  /// Unsaved edits become a version first.
  ///
  /// - Returns: the version that represents the deletion.
  @discardableResult
  public func delete(_ document: URL) async throws -> FileVersion {
    try await perform { try $0.delete(document) }
  }

  /// Renames the document, and its versions with it; unsaved edits become a version first.
  ///
  /// If a deleted document had the name, its versions stay, under that name with a number.
  ///
  /// - Parameters:
  ///   - document: the document; it must be on disk.
  ///   - name: the new name, in the same folder.
  /// - Returns: the version that represents the rename; its `documentURL` is the new location.
  @discardableResult
  public func rename(_ document: URL, to name: String) async throws -> FileVersion {
    try await perform { try $0.rename(document, to: name) }
  }
}
