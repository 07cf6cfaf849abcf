internal import DocumentFiles
internal import DocumentStore
internal import Foundation

/// The file of an open document that is no longer at its location.
struct MovedFile {
  /// The file's last known state.
  let known: DiskRevision
  /// Its former location.
  let url: URL
  /// The document's identifier; `nil` if it has no versions yet.
  let identifier: String?
  let store: VersionStore

  /// Finds the location to which another program or device has moved or renamed the file; `nil` if it isn't found.
  ///
  /// - Parameter target: the new location, if a program reported it.
  func place(reportedAt target: URL?) async throws -> URL? {
    let near = try await BlockingPool.shared.run { [known, url] () -> URL? in
      if let target, try known.isPresent(at: target) { return target }
      return try known.neighbour(of: url)
    }
    if let near { return near }
    if let moved = try await movedPlace() { return moved }
    // Its versions are in the container to which it was moved.
    if let target, let moved = try await renamedPlace(inContainerOf: target) { return moved }
    return try await renamedPlace(inContainerOf: url)
  }

  /// Finds the location of the file if another document is in its place by now; `nil` for a file that was only replaced.
  func placeBesideSuccessor() async throws -> URL? {
    guard let identifier else { return nil }
    let isOwn = try await store.perform { [url] in
      StoreSearch($0.environment).followRenames(of: [url])
      return try DocumentLocation(of: url).documentIdentity?.contains(identifier) == true
    }
    return isOwn ? nil : try await renamedPlace(inContainerOf: url)
  }

  /// Returns the location of the same file in another folder.
  ///
  /// A file with the same contents may be a copy, into which the document must not be written.
  private func movedPlace() async throws -> URL? {
    do {
      return try await store.perform { [known, url] in
        guard let place = try $0.movedDocuments(among: [url]).first?.value else { return nil }
        return try known.isItem(at: place) ? place : nil
      }
    } catch is VersionError {
      // Without versions or a container, the new location can't be found.
      return nil
    }
  }

  /// Returns the location to which another device, or another program with its own store, has renamed or moved the
  /// document.
  private func renamedPlace(inContainerOf item: URL) async throws -> URL? {
    guard let identifier else { return nil }
    do {
      let place = try await store.perform { try $0.document(identifier, inContainerOf: item) }
      guard let place, place.standardizedFileURL != url.standardizedFileURL else { return nil }
      let isThere = try await BlockingPool.shared.run {
        try FileStatus.of(place.filePath) != nil
      }
      return isThere ? place : nil
    } catch let error as FileError where error.code == .notFound {
      // The folder is missing, too.
      return nil
    }
  }
}
