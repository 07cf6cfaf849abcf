internal import DocumentFiles
package import Foundation
internal import SystemPackage

/// Access to containers, and to the documents and copies in them.
package protocol ContainerAccess {
  var environment: StoreEnvironment { get }
}

extension SynchronousStore: ContainerAccess {}

extension ContainerAccess {
  /// The container that a folder is, or is in; `nil` if there is none.
  package func container(around folder: URL) throws -> URL? {
    try ContainerFolder.holding(folder).map {
      URL(filePath: $0.container.string, directoryHint: .isDirectory)
    }
  }

  /// Makes a folder a container, unless it is already in one.
  package func makeContainer(_ folder: URL) throws {
    guard try ContainerFolder.holding(folder) == nil else { return }
    let folder = try folder.filePath.resolvingLinks()
    try Layout.makeDocumentsFolder(of: folder)
  }

  /// Returns whether there are versions under the path of a document; versions under former paths don't count.
  package func hasStore(_ document: URL) throws -> Bool {
    try DocumentLocation(of: document).hasStore
  }

  /// Returns whether a document at a path has versions.
  package func hasVersions(_ document: URL) throws -> Bool {
    try DocumentLocation(of: document).hasVersions(by: environment.fileClock)
  }

  /// Returns whether a folder is a package with versions, and so a document rather than a folder for documents.
  package func isSavedPackage(_ folder: URL) throws -> Bool {
    let location = try DocumentLocation(of: folder)
    return try location.hasStore
      && environment.reading(folder) {
        try $0.heads.base()?.facts.package == true
      }
  }

  /// The versions with the same contents as a file or package, newest first.
  package func versions(
    of document: URL, withContentsOf other: ContentsOnDisk
  ) throws -> [FileVersion] {
    try environment.reading(document) { reader in
      let same = try reader.chain.contents().keys.filter {
        let content = try reader.record($0).content
        return content?.digest == other.digest && content?.isPackage == other.isPackage
      }
      return try reader.versions(same)
    }
  }

  /// Reads the contents of a file or a package on disk.
  package func contentsOnDisk(_ url: URL) throws -> ContentsOnDisk {
    try ContentsOnDisk(reading: url, clock: environment.fileClock)
  }
}
