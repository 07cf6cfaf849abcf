internal import DocumentFiles
internal import DocumentStore
internal import Foundation

/// Moving and deleting the file, and following it.
extension TrackedFile {
  /// Deletes the document, after making a version if there is none, so that the deletion can be undone.
  func delete() async throws {
    if base == nil { base = try await store.save(url, asPackage: isPackage).version }
    try await store.delete(url)
  }

  /// Moves or renames the file with its versions, also to another container.
  func move(to place: URL) async throws {
    if base == nil, damage == nil {
      try await BlockingPool.shared.run { [url] in
        try DocumentWriter.move(url.filePath, to: place.filePath)
      }
    } else {
      _ = try await store.perform { [url] in try $0.move(url, to: place) }
    }
    url = place
    // Once the file is there, the document follows it, even if the task is canceled meanwhile.
    try await Task {
      // The version is read first, as in reading.
      let shown = try await shownVersion()
      guard try await hasArrived(), base != nil else { return }
      base = shown
      if lastKept != nil { lastKept = base }
    }.value
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
    guard let known = disk else { return false }
    let moved = MovedFile(known: known, url: url, identifier: identifier, store: store)
    let place: URL? =
      switch try await presence() {
      case .known: nil
      case .absent: try await moved.place(reportedAt: target)
      case .changed: try await moved.placeBesideSuccessor()
      }
    guard let place else { return false }
    url = place
    // This happens at once, because the store recognizes a moved document by its file, which the next save
    // replaces.
    if try await hasArrived(), base != nil {
      let version = try await saveVersion(in: store).version
      guard try await presence() == .known else { return true }
      record(version)
      isUnversioned = false
    }
    return true
  }

  /// Returns whether the file arrived unchanged at its new location, which is then its last known state.
  ///
  /// A file that was also changed stays unknown: the document is loaded again, or saved beside it. So does a package
  /// that was copied to another container.
  private func hasArrived() async throws -> Bool {
    guard let known = disk else { return true }
    changedMembers = nil
    let present = try await BlockingPool.shared.run { [url] in
      try FileStatus.of(url.filePath).map { known.with($0, at: try url.filePath) }
    }
    guard let present else { return false }
    var isSame = try await presence() == .known
    if !isSame { isSame = try await isCopy(of: known) }
    guard isSame else { return false }
    disk = present
    guard try await presence() == .known else {
      disk = known
      return false
    }
    return true
  }

  /// Returns whether the file is an unchanged copy of a file, made by a move to another container.
  private func isCopy(of known: DiskRevision) async throws -> Bool {
    guard base != nil, !isPackage,
      try await !BlockingPool.shared.run({ [url] in try known.isItem(at: url) })
    else { return false }
    try await keepFormer()
    guard try await store.state(of: url) == .unchanged, let base,
      let shown = try await shownVersion()
    else { return false }
    return shown == base || shown.kind == .move && shown.parents.contains(base.id)
  }
}
