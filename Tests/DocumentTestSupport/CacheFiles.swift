public import Foundation

/// The caches of stores and containers: files that may be deleted at any time without changing an answer.
public enum CacheFiles {
  /// Their names; in a store or in the folder `.docversions` of a container.
  public static let names: Set<String> = [
    // Of a store.
    "known-members", "known-chunks", "version-index", "change-counts",
    // Of a container.
    "quiet-documents", "index", "peers",
  ]

  /// Deletes the caches of a container and of all its stores.
  ///
  /// - Returns: the number of deleted caches.
  @discardableResult
  public static func delete(in container: URL) throws -> Int {
    let folder = container.appending(path: ".docversions")
    guard FileManager.default.fileExists(atPath: folder.path) else { return 0 }
    let found = try FileManager.default.subpathsOfDirectory(atPath: folder.path)
      .filter { names.contains(($0 as NSString).lastPathComponent) }
      .map { folder.appending(path: $0) }
    for file in found { try FileManager.default.removeItem(at: file) }
    return found.count
  }
}
