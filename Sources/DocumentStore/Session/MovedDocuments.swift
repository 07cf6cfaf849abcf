package import DocumentFiles
internal import DocumentGit
package import Foundation
internal import SystemPackage

/// Finds documents that were moved outside docversions to another folder of their container, and were not saved since.
///
/// The same file is the document; else the only file with the same bytes, where only one document has lost them.
package struct MovedDocuments {
  private let clock: FileClock

  package init(by clock: FileClock) {
    self.clock = clock
  }

  /// A document that is not at its place.
  private struct Missing {
    let document: URL
    let location: DocumentLocation
    let mark: String?
    let content: DocumentContent?
  }

  /// The new places of documents by their former ones.
  ///
  /// Hidden folders, other containers, and folders that are packages are not searched.
  ///
  /// - Parameter documents: where documents with versions are or were.
  /// - Returns: nothing of a document that is at its place, that was deleted, or that is nowhere.
  package func places(of documents: [URL]) throws -> [URL: URL] {
    var missing: [FilePath: [Missing]] = [:]
    for document in documents {
      do {
        let location = try DocumentLocation(of: document)
        guard let mark = try location.markWhereMissing,
          let content = try location.shownContent
        else { continue }
        missing[location.container, default: []].append(
          Missing(document: document, location: location, mark: mark, content: content))
      } catch {
        // Opening this document reports what is wrong with it.
      }
    }
    package var places: [URL: URL] = [:]
    for (container, missing) in missing {
      for (document, place) in try self.places(of: missing, in: container) {
        places[document] = place
      }
    }
    return places
  }

  private func places(
    of missing: [Missing], in container: FilePath
  ) throws -> [(URL, URL)] {
    let marks = Set(missing.compactMap(\.mark))
    let sizes = Set(missing.compactMap { $0.content?.bytes })
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
    let found = missing.map { document in
      (document, document.mark.flatMap { sameFiles[$0] })
    }
    let rest = found.filter { $0.1 == nil }.map(\.0)
    let same = try placesByContent(of: rest, among: candidates)
    return found.compactMap { document, place in
      guard let place = place ?? same[document.document],
        !place.isPutAside(from: document.location)
      else { return nil }
      return (document.document, place.url)
    }
  }

  /// The only files that have the bytes of documents, of which each is the only one with them.
  private func placesByContent(
    of missing: [Missing], among candidates: [DocumentLocation]
  ) throws -> [URL: DocumentLocation] {
    package var places: [URL: [DocumentLocation]] = [:]
    for candidate in candidates {
      let copies: [WorkingCopy]
      // What cannot be read is not known to be one.
      do { copies = try WorkingCopy.possible(at: candidate, clock: clock) } catch { continue }
      let same = missing.filter { document in
        copies.contains { $0.content.isSame(as: document.content) }
          && !candidate.isPutAside(from: document.location)
      }
      // Two documents of the same content give no answer.
      if same.count == 1 { places[same[0].document, default: []].append(candidate) }
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
