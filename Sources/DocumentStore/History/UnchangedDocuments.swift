internal import DocumentFiles
package import Foundation
internal import SystemPackage

/// The documents below a folder, and which of them certainly show their current version.
///
/// It opens none of these: it reads four file statuses for each document, and compares them with the
/// ``ContainerIndex``. All other documents must be opened; it then records for the next time those that the
/// caller finds unchanged.
package struct UnchangedDocuments: Sendable {
  /// All documents with versions below the folder.
  package let listed: ListedDocuments
  /// The known facts about a document; there may be very many documents.
  private struct Known {
    /// The number of the document's versions; -1 if it must be opened.
    var versions: Int32 = -1
    /// True if other devices can get the document; `nil` if it doesn't rest.
    var isPublished: Bool?
  }

  /// The known facts about each document; empty if nothing was read.
  private let known: [Known]
  /// The stamps of other documents, by their places, from before any was opened.
  private let stamps: [Int: ContainerIndex.Entry]
  /// The stamps of other documents that rest, by their places.
  private let restingStamps: [Int: (document: RestingDocument, file: FileStatus)]
  private let freshness: Freshness

  /// All documents with versions below the folder, in the order of their paths.
  package var documents: [URL] { listed.documents }

  /// The documents that must be opened.
  package var unclear: [URL] {
    known.isEmpty
      ? documents : known.indices.filter { known[$0].versions < 0 }.map(listed.document)
  }

  /// Returns the number of versions of a document that is unchanged and not in conflict; `nil` if it must be
  /// opened.
  package func versions(of document: URL) -> Int? {
    known(of: document).flatMap { $0.versions < 0 ? nil : Int($0.versions) }
  }

  /// Returns whether other devices can get an unchanged document that rests; `nil` if its store has the
  /// answer.
  package func isPublished(_ document: URL) -> Bool? { known(of: document)?.isPublished }

  private func known(of document: URL) -> Known? {
    known.isEmpty ? nil : listed.place(of: FilePath(document.path)).map { known[$0] }
  }

  /// Reads the statuses of listed documents.
  package init(of listed: ListedDocuments, readSince start: Int64) throws {
    self.listed = listed
    freshness = Freshness(readSince: start)
    let container = listed.container
    let list = try RestingDocuments.readable(in: container)
    guard listed.count >= ContainerIndex.fewest || !list.isEmpty else {
      (known, stamps, restingStamps) = ([], [:], [:])
      return
    }
    let index = ContainerIndex(in: container)
    let stores = try FolderReader(ifThere: Layout.documents(of: container))
    let items = try FolderReader(container)
    let found = ForkJoin.mapRanges(of: listed.count, upTo: Self.part) { places in
      var part = Part()
      for place in places {
        var known = Known()
        switch Status(
          of: listed.all[place], index, stores: stores, documents: items, resting: list)
        {
        case .unchanged(let count): known.versions = Int32(clamping: count)
        case .unchangedResting(let entry):
          known = Known(
            versions: Int32(clamping: entry.versions), isPublished: entry.isPublished)
        case .unclear(let stamp): if let stamp { part.stamps.append((place, stamp)) }
        case .unclearResting(let entry, let file): part.resting.append((place, (entry, file)))
        }
        part.known.append(known)
      }
      return part
    }
    known = found.flatMap(\.known)
    stamps = Dictionary(found.lazy.flatMap(\.stamps), uniquingKeysWith: { $1 })
    restingStamps = Dictionary(found.lazy.flatMap(\.resting), uniquingKeysWith: { $1 })
  }

  /// The facts about several consecutive documents.
  private struct Part {
    var known: [Known] = []
    var stamps: [(Int, ContainerIndex.Entry)] = []
    var resting: [(Int, (document: RestingDocument, file: FileStatus))] = []
  }

  /// Records, for the next time, opened documents that are unchanged and not in conflict.
  ///
  /// - Parameter found: the number of versions of each document.
  package func record(_ found: [URL: Int]) {
    let entries = found.compactMap { document, count -> ContainerIndex.Entry? in
      let file = FilePath(document.path)
      guard let place = listed.place(of: file), var entry = stamps[place],
        let unchanged = entry.unchanged, unchanged.isCovered(by: freshness),
        !Self.isDatabase(file)
      else { return nil }
      entry.unchanged?.versions = count
      return entry
    }
    if !entries.isEmpty {
      ContainerIndex(in: listed.container)
        .record(entries, besides: nil, freshness, in: listed.container)
    }
    tidyUp { try recordResting(found.keys) }
    for document in found.keys {
      tidyUp {
        let location = try DocumentLocation(of: document)
        // Another file may have its contents, as after a save without changes.
        try WorkingFileEntry.record(location.document, in: location.store)
      }
    }
  }

  /// Records in the list of resting documents which files show them, because a file's stamp may have changed.
  private func recordResting(_ found: some Sequence<URL>) throws {
    var files: [String: (file: FileStatus, mark: String)] = [:]
    var documents: [RestingDocument] = []
    for document in found {
      let path = FilePath(document.path)
      guard let (entry, file) = listed.place(of: path).flatMap({ restingStamps[$0] }),
        freshness.covers(FileStamp(file)), let mark = try WorkingFileEntry.mark(of: path)
      else { continue }
      files[entry.path] = (file, mark)
      documents.append(entry)
    }
    try RestingDocuments.update(documents, in: listed.container) { document in
      files[document.path].map { document.shown(by: $0.file, markedAs: $0.mark) } ?? document
    }
  }

  /// Returns whether a file is a database, which may have changes in a separate file beside it.
  private static func isDatabase(_ file: FilePath) -> Bool {
    do { return try LiveDatabase.isDatabase(file) } catch { return true }
  }

  /// The number of documents that a thread takes at a time.
  private static let part = 50
}

/// The status of one document.
private enum Status: Sendable {
  /// The document is unchanged, with its number of versions.
  case unchanged(versions: Int)
  /// The document rests, and is unchanged.
  case unchangedResting(RestingDocument)
  /// The document must be opened; its stamps, if all could be read.
  case unclear(ContainerIndex.Entry?)
  /// The document must be opened and rests; also the file's status.
  case unclearResting(RestingDocument, FileStatus)

  /// - Parameter resting: the documents that rest; the list itself contains what they show.
  init(
    of document: Layout.StoredDocument, _ index: ContainerIndex, stores: FolderReader,
    documents: FolderReader, resting: RestingDocuments
  ) {
    let store = document.store
    let path = document.path
    // If the document has got a store since, its file shows it, because that save or sync has read or written
    // the file.
    if document.isResting, let entry = resting.document(at: path) {
      guard let file = documents.status(of: Array(path.utf8)) else {
        self = .unclear(nil)
        return
      }
      self = entry.isUnchanged(file) ? .unchangedResting(entry) : .unclearResting(entry, file)
      return
    }
    // Read before the heads, so that a change in the meantime shows in the next status.
    let present = UnchangedStamp(
      of: Array(path.utf8), in: documents, store: store, in: stores)
    if let place = index.place(of: store, in: stores), let entry = index[place] {
      if let unchanged = entry.unchanged, let present, unchanged.isOfSameFiles(as: present) {
        self = .unchanged(versions: unchanged.versions)
      } else {
        self = .unclear(ContainerIndex.Entry(heads: entry.heads, unchanged: present))
      }
    } else if case .single(let heads) = HeadReading(store, in: stores) {
      self = .unclear(ContainerIndex.Entry(heads: heads, unchanged: present))
    } else {
      self = .unclear(nil)
    }
  }
}
