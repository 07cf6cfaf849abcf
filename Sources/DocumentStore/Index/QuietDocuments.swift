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

  /// Those that a container knows of; none where the file cannot be read.
  init(in container: FilePath) {
    do {
      let bytes = try SmallFile.read(Layout.quietDocuments(of: container), limit: 1 << 26)
      stamps = Self.stamps(in: bytes ?? [])
    } catch {
      // A cache that can't be read is none.
      stamps = [:]
    }
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
  /// - Parameter leastAge: how long they must have been left alone, in nanoseconds.
  func note(_ found: [HeadStamp], in container: FilePath, leastAge: Int64) {
    let latest = FileStatus.now &- leastAge
    let settled = found.filter { $0.changed < latest }
    // Of few the writing takes longer than the next look.
    guard settled.count >= 32 else { return }
    var all = stamps
    for stamp in settled { all[stamp.folder.inode] = stamp }
    do {
      try SmallFile.replaceCache(Layout.quietDocuments(of: container), Self.bytes(of: all.values))
    } catch {
      // Without it the next look takes longer.
    }
  }

  // MARK: On disk

  // "docversions quiet documents 1\n"
  // for each document 13 numbers (8 bytes, little-endian): device · inode, size, modified, changed of the folder of
  // references, the reference and the ledger · then the reference's name and its number of bytes (1)
  // the SHA-256 of all of it (32)
  private static let title = Array("docversions quiet documents 1\n".utf8)
  private static let checkSize = 32

  private static func bytes(of stamps: some Collection<HeadStamp>) -> [UInt8] {
    var bytes = title
    bytes.reserveCapacity(title.count + stamps.count * 128 + checkSize)
    for stamp in stamps {
      for number in stamp.numbers { bytes.append(number: number) }
      bytes.append(UInt8(stamp.name.count))
      bytes += stamp.name
    }
    bytes.append(ContentDigest(of: bytes[...]))
    return bytes
  }

  private static func stamps(in bytes: [UInt8]) -> [UInt64: HeadStamp] {
    let end = bytes.count - checkSize
    guard end >= title.count, bytes.starts(with: title) else { return [:] }
    var stamps: [UInt64: HeadStamp] = [:]
    let isSound = bytes.withUnsafeBytes { bytes in
      var place = title.count
      while place + HeadStamp.count * 8 < end {
        let numbers = (0..<HeadStamp.count).map { bytes.number(at: place + $0 * 8) }
        place += HeadStamp.count * 8
        let name = place + 1..<place + 1 + Int(bytes[place])
        guard name.upperBound <= end else { return false }
        let stamp = HeadStamp(name: Array(bytes[name]), numbers: numbers)
        stamps[stamp.folder.inode] = stamp
        place = name.upperBound
      }
      return place == end && bytes.digest(at: end) == ContentDigest(of: Array(bytes[..<end]))
    }
    return isSound ? stamps : [:]
  }
}
