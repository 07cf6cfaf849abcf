internal import DocumentFiles
internal import SystemPackage

/// The container index: the documents of a container that have one head, and so are in no conflict, and which of them
/// show their current version unchanged.
///
/// With it a search among a thousand documents does not open three files of each, and a list of their states opens none. A
/// document counts while the stamps of its store, its folder of heads and its one reference are what they were (see
/// ``Freshness``); as unchanged while also the stamps of its file and of what the store says it shows are.
///
/// None of the three can be left out. Another head shows in the folder of heads or, if it is packed, in the store. A
/// reference that was written in place, as `cp` does it, shows in itself alone. The ledger can be left out: it agreed
/// with this reference, every change writes it after a reference has moved, and another file in its place changes the
/// store.
struct ContainerIndex: Sendable {
  /// A document of the index.
  struct Entry: Sendable {
    let heads: HeadStamp
    /// The document's file, if it was found to be unchanged.
    var unchanged: UnchangedStamp?
  }

  /// The entries, as they are in the file: there may be very many.
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

  /// Makes an empty index, where checking the documents takes less time than reading it.
  init() {
    bytes = []
    places = [:]
  }

  /// The place in the index of a document that certainly has one head; `nil` for any other.
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

  /// Writes the whole index with documents that were found to have one head.
  ///
  /// - Parameters:
  ///   - found: their entries.
  ///   - indexed: the places of those that the index still has right; `nil` if not all documents were checked.
  ///   - freshness: of when the search began.
  func record(
    _ found: [Entry], besides indexed: [Int]?, _ freshness: Freshness, in container: FilePath
  ) {
    let settled = found.filter { $0.heads.isCovered(by: freshness) }
    // Of few the writing takes longer than the next search.
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
      // Without it the next search takes longer.
    }
  }

  /// Of fewer documents nothing is written, or read.
  static let fewest = 32

  // MARK: On disk

  /// The bytes that an entry takes, about.
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
