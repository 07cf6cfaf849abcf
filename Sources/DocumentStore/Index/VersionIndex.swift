internal import DocumentFiles
internal import DocumentGit
internal import SystemPackage

/// A document's versions in the order of lists, the oldest first: a file `version-index` in the store.
///
/// A cache. A walk over all records finds the same, but takes as long as there are versions; of this file the newest
/// hundred are a few kilobytes at its end. Each entry says of which heads it is the newest version, so the file is
/// known to be of today, of a moment ago, or of no use: then whoever walks writes it anew.
///
/// A save appends an entry. Behind an entry's bytes stand their number and their check, four bytes each with the
/// highest first, so that the file is read from its end. Nobody waits for the disk: after a power cut anything may
/// stand there, and what does not fit its check is no entry.
struct VersionIndex {
  private let path: FilePath

  init(in store: FilePath) {
    path = store.appending("version-index")
  }

  /// What the references of a document are at, as one number.
  struct State: Equatable {
    let number: UInt64

    init(number: UInt64) {
      self.number = number
    }

    /// - Parameter references: full names, and what they are at.
    init(_ references: [String: ObjectID]) {
      let lines = references.map { "\($0.key) \($0.value)\n" }.sorted().joined()
      number = ContentDigest(of: Array(lines.utf8)).prefix
    }
  }

  /// The newest versions, the newest first, and how many there are in all.
  struct Listing {
    var versions: [ListedVersion]
    var count: Int
  }

  // MARK: Reading

  /// The newest versions; nil where the file is not of these heads, or is none.
  ///
  /// - Parameter most: no more than so many; nil for all.
  func newest(_ most: Int?, at state: State) throws -> Listing? {
    // Mostly enough; a number from outside must not overflow.
    var limit = Self.mostBytes
    if let most, most < Self.mostBytes / 256 { limit = most * 128 + 4 * Self.namesReach }
    while limit <= Self.mostBytes,
      let (bytes, start) = try AppendOnlyFile.tail(path, limit: limit)
    {
      switch Part(bytes: bytes, isWhole: start == 0).newest(most, at: state) {
      case .found(let places):
        return Listing(
          versions: places.map(\.entry.version), count: places.first?.entry.count ?? 0)
      case .elsewhere: limit *= 4
      case .none: return nil
      }
    }
    return nil
  }

  /// The version at a place; nil where the file does not tell, or is not of these heads.
  ///
  /// Entries on the way there are checked, but not decoded.
  func version(at place: ListedPlace, state: State) throws -> ListedVersion? {
    var limit = min(Self.mostBytes, place.probableReach + 4 * Self.namesReach)
    while limit <= Self.mostBytes,
      let (bytes, start) = try AppendOnlyFile.tail(path, limit: limit)
    {
      switch Part(bytes: bytes, isWhole: start == 0).version(at: place, state: state) {
      case .found(let found): return found.first?.entry.version
      case .elsewhere: limit *= 4
      case .none: return nil
      }
    }
    return nil
  }

  /// Of fewer versions no index is made for one who only reads.
  static let fewest = 16
  /// Of a larger file not all is read, nor of one that somebody made to fill the memory.
  private static let mostBytes = 1 << 28
  /// Names are said again when it is further than this to the entry that says them, in bytes.
  fileprivate static let namesReach = 4 << 10
  /// How many versions newer than the heads may be there: others save while somebody reads.
  fileprivate static let ahead = 4
  /// What stands behind an entry: its size and its check.
  fileprivate static let tailSize = 8

  // MARK: Writing

  /// Appends the version that a save made; where the file is not of the heads before, it stays as it is.
  ///
  /// Only while the store is locked.
  ///
  /// - Parameters:
  ///   - former: the heads before; nil where there were none.
  ///   - state: the heads now.
  func append(_ version: ListedVersion, after former: State?, at state: State) throws {
    guard let former else { return try write([version], at: state) }
    guard let (bytes, start) = try AppendOnlyFile.tail(path, limit: 4 * Self.namesReach),
      case .found(let places) = Part(bytes: bytes, isWhole: start == 0)
        .newest(1, at: former, ahead: 1),
      let last = places.first, version.isListed(before: last.entry.version)
    else { return }
    let distance = bytes.count - last.names
    let isNear = last.entry.version.names == version.names && distance <= Self.namesReach
    let entry = VersionIndexEntry(state: state, count: last.entry.count + 1, version: version)
    let encoded = entry.encoded(
      after: last.entry.version.id, namesBefore: isNear ? distance : nil)
    try AppendOnlyFile.append(Self.framed(encoded), to: path, at: start + bytes.count)
  }

  /// Writes the file anew.
  ///
  /// Only while the store is locked.
  ///
  /// - Parameter versions: all of them, the newest first.
  func write(_ versions: [ListedVersion], at state: State) throws {
    var bytes: [UInt8] = []
    var names: [ListedVersion.Names: Int] = [:]
    var former: ObjectID?
    for (number, version) in versions.reversed().enumerated() {
      let known = names[version.names].map { bytes.count - $0 }
      let distance = known.flatMap { $0 <= Self.namesReach ? $0 : nil }
      if distance == nil { names[version.names] = bytes.count }
      let entry = VersionIndexEntry(state: state, count: number + 1, version: version)
      bytes += Self.framed(entry.encoded(after: former, namesBefore: distance))
      former = version.id
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
  fileprivate static let format: UInt32 = 1

  // MARK: A part of the file

  /// What the search for entries in a part of the file comes to.
  private enum Search {
    /// The newest first.
    case found([Found])
    /// More of the file has to be read.
    case elsewhere
    case none
  }

  /// An entry, and where the one begins that says its names.
  private struct Found {
    let entry: VersionIndexEntry
    let names: Int
  }

  /// The end of the file, or all of it.
  private struct Part {
    let bytes: [UInt8]
    let isWhole: Bool

    /// The newest entries of a state.
    ///
    /// - Parameters:
    ///   - most: no more than so many; nil for all.
    ///   - ahead: how many newer ones may stand behind them.
    func newest(_ most: Int?, at state: State, ahead: Int = VersionIndex.ahead) -> Search {
      do throws(Absence) {
        let end = try end(of: state, ahead: ahead)
        return try .found(entries(endingAt: end, most: most))
      } catch {
        return outcome(error)
      }
    }

    /// The entry at a place.
    func version(at place: ListedPlace, state: State) -> Search {
      do throws(Absence) {
        var end = try end(of: state, ahead: VersionIndex.ahead)
        var search = PlaceSearch(for: place)
        while !search.isOver, end > 0 {
          let range = try entry(endingAt: end)
          search.pass(range, of: bytes, endingAt: end)
          end = range.lowerBound
        }
        guard search.isOver || isWhole else { throw Absence.outside }
        guard let found = search.found else { return .none }
        return try .found(entries(endingAt: found, most: 1))
      } catch {
        return outcome(error)
      }
    }

    /// Where the newest entry of a state ends.
    private func end(of state: State, ahead: Int) throws(Absence) -> Int {
      var end = bytes.count
      for _ in 0..<ahead where end > 0 {
        let range = try entry(endingAt: end)
        if EntryStart(bytes, range)?.state == state { return end }
        end = range.lowerBound
      }
      throw end == 0 && !isWhole ? .outside : .damaged
    }

    /// The entries before an offset, the newest first.
    private func entries(endingAt last: Int, most: Int?) throws(Absence) -> [Found] {
      var ranges: [Range<Int>] = []
      var end = last
      // One more than are wanted: an entry may say that it follows the one before. And all that may say names.
      func isEnough() -> Bool {
        guard let most, ranges.count > most else { return false }
        return end < ranges[most].lowerBound - namesReach
      }
      while end > 0, !isEnough() {
        ranges.append(try entry(endingAt: end))
        end = ranges[ranges.count - 1].lowerBound
      }
      guard end > 0 || isWhole || isEnough() else { throw .outside }
      return try decoded(ranges, most ?? ranges.count)
    }

    private func decoded(_ ranges: [Range<Int>], _ most: Int) throws(Absence) -> [Found] {
      var names: [Int: ListedVersion.Names] = [:]
      var found: [Found] = []
      found.reserveCapacity(min(most, ranges.count))
      var former: ObjectID?
      for (index, range) in ranges.enumerated().reversed() {
        var namesAt = range.lowerBound
        let saysNames = EntryStart.saysNames(bytes, range)
        guard index <= most || saysNames else { continue }
        let decoded = VersionIndexEntry(
          decoding: bytes, range, after: former ?? (index < most ? nil : .emptyTree)
        ) { distance in
          namesAt -= distance
          return names[namesAt]
        }
        guard let decoded else { throw .damaged }
        if saysNames { names[range.lowerBound] = decoded.version.names }
        former = decoded.version.id
        if index < most { found.append(Found(entry: decoded, names: namesAt)) }
      }
      return found.reversed()
    }

    private func outcome(_ absence: Absence) -> Search {
      absence == .outside && !isWhole ? .elsewhere : .none
    }

    private enum Absence: Error {
      /// It begins before this part.
      case outside
      case damaged
    }

    /// Where the entry is that ends before an offset.
    private func entry(endingAt end: Int) throws(Absence) -> Range<Int> {
      guard end >= tailSize else { throw .outside }
      let start = end - tailSize - Int(number(at: end - 8))
      guard start >= 0 else { throw .outside }
      let check = CyclicCheck.crc32(bytes[start..<end - 4], continuing: format)
      guard check == number(at: end - 4) else { throw .damaged }
      return start..<end - tailSize
    }

    private func number(at offset: Int) -> UInt32 {
      UInt32(bytes[offset]) << 24 | UInt32(bytes[offset + 1]) << 16
        | UInt32(bytes[offset + 2]) << 8 | UInt32(bytes[offset + 3])
    }
  }
}
