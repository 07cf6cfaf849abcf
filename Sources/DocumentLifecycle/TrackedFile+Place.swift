internal import DocumentFiles
internal import Foundation
internal import SystemPackage

extension TrackedFile {
  /// Compares the file with its last known state.
  func presence() async throws -> Presence {
    guard let disk else { return .known }
    return try await BlockingPool.shared.run { [url] in
      if try disk.isPresent(at: url) { return .known }
      return try FileStatus.of(url.filePath) == nil ? .absent : .changed
    }
  }

  /// Returns whether the file is what was written here, with all that it showed before; blocks.
  ///
  /// Contents of other programs may ignore some of that.
  var isOwn: @Sendable () throws -> Bool {
    let own = isAutosaved && !isBeside ? disk : nil
    return { [url] in try own?.isPresent(at: url) == true }
  }

  /// Returns whether the document is a package whose folder has replaced another item.
  func isFolder(replacing former: FileStatus?) -> Bool {
    guard let present = disk?.status, isPackage else { return false }
    return former.map { present.isSameItem(as: $0) } != true
  }

  /// Returns whether a location differs from the file's.
  ///
  /// - Throws: ``FileError`` with code `exists` if another item exists there.
  func isElsewhere(_ place: URL) async throws -> Bool {
    guard place.standardizedFileURL != url.standardizedFileURL else { return false }
    return try await BlockingPool.shared.run { [url] in
      guard let present = try FileStatus.of(place.filePath) else { return true }
      // A different spelling of its name may be the same item, depending on the file system.
      if try FileStatus.of(url.filePath)?.isSameItem(as: present) == true { return true }
      throw FileError(
        .exists, path: try place.filePath, message: "“\(place.lastPathComponent)” already exists."
      )
    }
  }

  /// Returns whether the folder allows another file to replace this one.
  func canBeReplaced() async throws -> Bool {
    try await BlockingPool.shared.run { [url] in
      Folder.isWritable(try url.filePath.parentFolder)
    }
  }

  /// Follows a symbolic link to the document.
  func followLink() async throws {
    url = try await BlockingPool.shared.run { [url] in
      let path = try url.filePath
      guard try FileStatus.of(path)?.kind == .symbolicLink else { return url }
      return URL(filePath: try path.resolvingLinks().string)
    }
  }
}
