package import DocumentFiles
internal import DocumentGit
internal import Foundation
package import SystemPackage

/// Renames documents, on request of the user or according to the current version.
package struct Renaming {
  let environment: StoreEnvironment

  package init(_ environment: StoreEnvironment) {
    self.environment = environment
  }

  /// Renames a document with its versions; see ``VersionStore/rename(_:to:)``.
  ///
  /// - Parameter isMakingWay: whether the versions of a deleted document with the name are moved away.
  /// - Returns: the version that represents the rename, and the new location of the versions of a deleted
  ///   document that had the name; `nil` if none had it.
  func rename(
    _ document: URL, to name: String, makingWay isMakingWay: Bool = false
  ) throws -> (version: FileVersion, madeWay: URL?) {
    // Its store may already have the new name, if an earlier attempt failed midway.
    let location = try StoreSearch(environment).followingRename(
      of: DocumentLocation(of: document, links: .refused), movingStore: true)
    _ = try location.status()
    try ContainerPath.checkName(name, of: location.document)
    let target = try DocumentLocation(
      of: location.document.parentFolder.appending(bytes: Array(name.utf8)), links: .itself)
    return try rename(location, to: target, makingWay: isMakingWay)
  }

  /// Moves a document with its versions to another place in its container.
  ///
  /// - Parameter isMakingWay: whether the versions of a deleted document with the name are moved away.
  /// - Returns: the same values as for a new name.
  func rename(
    _ location: DocumentLocation, to target: DocumentLocation, makingWay isMakingWay: Bool
  ) throws -> (version: FileVersion, madeWay: URL?) {
    let document = location.url
    try checkRename(of: location, to: target, makingWay: isMakingWay)
    let deleted =
      try target.hasStore ? DocumentLocation.free(for: target.path, in: target.container) : nil
    if environment.isDryRun {
      return (try environment.reading(document) { try $0.currentVersion() }, deleted?.url)
    }
    if let deleted { try move(target, to: deleted) }
    // The record comes last: a crash before it looks like a rename outside docversions, which is followed.
    let former = try environment.changing(document) { reader in
      StorePlan(preview: reader.location) { writer in
        try writer.keepEdits(reader.document.copy())
        try Folder.create(target.store.parentFolder)
        try moveBoth(reader.location, to: target)
        return reader.location
      }
    }
    do {
      return (try Saving(environment).save(target.url, asPackage: true).version, deleted?.url)
    } catch {
      // Rolls back, so that a reported failure leaves no change. If this fails, too, it counts as a rename
      // outside docversions.
      do { try moveBoth(target, to: former) } catch {}
      throw error
    }
  }

  /// Moves a document and its store to another place in the container: both or neither.
  private func moveBoth(_ location: DocumentLocation, to target: DocumentLocation) throws {
    try location.moveFile(to: target)
    do {
      try location.moveStore(to: target)
    } catch {
      // If this fails, too, the store follows as if the document had been renamed outside docversions.
      do { try DocumentWriter.move(target.document, to: location.document) } catch {}
      throw error
    }
  }

  /// Throws an error for a name that another document has or had; a deleted document's versions may be moved
  /// away.
  func checkRename(
    of location: DocumentLocation, to target: DocumentLocation, makingWay isMakingWay: Bool = false
  ) throws {
    guard target.container == location.container, try FileStatus.of(target.document) == nil else {
      throw FileError(
        .exists, path: target.document, message: "There already is a “\(target.printable)”.")
    }
    guard try !target.hasStore || isMakingWay && target.isDeleted else {
      throw FileError(
        .exists, path: target.document,
        message: """
          There are versions of a “\(target.printable)” that was deleted or is missing; choose another name.
          """)
    }
    try target.checkSpelling(besides: location)
    try ListedNames.of(target.container).refuse(target, besides: location)
    try LiveDatabase.refuseWriting(location.document)
  }

  // MARK: The name of the current version

  /// Moves the document and its store to the path of the current version, unless it has edits.
  ///
  /// While its name is taken, the document gets a number, on this device only. While it would become a member
  /// of another document, it stays at its path.
  ///
  /// - Parameter refused: receives the reason why it stays, or can't be moved. Without the closure, that error is
  ///   thrown, and the rest is left to the next exchange.
  package func followCurrentName(
    of location: DocumentLocation, refused: ((any Error) -> Void)? = nil
  ) throws -> DocumentLocation {
    try environment.reportingErrors(of: location) {
      let wanted = try environment.withWriter(at: location) { try $0.reader.document.wantedPath() }
      guard let wanted else { return location }
      return try follow(wanted, from: location, refused: refused)
    }
  }

  /// Moves the document and its store to the path of the current version, or to one beside it if that is
  /// taken.
  ///
  /// - Parameter refused: see ``followCurrentName(of:refused:)``.
  func follow(
    _ wanted: String, from location: DocumentLocation, refused: ((any Error) -> Void)? = nil
  ) throws -> DocumentLocation {
    do {
      let place = try DocumentLocation.free(
        for: wanted, in: location.container, besides: location)
      guard place != location else { return location }
      if let obstacle = try place.obstacle() {
        refused?(obstacle)
        return location
      }
      try move(location, to: place, isOwnName: place.path.hasBytes(of: wanted))
      return place
    } catch {
      guard let refused, !(error is CancellationError) else { throw error }
      refused(error)
      return location
    }
  }

  /// Moves a document and its store, and records that docversions moved them.
  ///
  /// A document with its own name is in the right place regardless of who moved it, so the entry is written after the
  /// move, and a crash before the move doesn't count as a rename. For a name with a number, only the entry shows that
  /// docversions chose it, so the entry is written first.
  package func move(
    _ location: DocumentLocation, to place: DocumentLocation, isOwnName: Bool = false
  ) throws {
    try LiveDatabase.refuseWriting(location.document)
    let lock = try location.lockStore(
      waitingAtMost: environment.lockSeconds, meter: environment.meter)
    // In a copy of the container, the recorded mark may be another file's.
    let mark =
      try WorkingFileEntry.mark(of: location.document)
      ?? WorkingFileEntry(in: location.store)?.mark ?? ""
    let entry = WorkingFileEntry(mark: mark, path: place.path)
    if !isOwnName { try entry.write(in: location.store) }
    try Folder.create(place.document.parentFolder)
    try Folder.create(place.store.parentFolder)
    if try FileStatus.of(location.document) != nil {
      try location.moveFile(to: place)
    }
    if isOwnName { try entry.write(in: location.store) }
    try location.moveStore(to: place)
    lock.release()
  }

  /// Completes the move of a store after a crash, if the document was already moved to a name with a number.
  ///
  /// - Returns: the present location of both.
  package func finishMove(of location: DocumentLocation) -> DocumentLocation {
    do {
      guard try placeOfUnfinishedMove(of: location) != nil else { return location }
      let lock = try location.lockStore(waitingAtMost: environment.lockSeconds)
      // The process that held the lock may just have been moving it.
      guard let place = try placeOfUnfinishedMove(of: location) else { return location }
      try location.moveStore(to: place)
      lock.release()
      return place
    } catch {
      // Opening this document reports the error.
      return location
    }
  }

  /// Returns the new location of a document whose store has not followed it; `nil` for any other.
  private func placeOfUnfinishedMove(of location: DocumentLocation) throws -> DocumentLocation? {
    guard try FileStatus.of(location.document) == nil else { return nil }
    guard let entry = try location.workingFile,
      !entry.path.hasBytes(of: location.path), ContainerPath.isValid(entry.path)
    else { return nil }
    let place = DocumentLocation(container: location.container, path: entry.path)
    let isThere = try WorkingFileEntry.mark(of: place.document) == entry.mark
    return try isThere && !place.hasStore ? place : nil
  }
}

extension DocumentLocation {
  /// Returns the path, or the first one with a number, that no other item or listed document has, in any case.
  package static func free(
    for path: String, in container: FilePath, besides own: DocumentLocation? = nil
  ) throws -> DocumentLocation {
    var place = DocumentLocation(container: container, path: path)
    let listed = try ListedNames.of(container)
    var number = 2
    while try place != own
      && (place.hasStore || FileStatus.of(place.document) != nil
        || place.otherSpelling(besides: own) != nil || listed.contain(place, besides: own))
    {
      place = DocumentLocation(container: container, path: ContainerPath.numbered(path, number))
      number += 1
    }
    return place
  }

  /// Returns the reason why another device's documents can't be put below a folder; `nil` if nothing prevents it.
  ///
  /// On this device, the item with the folder's name may be a package, or not a folder, or a nested container, in which
  /// the versions wouldn't be found.
  ///
  /// - Parameter listings: existing listings of the container.
  package func obstacle(knowing listings: ContainerListings? = nil) throws -> FileError? {
    var folder = container
    var names: [String] = []
    for name in path.pathNames().dropLast() {
      names.append(name)
      folder = folder.appending(bytes: Array(name.utf8))
      guard let kind = try FileStatus.of(folder)?.kind else { break }
      let passed = names.joined(separator: "/")
      if kind != .folder { return cannotGo(into: passed, "isn’t a folder here") }
      if try FileStatus.of(folder.appending(Layout.folderName))?.kind == .folder {
        return cannotGo(into: passed, "keeps versions of its own documents here")
      }
    }
    return try enclosingPackage(knowing: listings).map {
      cannotGo(into: $0.path, "is one document here")
    }
  }

  private func cannotGo(into folder: String, _ reason: String) -> FileError {
    FileError(
      .exists, path: document,
      message: """
        “\(Printable.text(path))” of another device can’t be put into “\(Printable.text(folder))”, which \
        \(reason). Rename or move one of them, on any device, and exchange again.
        """)
  }
}
