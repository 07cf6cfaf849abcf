internal import DocumentFiles
package import Foundation
internal import Synchronization
internal import SystemPackage

/// The documents below a folder, and which of them certainly show their current version: without opening any of these.
///
/// It reads four statuses of each and compares them with the ``ContainerIndex``. All others have to be opened; what a
/// caller then finds unchanged, it records for the next time.
package struct UnchangedDocuments: Sendable {
  /// All documents with versions below the folder, in the order of their paths.
  package let documents: [URL]
  /// The number of versions of each that is unchanged and in no conflict.
  private let versions: [URL: Int]
  /// The stamps of others, as they were before any was opened.
  private let stamps: [URL: ContainerIndex.Entry]
  /// Whether other devices can get those that rest, and are unchanged.
  private let published: [URL: Bool]
  /// The stamps of others that rest.
  private let restingStamps: [URL: (document: RestingDocument, file: FileStatus)]
  private let container: FilePath
  private let index: ContainerIndex
  private let freshness: Freshness

  /// Returns the number of versions of a document that is unchanged and not in conflict; `nil` if it has to be opened.
  package func versions(of document: URL) -> Int? { versions[document] }

  /// Returns whether other devices can get an unchanged document that rests; `nil` where its store says that.
  package func isPublished(_ document: URL) -> Bool? { published[document] }

  /// Reads the statuses of the documents below a folder, without links.
  init(below folder: FilePath, in container: FilePath, readSince start: Int64) throws {
    self.container = container
    freshness = Freshness(readSince: start)
    let listed = try Layout.documents(in: container).below(folder, in: container)
    documents = listed.map { $0.url(in: container) }
    let list = try RestingDocuments.readable(in: container)
    guard listed.count >= ContainerIndex.fewest || !list.isEmpty else {
      (versions, stamps, published, restingStamps) = ([:], [:], [:], [:])
      index = ContainerIndex()
      return
    }
    let index = ContainerIndex(in: container)
    let stores = try FolderReader(Layout.documents(of: container))
    let items = try FolderReader(container)
    let found = ForkJoin.mapRanges(of: listed.count, upTo: Self.part) { places in
      places.map {
        Status(of: listed[$0], index, stores: stores, documents: items, resting: list)
      }
    }.flatMap { $0 }
    var versions: [URL: Int] = [:]
    var published: [URL: Bool] = [:]
    var stamps: [URL: ContainerIndex.Entry] = [:]
    var restingStamps: [URL: (document: RestingDocument, file: FileStatus)] = [:]
    versions.reserveCapacity(listed.count)
    for (document, status) in zip(documents, found) {
      switch status {
      case .unchanged(let count): versions[document] = count
      case .unchangedResting(let entry):
        versions[document] = entry.versions
        published[document] = entry.isPublished
      case .unclear(let stamp): stamps[document] = stamp
      case .unclearResting(let entry, let file): restingStamps[document] = (entry, file)
      }
    }
    (self.versions, self.stamps, self.index) = (versions, stamps, index)
    (self.published, self.restingStamps) = (published, restingStamps)
  }

  /// Records, for the next time, opened documents that are unchanged and not in conflict.
  ///
  /// - Parameter found: the number of versions of each.
  package func record(_ found: [URL: Int]) {
    let entries = found.compactMap { document, count -> ContainerIndex.Entry? in
      guard var entry = stamps[document], let unchanged = entry.unchanged,
        unchanged.isCovered(by: freshness),
        !Self.isDatabase(FilePath(document.path))
      else { return nil }
      entry.unchanged?.versions = count
      return entry
    }
    index.record(entries, besides: nil, freshness, in: container)
    tidyUp { try recordResting(found.keys) }
  }

  /// Records in the list of documents that rest which files show them, as the file may have another stamp than it had.
  private func recordResting(_ found: some Sequence<URL>) throws {
    var files: [String: (file: FileStatus, mark: String)] = [:]
    var documents: [RestingDocument] = []
    for document in found {
      guard let (entry, file) = restingStamps[document], freshness.covers(FileStamp(file)),
        let mark = try WorkingFileEntry.mark(of: FilePath(document.path))
      else { continue }
      files[entry.path] = (file, mark)
      documents.append(entry)
    }
    try RestingDocuments.update(documents, in: container) { document in
      files[document.path].map { document.shown(by: $0.file, markedAs: $0.mark) } ?? document
    }
  }

  /// A database may have changes in a file beside it.
  private static func isDatabase(_ file: FilePath) -> Bool {
    do { return try LiveDatabase.isDatabase(file) } catch { return true }
  }

  /// The number of documents a thread takes at a time.
  private static let part = 50
}

/// The status of one document.
private enum Status: Sendable {
  /// The document is unchanged, with its number of versions.
  case unchanged(versions: Int)
  /// The document rests, and is unchanged.
  case unchangedResting(RestingDocument)
  /// The document has to be opened; its stamps, if all could be read.
  case unclear(ContainerIndex.Entry?)
  /// The same of a document that rests, with the file's status.
  case unclearResting(RestingDocument, FileStatus)

  /// - Parameter resting: the documents that rest: what they show is in the list itself.
  init(
    of document: Layout.StoredDocument, _ index: ContainerIndex, stores: FolderReader,
    documents: FolderReader, resting: RestingDocuments
  ) {
    let store = document.store
    let path = document.path
    if let entry = resting.document(at: path), stores.isAbsent(store) {
      guard let file = documents.status(of: Array(path.utf8)) else {
        self = .unclear(nil)
        return
      }
      self = entry.isUnchanged(file) ? .unchangedResting(entry) : .unclearResting(entry, file)
      return
    }
    // Before the heads are read: what changes meanwhile shows in the next status.
    let present = UnchangedStamp(
      of: Array(path.utf8), in: documents, store: store, in: stores)
    if let place = index.place(of: store, in: stores) {
      let entry = index[place]
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
