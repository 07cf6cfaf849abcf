internal import DocumentFiles
public import Foundation
internal import SystemPackage

/// Finding a document that somebody renamed.
extension VersionStore {
  /// Where documents are now that were renamed behind our back, as by `mv`, and were not saved since.
  ///
  /// Only the folders that they were in are looked at. Under its new name all else finds a document's versions by itself.
  ///
  /// - Parameter documents: where documents with versions are or were.
  /// - Returns: the new places by the former ones; nothing of a document that is at its place, in another folder, or
  ///   nowhere.
  /// - Throws: ``FileError`` where a folder can't be listed.
  public func renamedDocuments(among documents: [URL]) throws -> [URL: URL] {
    var missing: [FilePath: [String: URL]] = [:]
    for document in documents {
      let location = try DocumentLocation(of: document)
      do {
        guard let mark = try location.markWhereMissing else { continue }
        missing[location.document.parentFolder, default: [:]][mark] = document
      } catch {
        // Whoever opens this one is told what is wrong with it.
      }
    }
    var places: [URL: URL] = [:]
    for (folder, documents) in missing {
      let items = try DocumentLocation.unsavedItems(in: folder, among: Set(documents.keys))
      for (mark, item) in items {
        if let document = documents[mark] { places[document] = item.url }
      }
    }
    return places
  }
}

/// Finding a document's store, which somebody may move meanwhile.
extension VersionStore {
  /// Does something to a document's store where it is; again where somebody moved it meanwhile, because they renamed
  /// the document.
  ///
  /// - Parameter isMoving: whether it is moved along where the document was renamed behind our back.
  /// - Throws: ``VersionError`` with code `noVersions` where there is no store, or ``FileError`` with code `notFound` where
  ///   there is no document either.
  func whereItsStoreIs<Result>(
    _ location: DocumentLocation, movingIt isMoving: Bool = false,
    _ body: (DocumentLocation) throws -> Result
  ) throws -> Result {
    for _ in 1...Self.mostMoves {
      if let result = try unlessMoved(location, movingIt: isMoving, body) { return result }
    }
    throw FileError(
      .changing, path: location.document,
      message: "“\(location.printable)” is renamed all the time.")
  }

  /// The same; nil where somebody moved the store meanwhile.
  private func unlessMoved<Result>(
    _ location: DocumentLocation, movingIt isMoving: Bool,
    _ body: (DocumentLocation) throws -> Result
  ) throws -> Result? {
    var place = location
    if try !place.hasStore {
      place = try followingRename(location, movingStore: isMoving)
      guard try place.hasStore else {
        if place.store != location.store { return nil }
        throw try noVersions(place)
      }
    }
    guard let store = try FileStatus.of(place.store) else { return nil }
    do {
      return try body(place)
    } catch {
      guard try place.isStore(store) else { return nil }
      throw error
    }
  }

  private static let mostMoves = 100

  /// Where a document's store is; it is moved along where the document was renamed behind our back and something is to
  /// be changed.
  func followingRename(
    _ location: DocumentLocation, movingStore: Bool
  ) throws -> DocumentLocation {
    try location.followingRename(movingStoreWithin: movingStore && !isDryRun ? lockTimeout : nil)
  }
}
