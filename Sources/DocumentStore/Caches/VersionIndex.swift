internal import DocumentFiles
internal import DocumentGit
internal import SystemPackage

/// The version index: a document's versions in the order of lists, the oldest first.
///
/// A walk over all records gives the same list, but its time grows with the number of versions; in this file,
/// the newest hundred take a few kilobytes at the end. Each entry names the state of the references for which
/// it is the newest version. So the file belongs to the present state or to one a moment ago; otherwise it is
/// useless, and a list walks over the records and writes it again. An entry also has its number, and the
/// number of entries before it that lead straight to it. So a binary search finds a version by number or
/// date, and reads little.
///
/// A save appends an entry. An entry's bytes are followed by their number and their check, four bytes each,
/// big-endian, so the file can be read from its end. No save waits until the entry is on disk: after a power
/// cut the file may contain any bytes, and those that don't match their check don't count.
///
/// ``CountedChanges`` is a part of the index that has its own file.
struct VersionIndex {
  let path: FilePath

  init(in store: FilePath) {
    path = StoreFile.versionIndex.path(in: store)
  }

  /// The newest versions, newest first, and the number of all versions.
  struct Listing {
    var versions: [ListedVersion]
    var count: Int
  }

  // MARK: Reading

  /// Returns the newest versions; `nil` if the file is missing, or belongs to other heads.
  ///
  /// - Parameter most: the greatest number of entries; `nil` for all.
  func newest(_ most: Int?, at state: ReferenceDigest) throws -> Listing? {
    guard let file = try AppendOnlyFile.open(path) else { return nil }
    // Enough in most cases; a number from outside must not overflow.
    let reach = if let most, most < Self.mostBytes / 256 { most * 128 } else { Self.mostBytes }
    let found = try Self.read(file, endingAt: file.size, reach: reach) {
      part throws(VersionIndexPart.Absence) in try part.newest(most, at: state)
    }
    guard let found else { return nil }
    return Listing(versions: found.map(\.entry.version), count: found.first?.entry.count ?? 0)
  }

  /// Reads a part of the file, and then larger parts if something lies outside it.
  ///
  /// - Parameters:
  ///   - end: the end of the part, which is also the end of an entry.
  ///   - reach: the number of bytes that are probably needed.
  /// - Returns: `nil` if the file doesn't have the answer.
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

  /// The fewest versions for which a list writes the index.
  static let fewest = 16
  /// The size up to which all of the file is read; a larger one may have been made to exhaust the memory.
  static let mostBytes = 1 << 28
  /// The greatest distance, in bytes, to the entry whose names an entry shares; beyond it, the names are
  /// repeated.
  static let namesReach = 4 << 10
  /// The number of versions newer than the heads that may be in the file, because saves continue while a list
  /// reads.
  static let ahead = 4
  /// The number of bytes after an entry: its size and its check.
  static let tailSize = 8

  // MARK: Writing

  /// Appends the version that a save made; if the file doesn't belong to the former heads, it stays
  /// unchanged.
  ///
  /// Call this only while the store is locked.
  ///
  /// - Parameters:
  ///   - former: the former heads; `nil` if there were none.
  ///   - state: the present heads.
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
  /// Call this only while the store is locked.
  ///
  /// - Parameter versions: all versions, newest first.
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

  /// The check of an empty sequence of bytes, which changes with the format of entries.
  static let format: UInt32 = 2
}
