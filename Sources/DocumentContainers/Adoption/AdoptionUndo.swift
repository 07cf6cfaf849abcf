internal import DocumentFiles
internal import DocumentStore
package import Foundation
internal import SystemPackage

/// The outcome of undoing an adoption.
package struct UndoneAdoption: Sendable {
  /// The documents with their previous contents.
  package internal(set) var documents: [URL] = []
  /// The restored copies.
  package internal(set) var copies: [URL] = []
  /// The documents that have changed since, and stay unchanged.
  package internal(set) var changed: [URL] = []
  /// The copies that couldn't be restored, with the errors; their versions are in the documents’ histories.
  package internal(set) var failures: [(copy: URL, error: any Error)] = []
}

/// Undoes the last adoption in a container.
struct AdoptionUndo {
  let store: SynchronousStore

  func undo(in folder: URL) throws -> UndoneAdoption? {
    let around = try store.container(around: folder).map { [try $0.filePath] } ?? []
    let below = try containers(in: folder.filePath.resolvingLinks())
    let journals = try AdoptionJournal.last(in: around + below.filter { !around.contains($0) })
    guard !journals.isEmpty else { return nil }
    var undone = UndoneAdoption()
    for journal in journals {
      let count = undone.failures.count
      for entry in try journal.entries() {
        if store.progress?.isCancelled == true { throw CancellationError() }
        undo(entry, &undone)
      }
      if !store.isDryRun, undone.failures.count == count { try journal.remove() }
    }
    return undone
  }

  /// Returns the containers at or below a folder.
  private func containers(in folder: FilePath) throws -> [FilePath] {
    let members: [Folder.Member]
    do {
      members = try Folder.members(of: folder)
    } catch {
      guard error.isAboutOneFolder else { throw error }
      return []
    }
    let stores = Array(StoresFolder.name.utf8)
    return try members.filter { $0.kind == .folder }.flatMap { member in
      try member.name == stores ? [folder] : containers(in: folder.appending(bytes: member.name))
    }
  }

  private func undo(_ entry: AdoptionJournal.Entry, _ undone: inout UndoneAdoption) {
    let document = URL(filePath: entry.document)
    do {
      if try undoChanges(entry, of: document) {
        if entry.resolution != nil || entry.before != nil { undone.documents.append(document) }
      } else {
        undone.changed.append(document)
      }
      for copy in entry.copies { try bringBack(copy, of: document, &undone) }
    } catch {
      undone.failures += entry.copies.map { (URL(filePath: $0.path), error) }
    }
  }

  /// Restores the document's previous contents.
  ///
  /// - Returns: whether it was restored; not if it has changed since.
  private func undoChanges(_ entry: AdoptionJournal.Entry, of document: URL) throws -> Bool {
    var current = try store.history(of: document, newest: 1).current
    if let before = entry.before.flatMap(FileVersion.PersistentIdentifier.init) {
      let history = try store.history(of: document)
      guard let version = history.versions.first(where: { $0.id == before }),
        current?.parents == [before], try store.state(of: document) == .unchanged
      else {
        // The save that would have removed them didn't happen.
        if current?.id == before { return true }
        return false
      }
      if entry.resolution == nil {
        if !store.isDryRun { try store.restore(version) }
        return true
      }
      current = version
    }
    guard let resolution = entry.resolution else { return true }
    guard current?.id.description == resolution else {
      // An interrupted undo may already have done it.
      return current?.kind == .undo && current?.parents.first?.description == resolution
    }
    if !store.isDryRun { try store.undo(document) }
    return true
  }

  private func bringBack(
    _ copy: AdoptionJournal.Entry.Copy, of document: URL, _ undone: inout UndoneAdoption
  ) throws {
    let url = URL(filePath: copy.path)
    let path = try url.filePath
    do {
      if try FileStatus.of(path) != nil {
        // It was restored with its package, or by an interrupted undo; a different file stays.
        if !copy.isMember { try checkSame(url, copy, of: document) }
        undone.copies.append(url)
        return
      }
      guard !copy.isMember || store.isDryRun else {
        throw FileError(
          .notFound, path: path,
          message: """
            “\(path.printable)” is a member of a package that was changed since; its contents are in the package’s history.
            """)
      }
      if !store.isDryRun { try write(copy, to: url, of: document) }
      undone.copies.append(url)
    } catch let error where error.isOfOneFile {
      undone.failures.append((url, error))
    }
  }

  private func write(
    _ copy: AdoptionJournal.Entry.Copy, to url: URL, of document: URL
  ) throws {
    try store.export(version(of: copy, document), to: url)
    let modified = copy.modified * 1e9
    try NewFile.setAttributes(
      of: url.filePath, permissions: UInt32(copy.permissions & 0o777),
      // A damaged journal may have any number.
      modified: modified.magnitude < 9e18 ? Int64(modified) : 0)
  }

  private func checkSame(
    _ url: URL, _ copy: AdoptionJournal.Entry.Copy, of document: URL
  ) throws {
    let version = try version(of: copy, document)
    let same = try store.versions(of: document, withContentsOf: store.contentsOnDisk(url))
    guard same.contains(version) else {
      let path = try url.filePath
      throw FileError(
        .exists, path: path,
        message:
          "Another “\(path.printable)” is there now; the copy stays version \(version.id.short).")
    }
  }

  private func version(
    of copy: AdoptionJournal.Entry.Copy, _ document: URL
  ) throws -> FileVersion {
    let history = try store.history(of: document)
    guard let version = history.versions.first(where: { $0.id.description == copy.version }) else {
      throw VersionError(
        .noSuchVersion, document: document.lastPathComponent,
        message:
          "“\(document.lastPathComponent)” no longer has version \(copy.version.prefix(7)).")
    }
    return version
  }
}
