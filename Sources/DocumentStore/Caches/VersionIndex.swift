internal import DocumentFiles
internal import DocumentGit
internal import SystemPackage

/// The version index: a document's versions in the order of lists, the oldest first.
///
/// A walk over all records finds the same, but takes as long as there are versions; of this file the newest hundred are
/// a few kilobytes at its end. Each entry says of which state of the references it is the newest version. So the file
/// is of the present state, of one a moment ago, or of no use: then a list walks over the records, and writes it again.
/// An entry also says its number, and how many before it lead straight to it: so a version by number or date is found
/// by halving, and little is read.
///
/// A save appends an entry. Behind an entry's bytes stand their number and their check, four bytes each with the
/// highest first, so that the file is read from its end. No save waits for it to reach the disk: after a power cut any
/// bytes may stand there, and what does not fit its check is no entry.
///
/// ``CountedChanges`` is a part of it with a file of its own.
struct VersionIndex {
  let path: FilePath

  init(in store: FilePath) {
    path = StoreFile.versionIndex.path(in: store)
  }

  /// The newest versions, the newest first, and how many there are in all.
  struct Listing {
    var versions: [ListedVersion]
    var count: Int
  }

  // MARK: Reading

  /// The newest versions; `nil` if the file is missing, or belongs to other heads.
  ///
  /// - Parameter most: the greatest number of entries; `nil` for all.
  func newest(_ most: Int?, at state: ReferenceDigest) throws -> Listing? {
    guard let file = try AppendOnlyFile.open(path) else { return nil }
    // Mostly enough; a number from outside must not overflow.
    let reach = if let most, most < Self.mostBytes / 256 { most * 128 } else { Self.mostBytes }
    let found = try Self.read(file, endingAt: file.size, reach: reach) {
      part throws(VersionIndexPart.Absence) in try part.newest(most, at: state)
    }
    guard let found else { return nil }
    return Listing(versions: found.map(\.entry.version), count: found.first?.entry.count ?? 0)
  }

  /// Reads a part of the file, and one that begins further before where something is outside of it.
  ///
  /// - Parameters:
  ///   - end: where the part ends; an entry ends there.
  ///   - reach: how many bytes of it are needed, probably.
  /// - Returns: `nil` if the file does not say.
  static func read<Result>(
    _ file: borrowing AppendOnlyFile.Parts, endingAt end: Int, reach: Int = 0,
    _ body: (VersionIndexPart) throws(VersionIndexPart.Absence) -> Result
  ) throws -> Result? {
    var size = reach + 4 * Self.namesReach
    while true {
      let start = max(0, end - min(size, Self.mostBytes))
      let part = VersionIndexPart(try file.bytes(start..<end), at: start)
      do throws(VersionIndexPart.Absence) {
        return try body(part)
      } catch {
        guard error == .outside, size < Self.mostBytes else { return nil }
      }
      size *= 4
    }
  }

  /// Of fewer versions a list writes no index.
  static let fewest = 16
  /// Of a larger file not all is read: it may have been made to fill the memory.
  static let mostBytes = 1 << 28
  /// Names are said again when it is further than this to the entry that says them, in bytes.
  static let namesReach = 4 << 10
  /// The number of versions newer than the heads that may be there: saves go on while a list reads.
  static let ahead = 4
  /// The bytes behind an entry: its size and its check.
  static let tailSize = 8

  // MARK: Writing

  /// Appends the version that a save made; if the file is not of the heads before, it stays as it is.
  ///
  /// Only while the store is locked.
  ///
  /// - Parameters:
  ///   - former: the heads before; `nil` if there were none.
  ///   - state: the heads now.
  func append(_ version: ListedVersion, after former: ReferenceDigest?, at state: ReferenceDigest)
    throws
  {
    guard let former else { return try write([version], at: state) }
    guard let file = try AppendOnlyFile.open(path) else { return }
    let last = try Self.read(file, endingAt: file.size) {
      part throws(VersionIndexPart.Absence) in try part.newest(1, at: former, ahead: 1).first
    }
    guard let last = last ?? nil, version.isListed(before: last.entry.version) else { return }
    let distance = last.namesDistance
    let isNear = last.entry.version.names == version.names && distance <= Self.namesReach
    let entry = VersionIndexEntry(version, after: last.entry, at: state)
    let encoded = entry.encoded(namesBefore: isNear ? distance : nil)
    try AppendOnlyFile.append(Self.framed(encoded), to: path, at: file.size)
  }

  /// Writes the whole file.
  ///
  /// Only while the store is locked.
  ///
  /// - Parameter versions: all of them, the newest first.
  func write(_ versions: [ListedVersion], at state: ReferenceDigest) throws {
    var bytes: [UInt8] = []
    var names: [ListedVersion.Names: Int] = [:]
    var former: VersionIndexEntry?
    for version in versions.reversed() {
      let known = names[version.names].map { bytes.count - $0 }
      let distance = known.flatMap { $0 <= Self.namesReach ? $0 : nil }
      if distance == nil { names[version.names] = bytes.count }
      let entry = VersionIndexEntry(version, after: former, at: state)
      bytes += Self.framed(entry.encoded(namesBefore: distance))
      former = entry
    }
    try SmallFile.replaceCache(path, bytes)
  }

  private static func framed(_ entry: [UInt8]) -> [UInt8] {
    var bytes = entry
    bytes.append(bigEndian: UInt32(entry.count))
    bytes.append(bigEndian: CyclicCheck.crc32(bytes[...], continuing: format))
    return bytes
  }

  /// The check of no bytes: another one for another form of entries.
  static let format: UInt32 = 2
}
