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
  /// The statuses of the folders from before they were observed.
  private let statuses: [FilePath: FileStatus?]

  /// Observes the folder of an item, the folder of its heads, and the folders of a package; blocks.
  package init(
    _ url: URL, isPackage: Bool, _ handler: @escaping @Sendable (Subject) -> Void
  ) throws {
    let path = try url.filePath
    let observer = FolderObserver.shared
    heads = try HeadsPlace(of: url)
    let inner = try isPackage ? Self.folders(in: ItemListing(path), at: path) : []
    statuses = try Dictionary(
      ([path.parentFolder, heads.folder] + inner).map { try ($0, FileStatus.of($0)) },
      uniquingKeysWith: { $1 })
    var observations = [
      observer.observe(path.parentFolder, member: path.lastName) { handler(.file) },
      observer.observe(heads.folder, member: heads.member) { handler(.versions) },
    ]
    observations += inner.map { observer.observe($0) { handler(.file) } }
    self.observations = observations
  }

  /// True if every change is reported.
  package var isComplete: Bool { observations.allSatisfy { $0 != nil } }

  /// Returns whether these are still the folders that show changes: the first version creates a store, and another folder
  /// may get the path of one; blocks.
  package func areCurrent(for url: URL) throws -> Bool {
    try HeadsPlace(of: url) == heads
      && statuses.allSatisfy { folder, status in
        let present = try FileStatus.of(folder)
        guard let present, let status else { return present == nil && status == nil }
        return present.isSameItem(as: status)
      }
  }

  /// Returns the folder of a package, and all folders in it.
  private static func folders(in listing: ItemListing, at path: FilePath) -> [FilePath] {
    guard let members = listing.members else { return [] }
    return members.reduce(into: [path]) { folders, member in
      folders += Self.folders(in: member, at: path.appending(bytes: member.name))
    }
  }
}
