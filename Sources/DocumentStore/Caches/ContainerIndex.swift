internal import DocumentFiles
internal import SystemPackage

/// The container index: the documents of a container that have one head, and so are in no conflict.
///
/// With it a search among a thousand documents does not open three files of each. A document counts while the stamps of
/// its store, its folder of heads and its one reference are what they were (see ``Freshness``).
///
/// None of the three can be left out. Another head shows in the folder of heads or, where it is packed, in the store. A
/// reference that was written in place, as `cp` does it, shows in itself alone. The ledger can be left out: it agreed
/// with this reference, every change writes it after a reference has moved, and another file in its place changes the
/// store.
struct ContainerIndex: Sendable {
  private let stamps: [HeadStamp]
  /// The places of stamps, by the inodes of their folders of heads.
  private let places: [UInt64: Int]

  /// Reads the index of a container.
  init(in container: FilePath) {
    let bytes = Self.file(in: container).read(limit: 1 << 26) ?? []
    stamps = Self.stamps(in: bytes)
    places = Dictionary(
      zip(stamps.map(\.folder.inode), stamps.indices), uniquingKeysWith: { $1 })
  }

  /// Makes an empty index, where checking the documents takes less time than reading it.
  init() {
    stamps = []
    places = [:]
  }

  /// The place in the index of a document that certainly has one head; nil for any other.
  ///
  /// - Parameters:
  ///   - store: the path of its store.
  ///   - stores: the folder from which the path leads to the store.
  func place(of store: [UInt8], in stores: FolderReader) -> Int? {
    guard !stamps.isEmpty, let folder = stores.status(of: store, HeadPath.folder),
      let place = places[folder.inode]
    else { return nil }
    let present = HeadStamp(of: store, named: stamps[place].name, folder, in: stores)
    return present == stamps[place] ? place : nil
  }

  /// Writes the whole index with documents that were found to have one head.
  ///
  /// - Parameters:
  ///   - found: their stamps.
  ///   - indexed: the places of those that the index still has right; nil where not all documents were checked.
  ///   - freshness: of when the search began.
  func record(
    _ found: [HeadStamp], besides indexed: [Int]?, _ freshness: Freshness, in container: FilePath
  ) {
    let settled = found.filter { $0.isCovered(by: freshness) }
    // Of few the writing takes longer than the next search.
    guard settled.count >= Self.fewest else { return }
    let kept = indexed?.map { stamps[$0] } ?? stamps
    var all: [UInt64: HeadStamp] = [:]
    for stamp in kept + settled { all[stamp.folder.inode] = stamp }
    do {
      try Self.file(in: container).write(reserving: all.count * (HeadStamp.size + 8)) { bytes in
        for stamp in all.values { stamp.append(to: &bytes) }
      }
    } catch {
      // Without it the next search takes longer.
    }
  }

  /// Of fewer documents nothing is written, or read.
  static let fewest = 32

  // MARK: On disk

  private static func stamps(in bytes: [UInt8]) -> [HeadStamp] {
    var stamps: [HeadStamp] = []
    stamps.reserveCapacity(bytes.count / HeadStamp.size)
    bytes.withUnsafeBytes { bytes in
      var place = 0
      while let stamp = HeadStamp(at: place, in: bytes) {
        stamps.append(stamp)
        place += HeadStamp.size + stamp.name.count
      }
    }
    return stamps
  }

  private static func file(in container: FilePath) -> CacheFile {
    CacheFile(
      ContainerFile.containerIndex.path(in: container), title: "docversions quiet documents 2",
      isPrivate: true)
  }
}
