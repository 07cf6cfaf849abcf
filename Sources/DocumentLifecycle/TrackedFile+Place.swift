internal import DocumentFiles
internal import Foundation
internal import SystemPackage

extension TrackedFile {
  /// Whether a place is another one than the file's.
  ///
  /// - Throws: ``FileError`` with code `exists` where something else is there.
  func isElsewhere(_ place: URL) async throws -> Bool {
    guard place.standardizedFileURL != url.standardizedFileURL else { return false }
    return try await BlockingPool.shared.run { [url] in
      guard let present = try FileStatus.of(place.filePath) else { return true }
      // Another spelling of its name is the same item, where the file system takes them for one.
      if try FileStatus.of(url.filePath)?.isSameItem(as: present) == true { return true }
      throw FileError(
        .exists, path: try place.filePath, message: "“\(place.lastPathComponent)” is there already."
      )
    }
  }

  /// Whether the folder lets another file take this one's place.
  func canBeReplaced() async throws -> Bool {
    try await BlockingPool.shared.run { [url] in
      Folder.isWritable(try url.filePath.parentFolder)
    }
  }

  /// Goes to the document that a symbolic link leads to.
  func followLink() async throws {
    url = try await BlockingPool.shared.run { [url] in
      let path = try url.filePath
      guard try FileStatus.of(path)?.kind == .symbolicLink else { return url }
      return URL(filePath: try path.resolvingLinks().string)
    }
  }
}
