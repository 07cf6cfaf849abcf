internal import DocumentFiles
package import Foundation
internal import Synchronization
internal import SystemPackage

/// The containers of other users that the person named, in which versions may be kept and read.
package enum TrustedContainers {
  private static let folders = Mutex<Set<FilePath>>([])

  /// Adds a folder that holds `.docversions`, for the whole process.
  package static func insert(_ folder: URL) throws {
    let path = try folder.filePath.resolvingLinks()
    folders.withLock { _ = $0.insert(path) }
  }

  /// Returns whether the person named a folder; its path has no links.
  static func contains(_ folder: FilePath) -> Bool {
    folders.withLock { $0.contains(folder) }
  }
}
