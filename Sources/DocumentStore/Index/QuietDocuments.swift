internal import DocumentFiles
internal import SystemPackage

/// Documents of a container that were in no conflict when somebody looked: a file `quiet-documents`.
///
/// A cache, so that a look at a thousand documents does not open three files of each. A document counts while its
/// store, its folder of references and its one reference have the inodes, sizes and times that they had; and only if
/// they had been left alone for two seconds, because a file system’s clock may stand still for as long.
///
/// None of the three can be left out: another head shows in the folder of references, or, where it is packed, in the
/// store; a reference that was written in place, as `cp` does it, shows in itself alone. The ledger can be: what it
/// says was found to be true of this reference, every change writes it after a reference has moved, and whoever puts
/// another one in its place changes the store.
struct QuietDocuments: Sendable {
  /// The stamps, and which of them has an inode as the folder of references.
  private let stamps: [HeadStamp]
  private let places: [UInt64: Int]

  /// Those that a container knows of.
  init(in container: FilePath) {
    let bytes = Self.file(in: container).read(limit: 1 << 26) ?? []
    stamps = Self.stamps(in: bytes)
    places = Dictionary(
      zip(stamps.map(\.folder.inode), stamps.indices), uniquingKeysWith: { $1 })
  }

  /// None: where looking takes less time than reading what is known.
  init() {
    stamps = []
    places = [:]
  }

  /// The place among the stamps of a document that certainly is in no conflict; nil for any other.
  ///
  /// - Parameters:
  ///   - store: the path of its store.
  ///   - stores: the folder from which the path leads there.
  func place(of store: [UInt8], in stores: FolderReader) -> Int? {
    guard !stamps.isEmpty, let folder = stores.status(of: store, HeadPlace.folder),
      let place = places[folder.inode]
    else { return nil }
    let present = HeadStamp(of: store, named: stamps[place].name, folder, in: stores)
    return present == stamps[place] ? place : nil
  }

  /// Notes documents that were found to be in no conflict, for the next time.
  ///
  /// - Parameters:
  ///   - found: what they looked like.
  ///   - quiet: the places of those that were known already, and are so still; nil where not all documents were looked
  ///     at.
  ///   - latest: those that changed since then, in nanoseconds since 1970, are left out.
  func note(
    _ found: [HeadStamp], besides quiet: [Int]?, unchangedSince latest: Int64,
    in container: FilePath
  ) {
    let settled = found.filter { $0.changed < latest }
    // Of few the writing takes longer than the next look.
    guard settled.count >= Self.fewest else { return }
    var all: [UInt64: HeadStamp] = [:]
    for stamp in (quiet?.map { stamps[$0] } ?? stamps) + settled { all[stamp.folder.inode] = stamp }
    do {
      try Self.file(in: container).write(reserving: all.count * (HeadStamp.size + 8)) { bytes in
        for stamp in all.values { stamp.append(to: &bytes) }
      }
    } catch {
      // Without it the next look takes longer.
    }
  }

  /// Of fewer documents nothing is noted, or read.
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
    CacheFile(Layout.quietDocuments(of: container), title: "docversions quiet documents 2")
  }
}
