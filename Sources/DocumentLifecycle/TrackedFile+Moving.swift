internal import DocumentFiles
internal import DocumentStore
internal import Foundation

/// Moving the file, and following it.
extension TrackedFile {
  /// Moves or renames the file with its versions.
  func move(to place: URL) async throws {
    let folders = [url, place].map { $0.deletingLastPathComponent().standardizedFileURL.path }
    if base != nil && folders[0] == folders[1] {
      url = try await store.rename(url, to: place.lastPathComponent).documentURL
    } else {
      try await BlockingPool.shared.run { [url] in
        try DocumentWriter.move(url.filePath, to: place.filePath)
      }
      url = place
      if base != nil { try await store.save(place, asPackage: isPackage) }
    }
    // The version is read first, as in reading.
    let shown = try await shownVersion()
    guard try await hasArrived(), base != nil else { return }
    base = shown
    lastKept = base
  }

  /// Changes the file's extension.
  func changeExtension(to suffix: String) async throws {
    guard url.pathExtension != suffix else { return }
    try await move(to: url.deletingPathExtension().appendingPathExtension(suffix))
    isTypeChanged = true
  }

  /// Follows the file if another program has moved or renamed it.
  ///
  /// - Parameter target: the new location, if that program reported it.
  /// - Returns: whether the file was found at a new location.
  func followMove(to target: URL? = nil) async throws -> Bool {
    guard let known = disk, try await presence() == .absent else { return false }
    let moved = MovedFile(known: known, url: url, identifier: identifier, store: store)
    guard let place = try await moved.place(reportedAt: target) else { return false }
    url = place
    // This happens at once, because the store recognizes a moved document by its file, which the next save
    // replaces.
    if try await hasArrived(), base != nil {
      let version = try await store.save(place, asPackage: isPackage).version
      guard try await presence() == .known else { return true }
      base = version
      isUnversioned = false
      unkept = nil
    }
    return true
  }

  /// Returns whether the file arrived unchanged at its new location, which is then its last known state.
  ///
  /// A file that was also changed stays unknown: the document is loaded again, or saved beside it.
  private func hasArrived() async throws -> Bool {
    guard let known = disk else { return true }
    let present = try await BlockingPool.shared.run { [url] () -> DiskRevision? in
      guard try known.isPresent(at: url) else { return nil }
      return try FileStatus.of(url.filePath).map { known.with($0, at: try url.filePath) }
    }
    changedMembers = nil
    guard let present else { return false }
    disk = present
    return true
  }
}
