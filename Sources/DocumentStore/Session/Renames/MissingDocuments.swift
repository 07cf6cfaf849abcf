package import DocumentFiles
internal import DocumentGit
package import Foundation
internal import SystemPackage

/// Finds documents that were renamed or moved outside docversions, as by `mv`, and were not saved since.
///
/// ``RenameAssignment`` says which file is which document. A file is none of them when its name says that it is a copy, or
/// was put aside. ``StoreSearch`` goes the other way: from a file to the store that it had under its former name.
package struct MissingDocuments {
  private let missing: [Missing]

  /// A document that is not at its place.
  private struct Missing {
    let document: URL
    let location: DocumentLocation
    let mark: String
  }

  /// - Parameter documents: where documents with versions are or were; those at their places are left out.
  package init(among documents: [URL]) {
    missing = documents.compactMap { document in
      do {
        let location = try DocumentLocation(of: document)
        return try location.markWhereMissing.map {
          Missing(document: document, location: location, mark: $0)
        }
      } catch {
        // Opening this document reports what is wrong with it.
        return nil
      }
    }
  }

  // MARK: In the same folder

  /// The new places of documents by their former ones, if they got another name in the same folder.
  ///
  /// - Throws: ``FileError`` if a folder can't be listed.
  package func renamed() throws -> [URL: URL] {
    var places: [URL: URL] = [:]
    for (folder, missing) in Dictionary(grouping: missing, by: \.location.document.parentFolder) {
      let documents = Dictionary(missing.map { ($0.mark, $0) }, uniquingKeysWith: { $1 })
      let items = try Self.unsavedItems(in: folder, among: Set(documents.keys))
      for (mark, item) in items {
        guard let document = documents[mark], !item.isPutAside(from: document.location) else {
          continue
        }
        places[document.document] = item.url
      }
    }
    return places
  }

  /// The places of files in a folder that have no store, by the marks in which their former stores would recognize
  /// them.
  private static func unsavedItems(
    in folder: FilePath, among marks: Set<String>
  ) throws -> [String: DocumentLocation] {
    guard try FileStatus.of(folder)?.kind == .folder else { return [:] }
    var places: [String: DocumentLocation] = [:]
    for name in try Folder.names(in: folder) {
      let item = folder.appending(bytes: name)
      // An item whose name no document may have is no document.
      guard let mark = try WorkingFileEntry.mark(of: item), marks.contains(mark),
        String(validating: name, as: UTF8.self) != nil
      else { continue }
      let location = try DocumentLocation(of: item)
      if try !location.hasStore { places[mark] = location }
    }
    return places
  }

  // MARK: Anywhere in the container

  /// Where documents are now.
  package struct Moves {
    /// The new places by the former ones.
    package fileprivate(set) var places: [URL: URL] = [:]
    /// The documents that are one of several files, of which nothing says which one.
    package fileprivate(set) var open: Set<URL> = []
  }

  /// Finds documents in whatever folder of their container they are.
  ///
  /// Hidden folders, other containers, and folders that are packages are not searched.
  ///
  /// - Parameter clock: the clock that files' times are compared with.
  package func moved(by clock: FileClock) throws -> Moves {
    var moves = Moves()
    let listings = ContainerListings()
    for (container, missing) in Dictionary(grouping: missing, by: \.location.container) {
      let documents = Dictionary(
        missing.map { (Array($0.location.path.utf8), $0.document) }, uniquingKeysWith: { $1 })
      let unsaved = try ContainerMoves(container: container, clock: clock, listings: listings)
        .unsavedFiles()
      for file in unsaved {
        let place = DocumentLocation(container: container, path: file.path)
        let answer: FormerLocationSearch.Answer
        do {
          answer = try FormerLocationSearch(place, knowing: listings).find(readingBy: clock)
        } catch {
          // What cannot be read is not known to be one.
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
