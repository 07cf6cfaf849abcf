package import DocumentFiles
internal import DocumentGit
package import Foundation
internal import SystemPackage

/// Finds documents that were renamed or moved outside docversions, as by `mv`, and were not saved since.
///
/// The same file is the document; in another folder also the only file with the same bytes, if only one document has
/// lost them. A file is none of them when its name says that it is a copy, or was put aside. ``StoreSearch`` goes the other
/// way: from a file to the store that it had under its former name.
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

  /// The new places of documents by their former ones, in whatever folder of their container they are.
  ///
  /// Hidden folders, other containers, and folders that are packages are not searched.
  ///
  /// - Parameter clock: the clock that files' times are compared with.
  package func moved(by clock: FileClock) throws -> [URL: URL] {
    let known = missing.compactMap { missing -> (Missing, DocumentContent)? in
      // Opening this document reports what is wrong with it.
      do { return try missing.location.shownContent.map { (missing, $0) } } catch { return nil }
    }
    var places: [URL: URL] = [:]
    for (container, missing) in Dictionary(grouping: known, by: \.0.location.container) {
      try find(missing, in: container, by: clock) { places[$0.document] = $1.url }
    }
    return places
  }

  private func find(
    _ missing: [(Missing, DocumentContent)], in container: FilePath, by clock: FileClock,
    _ found: (Missing, DocumentLocation) -> Void
  ) throws {
    let marks = Set(missing.map(\.0.mark))
    let sizes = Set(missing.map(\.1.bytes))
    var sameFiles: [String: DocumentLocation] = [:]
    var candidates: [DocumentLocation] = []
    try visit(container) { item, status in
      let mark = try WorkingFileEntry.mark(of: item) ?? ""
      let hasSize = status.kind == .file && sizes.contains(status.size)
      guard marks.contains(mark) || hasSize else { return }
      let location = try DocumentLocation(of: item)
      guard try location.container == container && !location.hasStore else { return }
      if marks.contains(mark) { sameFiles[mark] = location } else { candidates.append(location) }
    }
    let rest = missing.filter { sameFiles[$0.0.mark] == nil }
    let same = try placesByContent(of: rest, among: candidates, by: clock)
    for (document, _) in missing {
      guard let place = sameFiles[document.mark] ?? same[document.document],
        !place.isPutAside(from: document.location)
      else { continue }
      found(document, place)
    }
  }

  /// The only files that have the bytes of documents, of which each is the only one with them.
  private func placesByContent(
    of missing: [(Missing, DocumentContent)], among candidates: [DocumentLocation],
    by clock: FileClock
  ) throws -> [URL: DocumentLocation] {
    var places: [URL: [DocumentLocation]] = [:]
    for candidate in candidates {
      let copies: [WorkingCopy]
      // What cannot be read is not known to be one.
      do { copies = try WorkingCopy.possible(at: candidate, clock: clock) } catch { continue }
      let same = missing.filter { document, content in
        copies.contains { $0.content.isSame(as: content) }
          && !candidate.isPutAside(from: document.location)
      }
      // Two documents of the same content give no answer.
      if same.count == 1 { places[same[0].0.document, default: []].append(candidate) }
    }
    return places.compactMapValues { $0.count == 1 ? $0[0] : nil }
  }

  /// Visits the items of a folder and those below it.
  private func visit(
    _ folder: FilePath, _ body: (FilePath, FileStatus) throws -> Void
  ) throws {
    for name in try Folder.names(in: folder) where name.first != UInt8(ascii: ".") {
      let item = folder.appending(bytes: name)
      guard String(validating: name, as: UTF8.self) != nil, let status = try FileStatus.of(item)
      else { continue }
      try body(item, status)
      guard status.kind == .folder,
        try FileStatus.of(item.appending(Layout.folderName)) == nil,
        try !isDocument(item)
      else { continue }
      // A folder that cannot be listed is as one that is not there.
      do { try visit(item, body) } catch let error as FileError where error.code == .notPermitted {}
    }
  }

  private func isDocument(_ folder: FilePath) throws -> Bool {
    try DocumentLocation(of: folder).hasStore
  }
}
