internal import DocumentFiles
internal import Foundation
package import SystemPackage

#if canImport(Glibc)
internal import Glibc
#else
internal import Darwin
#endif

/// Finding containers.
package enum ContainerFolder {
  /// Returns the folder itself or the nearest one above it that holds `.docversions`; `nil` if none does.
  ///
  /// - Throws: ``VersionError`` with code `foreignContainer` if the container belongs to another user, who
  ///   could read and change the versions. Containers of root, and those that the person named, are trusted.
  package static func nearest(from start: FilePath) throws -> FilePath? {
    guard let (folder, status) = try nearestOfAnyone(from: start) else { return nil }
    guard isTrusted(folder, status) else {
      let stores = folder.appending(Layout.folderName)
      throw VersionError(
        .foreignContainer, document: start.printable,
        message: """
          “\(stores.printable)” belongs to another user; versions are not kept or read there unless you say so.
          """,
        recovery: .makeContainer(folder: start.string, foreign: folder.string))
    }
    return folder
  }

  private static func isTrusted(_ folder: FilePath, _ status: FileStatus) -> Bool {
    [geteuid(), 0].contains(status.owner) || TrustedContainers.contains(folder)
  }

  /// Returns the nearest container of any owner, and the status of its `.docversions`.
  private static func nearestOfAnyone(
    from folder: FilePath
  ) throws -> (folder: FilePath, status: FileStatus)? {
    var folder = folder
    while true {
      if let status = try FileStatus.of(folder.appending(Layout.folderName)),
        status.kind == .folder
      {
        return (folder, status)
      }
      guard folder.removeLastComponent() else { return nil }
    }
  }

  /// Returns the container, of any owner, that a new folder would be in and whose documents it would show;
  /// `nil` if there is none.
  ///
  /// Items below a hidden folder, such as app data below a user's folder, don't count as documents.
  static func showing(_ folder: FilePath) throws -> FilePath? {
    var (parent, inner) = (folder.parentFolder, [FilePath.Component]())
    while try FileStatus.of(parent) == nil, let last = parent.lastComponent {
      inner.append(last)
      parent = parent.parentFolder
    }
    parent = try parent.resolvingLinks()
    guard let (outer, _) = try nearestOfAnyone(from: parent),
      !(parent.components.dropFirst(outer.components.count) + inner)
        .contains(where: { $0.string.hasPrefix(".") })
    else { return nil }
    return outer
  }

  /// Returns a folder without links, and the container that it is in; `nil` if it isn't in one.
  ///
  /// - Parameter isGone: whether the folder need not exist.
  static func holding(
    _ folder: URL, orGone isGone: Bool = false
  ) throws -> (folder: FilePath, container: FilePath)? {
    let path = try folder.filePath
    let folder =
      try isGone ? DocumentLocation.normalizedWithoutFolder(path) : path.resolvingLinks()
    guard let nearest = try nearest(from: folder) else { return nil }
    if nearest == folder, let (outer, status) = try nearestOfAnyone(from: folder.parentFolder),
      isTrusted(outer, status), try DocumentLocation(of: folder).hasStore
    {
      // A package with a member of that name.
      return (folder, outer)
    }
    return (folder, nearest)
  }

  // MARK: Links in the places of folders

  /// Returns a document's place on a path on which a link is in the place of a folder, and its container; `nil` for any
  /// other path.
  ///
  /// The versions stay those of this place, whatever the link leads to.
  ///
  /// - Parameter target: the path without links; `nil` if the link leads nowhere.
  static func placeBehindLink(
    at given: FilePath, leadingTo target: FilePath?
  ) throws -> (container: FilePath, document: FilePath)? {
    let path = given.lexicallyNormalized()
    // Most paths lead through no link.
    guard path.isAbsolute, path != target, let folder = try nearest(from: path.parentFolder)
    else { return nil }
    var rest = path
    _ = rest.removePrefix(folder)
    let container = try folder.resolvingLinks()
    let document = container.pushing(rest)
    return document == target ? nil : (container, document)
  }

  /// Returns whether there is an item in a document's place, and no link in the place of a folder leads to it.
  static func hasItem(at document: FilePath, in container: FilePath) throws -> Bool {
    guard try FileStatus.of(document) != nil else { return false }
    var folder = document.parentFolder
    while folder != container {
      if try FileStatus.of(folder)?.kind == .symbolicLink { return false }
      folder = folder.parentFolder
    }
    return true
  }
}
