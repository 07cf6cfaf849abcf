internal import DocumentFiles
internal import DocumentGit

/// A part of a ``VersionIndex``, read from its end.
struct VersionIndexPart {
  private let bytes: [UInt8]
  /// The part's offset in the file.
  private let start: Int

  init(_ bytes: [UInt8], at start: Int) {
    self.bytes = bytes
    self.start = start
  }

  /// The reason why a part has no answer.
  enum Absence: Error {
    /// The entry begins before the part.
    case outside
    /// The bytes aren't an entry, or aren't the right one.
    case damaged
  }

  // MARK: Whole entries

  /// An entry, and the distance from the end of the part to the entry that has its names.
  struct Found {
    let entry: VersionIndexEntry
    let namesDistance: Int
  }

  /// Returns the newest entries for a state, newest first.
  ///
  /// - Parameters:
  ///   - most: the greatest number of entries; `nil` for all.
  ///   - ahead: the number of newer entries that may follow them.
  func newest(
    _ most: Int?, at state: ReferenceDigest, ahead: Int = VersionIndex.ahead
  ) throws(Absence) -> [Found] {
    try entries(endingAt: head(of: state, ahead: ahead).end, most: most)
  }

  /// Returns the newest entry that satisfies a condition.
  func newest(where holds: (EntryStart) -> Bool) throws(Absence) -> VersionIndexEntry {
    guard let found = try starts(before: bytes.count, where: holds, most: 1).first else {
      throw absence
    }
    return try whole(found)
  }

  /// Returns the only entry that satisfies a condition; `nil` if there is none, or several.
  func only(where holds: (EntryStart) -> Bool) throws(Absence) -> VersionIndexEntry? {
    let found = try starts(before: bytes.count, where: holds, most: 2)
    guard found.count < 2 else { return nil }
    guard start == 0 else { throw .outside }
    return if let only = found.first { try whole(only) } else { nil }
  }

  private func whole(_ found: Start) throws(Absence) -> VersionIndexEntry {
    guard let whole = try entries(endingAt: found.end, most: 1).first else { throw .damaged }
    return whole.entry
  }

  // MARK: The beginnings of entries, which take less time

  /// The first bytes of an entry, and its end in the part.
  private typealias Start = (entry: EntryStart, end: Int)

  /// Returns the newest entry for a state, and its end in the file.
  func head(of state: ReferenceDigest) throws(Absence) -> (entry: EntryStart, end: Int) {
    let (entry, end) = try head(of: state, ahead: VersionIndex.ahead)
    return (entry, start + end)
  }

  private func head(of state: ReferenceDigest, ahead: Int) throws(Absence) -> Start {
    var end = bytes.count
    for _ in 0..<ahead where end > 0 {
      let range = try entry(endingAt: end)
      if let entry = EntryStart(bytes, range), entry.state == state { return (entry, end) }
      end = range.lowerBound
    }
    throw end == 0 ? absence : .damaged
  }

  /// Returns the newest entries that satisfy a condition.
  private func starts(
    before last: Int, where holds: (EntryStart) -> Bool, most: Int
  ) throws(Absence) -> [Start] {
    var found: [Start] = []
    var end = last
    while end > 0, found.count < most {
      let range: Range<Int>
      do {
        range = try entry(endingAt: end)
      } catch {
        // Entries that begin outside the part aren't among these.
        guard error == .outside, start > 0 else { throw error }
        break
      }
      guard let entry = EntryStart(bytes, range) else { throw .damaged }
      if holds(entry) { found.append((entry, end)) }
      end = range.lowerBound
    }
    return found
  }

  /// Returns the last entry in bytes that may begin and end within entries, and its range in the file.
  func lastEntry() -> (entry: EntryStart, range: Range<Int>)? {
    for end in stride(from: bytes.count, to: 0, by: -1) {
      // Bytes that only resemble the end of an entry don't match their check.
      if let range = sound(endingAt: end), let entry = EntryStart(bytes, range) {
        return (entry, start + range.lowerBound..<start + end)
      }
    }
    return nil
  }

  // MARK: Decoding

  private var absence: Absence { start > 0 ? .outside : .damaged }

  /// Returns the entries before an offset, newest first.
  private func entries(endingAt last: Int, most: Int?) throws(Absence) -> [Found] {
    var ranges: [Range<Int>] = []
    var end = last
    // Reads one more than wanted, because an entry may refer to the previous one, and all entries that may
    // have names.
    func isEnough() -> Bool {
      guard let most, ranges.count > most else { return false }
      return end < ranges[most].lowerBound - VersionIndex.namesReach
    }
    while end > 0, !isEnough() {
      ranges.append(try entry(endingAt: end))
      end = ranges[ranges.count - 1].lowerBound
    }
    guard end > 0 || start == 0 || isEnough() else { throw .outside }
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
      if index < most {
        found.append(Found(entry: decoded, namesDistance: bytes.count - namesAt))
      }
    }
    return found.reversed()
  }

  /// Returns the range of the entry that ends at an offset.
  private func entry(endingAt end: Int) throws(Absence) -> Range<Int> {
    if let range = sound(endingAt: end) { return range }
    let isInside = end >= VersionIndex.tailSize && beginning(endingAt: end) >= 0
    throw isInside ? .damaged : absence
  }

  /// Returns the same range; `nil` if no entry ends there.
  private func sound(endingAt end: Int) -> Range<Int>? {
    guard end >= VersionIndex.tailSize else { return nil }
    let start = beginning(endingAt: end)
    guard start >= 0,
      CyclicCheck.crc32(bytes[start..<end - 4], continuing: VersionIndex.format)
        == number(at: end - 4)
    else { return nil }
    return start..<end - VersionIndex.tailSize
  }

  private func beginning(endingAt end: Int) -> Int {
    end - VersionIndex.tailSize - Int(number(at: end - VersionIndex.tailSize))
  }

  private func number(at offset: Int) -> UInt32 {
    UInt32(bytes[offset]) << 24 | UInt32(bytes[offset + 1]) << 16
      | UInt32(bytes[offset + 2]) << 8 | UInt32(bytes[offset + 3])
  }
}
