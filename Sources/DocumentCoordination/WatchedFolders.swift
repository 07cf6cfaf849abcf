internal import DocumentFiles
internal import DocumentStore
package import Foundation
package import SystemPackage

/// The folders in which it shows that something happens to an item or its versions.
package enum WatchedFolders {
  /// What a change in a folder is about.
  package enum Subject: Sendable, CaseIterable { case file, versions }

  /// The folder of an item, that of its heads, and those of a package; blocks.
  package static func of(_ url: URL, isPackage: Bool) throws -> [(Subject, FilePath)] {
    let path = try url.filePath
    var folders = [(Subject.file, path.parentFolder)]
    if let heads = try SynchronousStore.forPlaces.folderOfHeads(of: url) {
      folders.append((.versions, heads))
    }
    guard isPackage else { return folders }
    return try folders + Self.folders(in: ItemListing(path), at: path).map { (.file, $0) }
  }

  /// A package's own folder, and all folders in it.
  private static func folders(in listing: ItemListing, at path: FilePath) -> [FilePath] {
    guard let members = listing.members else { return [] }
    return members.reduce(into: [path]) { folders, member in
      folders += Self.folders(in: member, at: path.appending(bytes: member.name))
    }
  }
}
