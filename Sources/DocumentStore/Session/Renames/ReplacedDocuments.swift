internal import DocumentFiles
internal import SystemPackage

/// The documents of a container that were moved outside docversions and in whose places other files are by now,
/// as after `mv week.md week-47.md` and a new `week.md`.
///
/// Only the very file counts, because a file with the same contents may be a copy. Programs also put another
/// file in a document's place to save it, and may keep the former one as a backup, which its name shows.
struct ReplacedDocuments {
  let container: FilePath

  /// A document that was moved.
  typealias Move = (former: DocumentLocation, place: DocumentLocation)

  /// Returns those of the documents that are now at some locations, unless these have stores.
  func moves(to files: some Sequence<DocumentLocation>) throws -> [Move] {
    var places: [String: DocumentLocation] = [:]
    var oldest = Int64.max
    for file in files {
      guard let mark = try Self.ifReadable({ try Self.markWithoutStore(of: file) }),
        let birth = WorkingFileEntry.birthTime(inMark: mark)
      else { continue }
      places[mark] = file
      oldest = min(oldest, birth)
    }
    guard !places.isEmpty else { return [] }
    return try (resting(places) + stored(places, since: oldest)).filter { move in
      try Self.ifReadable { try OwnFile(of: move.former).isMoved(to: move.place) } ?? false
    }
  }

  private static func markWithoutStore(of file: DocumentLocation) throws -> String? {
    try file.hasStore ? nil : WorkingFileEntry.mark(of: file.document)
  }

  /// Returns the answer about one document, whose unreadable store or file doesn't affect the others; `nil` for such a
  /// document.
  private static func ifReadable<Answer>(_ answer: () throws -> Answer?) throws -> Answer? {
    do { return try answer() } catch  where !error.isFromSystem { return nil }
  }

  private func resting(_ places: [String: DocumentLocation]) throws -> [Move] {
    try RestingDocuments.readable(in: container).paths(ofFilesMarked: Set(places.keys))
      .compactMap { path, mark in
        places[mark].map { (DocumentLocation(container: container, path: path), $0) }
      }
  }

  /// Reads only the entries from after the files were created.
  private func stored(
    _ places: [String: DocumentLocation], since oldest: Int64
  ) throws -> [Move] {
    try Layout.storedDocuments(in: container).compactMap { document in
      let former = document.location(in: container)
      return try Self.ifReadable {
        let entry = StoreFile.workingFile.path(in: former.store)
        guard let time = try FileStatus.of(entry)?.modified, time >= oldest,
          let mark = try WorkingFileEntry(in: former.store)?.mark
        else { return nil }
        return places[mark].map { (former, $0) }
      }
    }
  }
}
