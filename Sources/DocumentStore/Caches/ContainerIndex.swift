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

  private let entries: [Entry]
  /// The places of entries, by the inodes of their folders of heads.
  private let places: [UInt64: Int]

  /// Reads the index of a container.
  init(in container: FilePath) {
    let bytes = Self.file(in: container).read(limit: 1 << 26) ?? []
    entries = Self.entries(in: bytes)
    places = Dictionary(
      zip(entries.map(\.heads.folder.inode), entries.indices), uniquingKeysWith: { $1 })
  }

  /// Makes an empty index, where checking the documents takes less time than reading it.
  init() {
    entries = []
    places = [:]
  }

  /// The place in the index of a document that certainly has one head; `nil` for any other.
  ///
  /// - Parameters:
  ///   - store: the path of its store.
  ///   - stores: the folder from which the path leads to the store.
  func place(of store: [UInt8], in stores: FolderReader) -> Int? {
    guard !entries.isEmpty, let folder = stores.status(of: store, HeadPath.folder),
      let place = places[folder.inode]
    else { return nil }
    let heads = entries[place].heads
    return HeadStamp(of: store, named: heads.name, folder, in: stores) == heads ? place : nil
  }

  /// The entry at a place.
  subscript(place: Int) -> Entry { entries[place] }

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
    let kept = indexed?.map { entries[$0] } ?? entries
    var all: [UInt64: Entry] = [:]
    for entry in kept + settled { all[entry.heads.folder.inode] = entry }
    do {
      let size = HeadStamp.size + UnchangedStamp.size + 8
      try Self.file(in: container).write(reserving: all.count * size) { bytes in
        for entry in all.values { entry.append(to: &bytes) }
      }
    } catch {
      // Without it the next search takes longer.
    }
  }

  /// Of fewer documents nothing is written, or read.
  static let fewest = 32

  // MARK: On disk

  private static func entries(in bytes: [UInt8]) -> [Entry] {
    var entries: [Entry] = []
    entries.reserveCapacity(bytes.count / HeadStamp.size)
    bytes.withUnsafeBytes { bytes in
      var place = 0
      while let entry = Entry(at: &place, in: bytes) { entries.append(entry) }
    }
    return entries
  }

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
