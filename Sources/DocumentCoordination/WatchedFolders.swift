internal import DocumentFiles
internal import DocumentStore
package import Foundation
internal import SystemPackage

/// The folders in which it shows that something happens to an item or its versions, observed as long as this value lives.
package struct WatchedFolders: Sendable {
  /// What a change in a folder is about.
  package enum Subject: Sendable, CaseIterable { case file, versions }

  private let observations: [FolderObserver.Observation?]
  private let heads: HeadsPlace

  /// Observes the folder of an item, that of its heads, and those of a package; blocks.
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

  /// Whether every change is reported.
  package var isComplete: Bool { observations.allSatisfy { $0 != nil } }

  /// Whether the versions of an item still are where they are observed, until the first one makes a store; blocks.
  package func hasHeads(of url: URL) throws -> Bool { try HeadsPlace(of: url) == heads }

  /// A package's own folder, and all folders in it.
  private static func folders(in listing: ItemListing, at path: FilePath) -> [FilePath] {
    guard let members = listing.members else { return [] }
    return members.reduce(into: [path]) { folders, member in
      folders += Self.folders(in: member, at: path.appending(bytes: member.name))
    }
  }
}
