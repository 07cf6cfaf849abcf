internal import DocumentFiles
internal import DocumentGit
internal import Foundation
internal import SystemPackage

/// Writes the contents of versions to other places.
struct Exporting {
  let environment: StoreEnvironment

  init(_ environment: StoreEnvironment) {
    self.environment = environment
  }

  /// Writes a version to another place; see ``SynchronousStore/export(_:to:member:replacing:)``.
  func export(
    _ version: FileVersion, to url: URL, member: String? = nil, replacing: Bool = false
  ) throws {
    let path = try url.filePath
    try environment.reading(version.documentURL) { reader in
      try reader.location.checkPlace(path)
      let record = try reader.localRecord(version)
      let item = try reader.contents.item(of: record, member: member)
      let present = try FileStatus.of(path)
      if let present {
        guard replacing else {
          throw FileError(.exists, path: path, message: "There already is a “\(path.printable)”.")
        }
        let isFolder = if case .folder = item { true } else { false }
        try checkKind(of: present, at: path, replacedByFolder: isFolder)
        if isFolder { try checkFolder(path, replacedBy: member ?? version.localizedName) }
      }
      try LiveDatabase.refuseWriting(path)
      if environment.isDryRun { return }
      let permissions = try reader.permissions(of: record, replacing: nil)
      if present != nil { try keepEdits(ofDocumentAt: path) }
      if member == nil { reader.meter.expect(version.size) }
      try DocumentWriter.replaceElsewhere(
        path, with: item.recorded(permissions, at: memberPath(member, of: version, in: reader)),
        displacing: present == nil ? nil : ItemListing(path, limits: nil),
        modified: record.facts.modifiedInNanoseconds, progress: reader.meter.advance)
    }
  }

  /// Returns the names in a member's path; none for the document.
  private func memberPath(
    _ member: String?, of version: FileVersion, in reader: StoreReader
  ) throws -> [[UInt8]] {
    guard let member else { return [] }
    return try reader.contents.member(member, of: reader.knownRecord(version)).path
      .split(separator: UInt8(ascii: "/")).map { Array($0) }
  }

  /// Throws an error for replacing a folder that is probably not meant, because the person wanted to copy
  /// into it.
  private func checkFolder(_ path: FilePath, replacedBy name: String) throws {
    let new = FilePath(name)
    let isSame = path.lastComponent == new.lastComponent
    guard !isSame, path.extension == nil || path.extension != new.extension else { return }
    throw FileError(
      .wrongKind, path: path,
      message: "“\(path.printable)” is a different kind of folder and stays as it is.")
  }

  /// Throws an error for replacing a file by a folder, or the reverse.
  private func checkKind(
    of present: FileStatus, at path: FilePath, replacedByFolder isFolder: Bool
  ) throws {
    guard (present.kind == .folder) != isFolder else { return }
    throw FileError(
      .wrongKind, path: path,
      message: """
        “\(path.printable)” is \(isFolder ? "a file" : "a folder"), which the version is not.
        """)
  }

  /// Saves the edits of the document at a path, or of the package that it is in.
  private func keepEdits(ofDocumentAt path: FilePath) throws {
    guard try FileStatus.of(path)?.kind != .symbolicLink else { return }
    let location = try DocumentLocation(of: path)
    let document =
      try location.hasVersions(by: environment.fileClock)
      ? location : location.enclosingPackage()
    guard let document else { return }
    try environment.withWriter(of: document) { writer in
      _ = try writer.keepEdits(writer.reader.document.copy())
    }
  }

  // MARK: Replacing an item

  /// Puts a version in place of an item; see ``FileVersion/replaceItem(at:options:)``.
  func replaceItem(at url: URL, with version: FileVersion, moving: Bool) throws -> URL {
    let target = try DocumentLocation(of: url)
    if try isDocument(of: version, at: target) {
      guard !moving else {
        throw VersionError(
          .invalidArgument, document: target.printable,
          message: "A version can’t replace its own document, only a separate file.")
      }
      return try restoringExtension(version, at: target, namedBy: url)
    }
    let place = try target.withExtension(of: version)
    // The item gets another name.
    if place != target { _ = try DocumentLocation(of: url, links: .refused) }
    try checkReplaceable(target, by: version, at: place)
    let removing = Removing(environment)
    if moving { try removing.checkRemovable([version], of: version.documentURL) }
    try export(version, to: place, inPlaceOf: target)
    if moving { try removing.remove([version], of: version.documentURL) }
    return place.url
  }

  /// Throws an error for an item other than the named one, for one of another kind, and for one that no
  /// version may replace.
  private func checkReplaceable(
    _ target: DocumentLocation, by version: FileVersion, at place: DocumentLocation
  ) throws {
    try DocumentLocation(of: version.documentURL).checkPlace(target.document)
    let present = try FileStatus.of(target.document)
    if place != target { try refuseExisting(place) }
    if let present {
      try checkKind(of: present, at: target.document, replacedByFolder: version.isPackage)
    }
  }

  /// Replaces an item, after renaming it if its extension changes; a document is renamed with its versions.
  private func export(
    _ version: FileVersion, to place: DocumentLocation, inPlaceOf target: DocumentLocation
  ) throws {
    let isMoved =
      try place != target && !environment.isDryRun && FileStatus.of(target.document) != nil
    let isDocument = try isMoved && target.hasVersions(by: environment.fileClock)
    if isDocument {
      _ = try Renaming(environment).rename(target.url, to: ContainerPath.name(of: place.path))
    } else if isMoved {
      try DocumentWriter.move(target.document, to: place.document)
    }
    do {
      try export(version, to: place.url, replacing: true)
    } catch {
      // Rolls back, so that a reported failure leaves no change except the version of the rename. A failure
      // to roll back would only hide the original error.
      if isMoved, !isDocument {
        do { try DocumentWriter.move(place.document, to: target.document) } catch {}
      }
      throw error
    }
  }

  private func refuseExisting(_ place: DocumentLocation) throws {
    guard try FileStatus.of(place.document) != nil else { return }
    throw FileError(
      .exists, path: place.document, message: "There already is a “\(place.printable)”.")
  }

  /// Returns whether the version belongs to the document at a location, which may have been renamed since it
  /// was listed.
  private func isDocument(of version: FileVersion, at location: DocumentLocation) throws -> Bool {
    if try location == DocumentLocation(of: version.documentURL) { return true }
    guard try location.hasVersions(by: environment.fileClock) else { return false }
    let id = version.persistentIdentifier.objectID
    return try environment.reading(location.url) { try $0.objects.repository.contains(id) }
  }

  /// Restores the version, and gives the document the version's extension if it differs.
  private func restoringExtension(
    _ version: FileVersion, at document: DocumentLocation, namedBy url: URL
  ) throws -> URL {
    let place = try document.withExtension(of: version)
    let renaming = Renaming(environment)
    if place != document {
      _ = try DocumentLocation(of: url, links: .refused)
      try renaming.checkRename(of: document, to: place)
    }
    _ = try Restoring(environment).restore(version, of: document.url)
    guard place != document else { return document.url }
    return try renaming.rename(document.url, to: ContainerPath.name(of: place.path)).version
      .documentURL
  }

  // MARK: Copies

  /// Returns a read-only copy of a version's contents; see ``FileVersion/url``.
  func checkout(_ version: FileVersion) throws -> URL? {
    // The copy is kept in the store.
    try RestingActivation.run(DocumentLocation(of: version.documentURL))
    return try environment.reading(version.documentURL) { reader in
      let record = try reader.knownRecord(version)
      guard record.content != nil, try reader.chain.content(of: record.id) != nil else {
        return nil
      }
      let folder = StoreFile.checkouts.path(in: reader.location.store)
        .appending(record.id.description)
      let path = folder.appending(bytes: Array(version.localizedName.utf8))
      if try FileStatus.of(path) == nil {
        try Folder.createInside(folder)
        let store = try Readership.inside(reader.location.store)
        reader.meter.expect(version.size)
        do {
          try DocumentWriter.replace(
            path,
            with: reader.contents.item(of: record).recorded(
              RecordedPermissions(record.facts.permissions, limitedTo: store)), displacing: nil,
            modified: record.facts.modifiedInNanoseconds, progress: reader.meter.advance)
        } catch let error as FileError where error.code == .exists {
          // Another process was faster; the contents are the same.
        }
        try DocumentWriter.makeReadOnly(path)
      }
      return URL(filePath: path.string)
    }
  }
}

extension DocumentLocation {
  /// Returns the location with the document's extension in a version.
  fileprivate func withExtension(of version: FileVersion) throws -> DocumentLocation {
    let own = document.extension
    let other = FilePath(version.localizedName).extension
    guard own != other else { return self }
    var place = document
    place.extension = other
    return try DocumentLocation(of: place, links: .itself)
  }

  /// Throws an error for a place where the version would replace anything other than the person’s own file or
  /// folder: a store, a folder with stores, the document itself, or a device.
  func checkPlace(_ path: FilePath) throws {
    let place = try DocumentLocation.normalized(path)
    if place.components.contains(where: { ContainerPath.isStoresFolder($0.string) }) {
      throw FileError(
        .invalidName, path: place,
        message: "“\(place.printable)” belongs to a store; choose another place.")
    }
    if document.starts(with: place) {
      throw VersionError(
        .invalidArgument, document: printable,
        message: "“\(place.printable)” is the document itself, or contains it.",
        hint: "To put the version in the document’s place, leave out the other place.")
    }
    let status = try FileStatus.of(place)
    if case .other(let special)? = status?.kind {
      throw FileError(
        .unsupportedKind, path: place, message: "“\(place.printable)” is \(special.rawValue).")
    }
    try StoresFolder.refuseReplacing(place)
  }
}
