package import DocumentFiles
internal import DocumentStore
package import Foundation
internal import SystemPackage

/// The folders in which it shows that something happens to an item or its versions.
package enum WatchedFolders {
  /// What a change in a folder is about.
  package enum Subject: Sendable, CaseIterable { case file, versions }

  /// Observes the folder of an item, that of its heads, and those of a package; blocks.
  ///
  /// - Returns: what lasts as long as that; nil where not every change is reported.
  package static func observe(
    _ url: URL, isPackage: Bool, _ handler: @escaping @Sendable (Subject) -> Void
  ) throws -> [FolderObserver.Observation]? {
    let path = try url.filePath
    let observer = FolderObserver.shared
    var observations = [
      observer.observe(path.parentFolder, member: path.lastName) { handler(.file) }
    ]
    if let heads = try SynchronousStore.forPlaces.folderOfHeads(of: url) {
      observations.append(observer.observe(heads) { handler(.versions) })
    }
    if isPackage {
      for folder in try Self.folders(in: ItemListing(path), at: path) {
        observations.append(observer.observe(folder) { handler(.file) })
      }
    }
    let all = observations.compactMap { $0 }
    return all.count == observations.count ? all : nil
  }

  /// A package's own folder, and all folders in it.
  private static func folders(in listing: ItemListing, at path: FilePath) -> [FilePath] {
    guard let members = listing.members else { return [] }
    return members.reduce(into: [path]) { folders, member in
      folders += Self.folders(in: member, at: path.appending(bytes: member.name))
    }
  }
}
