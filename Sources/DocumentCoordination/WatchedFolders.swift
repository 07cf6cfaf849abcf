internal import DocumentFiles
internal import DocumentStore
package import Foundation
internal import SystemPackage

/// The folders that show changes of an item or its versions, observed as long as this value exists.
package struct WatchedFolders: Sendable {
  /// The subject of a change in a folder.
  package enum Subject: Sendable, CaseIterable { case file, versions }

  private let observations: [FolderObserver.Observation?]
  private let heads: HeadsPlace

  /// Observes the folder of an item, the folder of its heads, and the folders of a package; blocks.
  package init(
    _ url: URL, isPackage: Bool, _ handler: @escaping @Sendable (Subject) -> Void
  ) throws {
    let path = try url.filePath
    let observer = FolderObserver.shared
    heads = try HeadsPlace(of: url)
    var observations = [
      observer.observe(path.parentFolder, member: path.lastName) { handler(.file) },
      observer.observe(heads.folder, member: heads.member) { handler(.versions) },
    ]
    if isPackage {
      for folder in try Self.folders(in: ItemListing(path), at: path) {
        observations.append(observer.observe(folder) { handler(.file) })
      }
    }
    self.observations = observations
  }

  /// True if every change is reported.
  package var isComplete: Bool { observations.allSatisfy { $0 != nil } }

  /// Returns whether the observed folder is still the one of the item's versions, which the first version changes;
  /// blocks.
  package func hasHeads(of url: URL) throws -> Bool { try HeadsPlace(of: url) == heads }

  /// Returns the folder of a package, and all folders in it.
  private static func folders(in listing: ItemListing, at path: FilePath) -> [FilePath] {
    guard let members = listing.members else { return [] }
    return members.reduce(into: [path]) { folders, member in
      folders += Self.folders(in: member, at: path.appending(bytes: member.name))
    }
  }
}
