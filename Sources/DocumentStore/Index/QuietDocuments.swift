internal import DocumentFiles
internal import SystemPackage

/// Documents of a container that were in no conflict when somebody looked: a file `quiet-documents`.
///
/// A cache, so that a look at a thousand documents does not open three files of each. A document counts while its
/// folder of references, its one reference and its ledger have the inodes, sizes and times that they had; and only if
/// they had been left alone for two seconds, because a file system's clock may stand still for as long.
struct QuietDocuments: Sendable {
  /// The stamps, by the inode of the folder of references.
  private let stamps: [UInt64: HeadStamp]

  /// Those that a container knows of.
  init(in container: FilePath) {
    stamps = Self.stamps(in: Self.file(in: container).read(limit: 1 << 26) ?? [])
  }

  /// Whether a document certainly is in no conflict.
  ///
  /// - Parameters:
  ///   - store: the path of its store.
  ///   - stores: the folder from which the path leads there.
  func contains(_ store: [UInt8], in stores: Glance) -> Bool {
    guard !stamps.isEmpty else { return false }
    let place = HeadPlace(of: store)
    guard let folder = stores.status(of: place.folder), let known = stamps[folder.inode],
      let reference = stores.status(of: place.folder + known.name),
      let ledger = stores.status(of: place.ledger)
    else { return false }
    let present = HeadStamp(
      name: known.name, folder: folder, reference: reference, ledger: ledger)
    return present == known && stores.isAbsent(place.packedReferences)
  }

  /// Notes documents that were found to be in no conflict, for the next time.
  ///
  /// - Parameters:
  ///   - found: what they looked like.
  ///   - latest: those that changed since then, in nanoseconds since 1970, are left out.
  func note(_ found: [HeadStamp], unchangedSince latest: Int64, in container: FilePath) {
    let settled = found.filter { $0.changed < latest }
    // Of few the writing takes longer than the next look.
    guard settled.count >= 32 else { return }
    var all = stamps
    for stamp in settled { all[stamp.folder.inode] = stamp }
    do {
      try Self.file(in: container).write(reserving: all.count * 128) { bytes in
        for stamp in all.values {
          for number in stamp.numbers { bytes.append(number: number) }
          bytes.append(UInt8(stamp.name.count))
          bytes += stamp.name
        }
      }
    } catch {
      // Without it the next look takes longer.
    }
  }

  // MARK: On disk

  // For each document 13 numbers (8 bytes, little-endian): device · inode, size, modified, changed of the folder of
  // references, the reference and the ledger · then the number of bytes of the reference's name (1) and the name.
  private static func stamps(in bytes: [UInt8]) -> [UInt64: HeadStamp] {
    var stamps: [UInt64: HeadStamp] = [:]
    bytes.withUnsafeBytes { bytes in
      var place = 0
      while place + HeadStamp.count * 8 < bytes.count {
        let numbers = (0..<HeadStamp.count).map { bytes.number(at: place + $0 * 8) }
        place += HeadStamp.count * 8
        let name = place + 1..<place + 1 + Int(bytes[place])
        guard name.upperBound <= bytes.count else { return }
        let stamp = HeadStamp(name: Array(bytes[name]), numbers: numbers)
        stamps[stamp.folder.inode] = stamp
        place = name.upperBound
      }
    }
    return stamps
  }

  private static func file(in container: FilePath) -> CacheFile {
    CacheFile(Layout.quietDocuments(of: container), title: "docversions quiet documents 1")
  }
}
