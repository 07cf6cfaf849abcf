package import DocumentFiles
internal import DocumentGit
package import Foundation
package import SystemPackage

/// Finds documents that were renamed or moved outside docversions, for example by `mv`, and not saved since.
///
/// ``RenameAssignment`` matches files and documents. A file matches none if its name shows that it is a copy,
/// or was put aside. ``StoreSearch`` goes the other way: from a file to the store that it had under its
/// former name.
package struct MissingDocuments {
  private let missing: [Missing]

  /// A missing document.
  private struct Missing {
    let document: URL
    let location: DocumentLocation
    let mark: String
  }

  /// - Parameter documents: the present or former locations of documents with versions; those whose own files
  ///   are in place are omitted.
  package init(among documents: [URL]) {
    missing = documents.compactMap { document in
      do {
        let location = try DocumentLocation(of: document)
        return try OwnFile(of: location).markWhereAway.map {
          Missing(document: document, location: location, mark: $0)
        }
      } catch {
        // Opening this document reports the error.
        return nil
      }
    }
  }

  /// Records that a document without its file was moved to a path, at which nothing else would show it.
  ///
  /// Nothing is recorded for a file without versions, or if there is another document at the path.
  package static func recordMove(of document: FilePath, to place: FilePath) throws {
    let (former, place) = try (DocumentLocation(of: document), DocumentLocation(of: place))
    guard former.container == place.container, try former.isMissing, try !place.hasStore else {
      return
    }
    try RestingActivation.run(former)
    tidyUp { try former.recordMove(to: place) }
  }

  // MARK: In the same folder

  /// Returns the new locations of documents by their former ones, if they got another name in the same
  /// folder.
  ///
  /// - Throws: ``FileError`` if a folder can't be listed.
  package func renamed() throws -> [URL: URL] {
    try inSameFolder().filter { try !$0.value.hasStore }.mapValues(\.url)
  }

  /// Returns the items in the same folders that are the documents' own files, with or without stores of their own.
  func inSameFolder() throws -> [URL: DocumentLocation] {
    var places: [URL: DocumentLocation] = [:]
    for (folder, missing) in Dictionary(grouping: missing, by: \.location.document.parentFolder) {
      let documents = Dictionary(missing.map { ($0.mark, $0) }, uniquingKeysWith: { $1 })
      for (mark, item) in try Self.items(in: folder, among: Set(documents.keys)) {
        guard let document = documents[mark],
          try !OwnFile(of: document.location).isPutAside(at: item)
        else { continue }
        places[document.document] = item
      }
    }
    return places
  }

  /// Returns the locations of items in a folder by the marks with which stores would recognize them; one with a store
  /// only if there is no other one.
  private static func items(
    in folder: FilePath, among marks: Set<String>
  ) throws -> [String: DocumentLocation] {
    guard try FileStatus.of(folder)?.kind == .folder else { return [:] }
    var places: [String: DocumentLocation] = [:]
    for name in try Folder.names(in: folder) {
      let item = folder.appending(bytes: name)
      // An item with a name that no document may have isn't a document.
      guard let mark = try WorkingFileEntry.mark(of: item), marks.contains(mark),
        String(validating: name, as: UTF8.self) != nil
      else { continue }
      let location = try DocumentLocation(of: item)
      if try places[mark] == nil || !location.hasStore { places[mark] = location }
    }
    return places
  }

  // MARK: In each other's places

  /// Returns the circles of documents that took each other's places, as after `mv a t`, `mv b a` and `mv t b`: the file
  /// of each is in the place of the next one, and that of the last one in the place of the first one.
  ///
  /// - Parameter others: further documents that may be part of a circle.
  func circles(with others: [URL] = []) throws -> [[DocumentLocation]] {
    let all = missing + MissingDocuments(among: others).missing
    var places: [String: DocumentLocation] = [:]
    for location in all.map(\.location) {
      if let mark = try WorkingFileEntry.mark(of: location.document) { places[mark] = location }
    }
    let marks = Dictionary(
      all.map { ($0.location.document, $0.mark) }, uniquingKeysWith: { $1 })
    return all.compactMap { first in
      var circle = [first.location]
      var mark: String? = first.mark
      while let file = mark, let place = places.removeValue(forKey: file) {
        if place == first.location { return circle }
        circle.append(place)
        mark = marks[place.document]
      }
      return nil
    }
  }

  // MARK: Anywhere in the container

  /// The present locations of documents.
  package struct Moves {
    /// The new locations by the former ones.
    package fileprivate(set) var places: [URL: URL] = [:]
    /// The documents that are one of several files, with nothing to determine which one.
    package fileprivate(set) var open: Set<URL> = []
  }

  /// Finds documents in any folder of their container.
  ///
  /// Hidden folders, other containers, and folders that are packages are not searched.
  ///
  /// - Parameter clock: the clock to compare file times with.
  package func moved(by clock: FileClock) throws -> Moves {
    var moves = Moves()
    let listings = ContainerListings()
    for (container, missing) in Dictionary(grouping: missing, by: \.location.container) {
      let documents = Dictionary(
        missing.map { (Array($0.location.path.utf8), $0.document) }, uniquingKeysWith: { $1 })
      let replaced = Dictionary(
        try missing.filter { try !$0.location.isMissing }.map { ($0.mark, $0) },
        uniquingKeysWith: { $1 })
      let unsaved = try ContainerMoves(container: container, clock: clock, listings: listings)
        .unsavedFiles(with: replaced.keys)
      for file in unsaved {
        let place = DocumentLocation(container: container, path: file.path)
        if let document = replaced[file.mark] {
          if try OwnFile(of: document.location).isMoved(to: place) {
            moves.places[document.document] = place.url
          }
          continue
        }
        let answer: FormerLocationSearch.Answer
        do {
          answer = try FormerLocationSearch(place, knowing: listings).find(readingBy: clock)
        } catch {
          // An unreadable file can't be identified.
          continue
        }
        switch answer {
        case .former(let former):
          if let document = documents[Array(former.path.utf8)] {
            moves.places[document] = place.url
          }
        case .open(let paths):
          moves.open.formUnion(paths.compactMap { documents[Array($0.utf8)] })
        case .new: break
        }
      }
    }
    moves.open.subtract(moves.places.keys)
    return moves
  }
}
