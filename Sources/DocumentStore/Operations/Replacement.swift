internal import DocumentFiles
internal import DocumentGit
internal import Foundation
internal import SystemPackage

/// Putting a version in the place of an item.
extension VersionStore {
  func replaceItem(at url: URL, with version: FileVersion, moving: Bool) throws -> URL {
    let target = try DocumentLocation(of: url)
    if try isDocument(of: version, at: target) {
      guard !moving else {
        throw VersionError(
          .invalidArgument, document: target.printable,
          message: "A version can’t move into its own document; only into a file of its own.")
      }
      return try restoringExtension(version, at: target)
    }
    let place = try target.withExtension(of: version)
    try checkReplaceable(target, by: version, at: place)
    if moving { try checkRemovable([version], of: version.documentURL) }
    try export(version, to: place, inPlaceOf: target)
    if moving { try remove([version], of: version.documentURL) }
    return place.url
  }

  /// Refuses to replace another item than was named, one of another kind, and what no version may take the place of.
  private func checkReplaceable(
    _ target: DocumentLocation, by version: FileVersion, at place: DocumentLocation
  ) throws {
    try checkPlace(target.document, for: DocumentLocation(of: version.documentURL))
    let present = try FileStatus.of(target.document)
    if place != target { try refuseExisting(place) }
    if let present {
      try checkKind(of: present, at: target.document, replacedByFolder: version.isPackage)
    }
  }

  /// Replaces an item, which is renamed first where it gets another extension; a document with its versions.
  private func export(
    _ version: FileVersion, to place: DocumentLocation, inPlaceOf target: DocumentLocation
  ) throws {
    let isMoved = try place != target && !isDryRun && FileStatus.of(target.document) != nil
    let isDocument = try isMoved && target.hasVersions
    if isDocument {
      try rename(target.url, to: ContainerPath.name(of: place.path))
    } else if isMoved {
      try DocumentWriter.move(target.document, to: place.document)
    }
    do {
      try export(version, to: place.url, replacing: true)
    } catch {
      // What is told as failed was not done; a renamed document has a version that says so. A failure of going back
      // would only hide the one that matters.
      if isMoved, !isDocument {
        do { try DocumentWriter.move(place.document, to: target.document) } catch {}
      }
      throw error
    }
  }

  private func refuseExisting(_ place: DocumentLocation) throws {
    guard try FileStatus.of(place.document) != nil else { return }
    throw FileError(
      .exists, path: place.document, message: "There is a “\(place.printable)” already.")
  }

  /// Whether the version is one of the document there, which may have been renamed since it was listed.
  private func isDocument(of version: FileVersion, at location: DocumentLocation) throws -> Bool {
    if try location == DocumentLocation(of: version.documentURL) { return true }
    guard try location.hasVersions else { return false }
    let id = version.persistentIdentifier.objectID
    return try reading(location.url) { try $0.repository.contains(id) }
  }

  /// Restores, and gives the document the version's extension where it differs.
  private func restoringExtension(_ version: FileVersion, at document: DocumentLocation) throws
    -> URL
  {
    let place = try document.withExtension(of: version)
    if place != document { try checkRename(of: document, to: place) }
    try restore(version, of: document.url)
    guard place != document else { return document.url }
    return try rename(document.url, to: ContainerPath.name(of: place.path)).documentURL
  }
}

extension DocumentLocation {
  /// The location with the extension that the document had in a version.
  fileprivate func withExtension(of version: FileVersion) throws -> DocumentLocation {
    let own = document.extension
    let other = FilePath(version.localizedName).extension
    guard own != other else { return self }
    var place = document
    place.extension = other
    return try DocumentLocation(of: place)
  }
}
