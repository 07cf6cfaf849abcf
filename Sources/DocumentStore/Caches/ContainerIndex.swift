internal import DocumentFiles
internal import SystemPackage

/// The container index: the documents of a container that have one head, and so are not in conflict, and
/// which of them show their current version unchanged.
///
/// It spares a search among a thousand documents from opening three files for each, and a list of their
/// states from opening any. An entry is valid while the stamps of the store, the folder of heads and the one
/// reference stay the same (see ``Freshness``). The document counts as unchanged while the stamps of its file
/// and of the store's file about the version shown also stay the same.
///
/// All three stamps are needed. Another head changes the folder of heads or, if it is packed, the store. A
/// reference that is written in place, for example by `cp`, changes only itself. The ledger's stamp isn't
/// needed: the ledger agreed with this reference, every change writes it after a reference has moved, and
/// replacing its file changes the store.
struct ContainerIndex: Sendable {
  /// A document of the index.
  struct Entry: Sendable {
    let heads: HeadStamp
    /// The document's file, if it was found to be unchanged.
    var unchanged: UnchangedStamp?
  }

  /// The entries, as in the file; there may be very many.
  private let bytes: [UInt8]
  /// The places of entries, by the inodes of their folders of heads.
  private let places: [UInt64: UInt32]

  /// Reads the index of a container.
  init(in container: FilePath) {
    bytes = Self.file(in: container).read(limit: 1 << 26) ?? []
    var places: [UInt64: UInt32] = [:]
    places.reserveCapacity(bytes.count / Self.entrySize)
    bytes.withUnsafeBytes { bytes in
      var (start, place) = (0, 0)
      while let entry = Entry(at: &place, in: bytes) {
        places[entry.heads.folder.inode] = UInt32(start)
        start = place
      }
    }
    self.places = places
  }

  /// Creates an empty index, for cases in which checking the documents takes less time than reading it.
  init() {
    bytes = []
    places = [:]
  }

  /// Returns the place in the index of a document that certainly has one head; `nil` for any other.
  ///
  /// - Parameters:
  ///   - store: the path of its store.
  ///   - stores: the folder from which the path leads to the store.
  func place(of store: [UInt8], in stores: FolderReader) -> Int? {
    guard !bytes.isEmpty, let folder = stores.status(of: store, HeadPath.folder),
      let place = places[folder.inode].map(Int.init), let heads = self[place]?.heads
    else { return nil }
    return HeadStamp(of: store, named: heads.name, folder, in: stores) == heads ? place : nil
  }

  /// The entry at a place.
  subscript(place: Int) -> Entry? {
    bytes.withUnsafeBytes {
      var place = place
      return Entry(at: &place, in: $0)
    }
  }

  /// Writes the whole index with documents that have one head.
  ///
  /// - Parameters:
  ///   - found: their entries.
  ///   - indexed: the places of entries that are still valid; `nil` if not all documents were checked.
  ///   - freshness: the freshness at the time when the search began.
  func record(
    _ found: [Entry], besides indexed: [Int]?, _ freshness: Freshness, in container: FilePath
  ) {
    let settled = found.filter { $0.heads.isCovered(by: freshness) }
    // For a few documents, writing takes longer than the next search.
    guard settled.count >= Self.fewest else { return }
    let new = Dictionary(
      settled.map { ($0.heads.folder.inode, $0) }, uniquingKeysWith: { $1 })
    let kept = indexed ?? places.values.map(Int.init)
    do {
      let size = (kept.count + new.count) * Self.entrySize
      try Self.file(in: container).write(reserving: size) { bytes in
        for place in kept {
          guard let entry = self[place], new[entry.heads.folder.inode] == nil else { continue }
          entry.append(to: &bytes)
        }
        for entry in new.values { entry.append(to: &bytes) }
      }
    } catch {
      // Without the index, the next search only takes longer.
    }
  }

  /// The fewest documents for which the index is written or read.
  static let fewest = 32

  // MARK: On disk

  /// The approximate size of an entry, in bytes.
  private static let entrySize = HeadStamp.size + UnchangedStamp.size + 8

  private static func file(in container: FilePath) -> CacheFile {
    CacheFile(
      ContainerFile.containerIndex.path(in: container), title: "docversions quiet documents 3",
      isPrivate: true)
  }
}

extension ContainerIndex.Entry {
  // The stamp of the heads · whether the document is unchanged (1 byte) · if so, its stamp
  fileprivate init?(at place: inout Int, in bytes: UnsafeRawBufferPointer) {
    guard let heads = HeadStamp(at: place, in: bytes) else { return nil }
    var end = place + HeadStamp.size + heads.name.count
    guard end < bytes.count else { return nil }
    let isUnchanged = bytes[end] == 1
    end += 1
    if isUnchanged {
      guard let stamp = UnchangedStamp(at: end, in: bytes) else { return nil }
      unchanged = stamp
      end += UnchangedStamp.size
    }
    self.heads = heads
    place = end
  }

  fileprivate func append(to bytes: inout [UInt8]) {
    heads.append(to: &bytes)
    bytes.append(unchanged == nil ? 0 : 1)
    unchanged?.append(to: &bytes)
  }
}
