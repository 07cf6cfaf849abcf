/// A check of one pack: its index, every byte, and their consistency.
package struct PackCheck: Sendable {
  /// The faults, in words that follow the pack's name; empty if there are none.
  package private(set) var damage: [String] = []
  /// The objects that its index lists; none if the index can't be read.
  package private(set) var objects: [ObjectID] = []
  /// True if the only fault is that the pack or its index is missing.
  package private(set) var isHalf = false

  /// Checks a pack.
  ///
  /// Only a piece of the pack is in memory at a time.
  ///
  /// - Parameter advance: receives the number of bytes read since the last call; an error that it throws ends the
  ///   check.
  static func of(
    _ name: String, in folder: PackFolder, advance: (Int) throws -> Void
  ) throws -> PackCheck {
    var check = PackCheck()
    let index = try check.readIndex(name + ".idx", in: folder)
    check.objects = index?.entries.map(\.id) ?? []
    guard let file = try check.openPack(name + ".pack", in: folder) else { return check }
    var reading = PackReading(of: index, size: file.size)
    try reading.readAll(file, advance: advance)
    check.damage += reading.damage
    return check
  }

  private mutating func readIndex(
    _ name: String, in folder: PackFolder
  ) throws(GitError) -> PackIndex? {
    do {
      if let bytes = try folder.files.readIfThere(name, upTo: PackIndex.mostBytes) {
        return try PackIndex(decoding: bytes)
      }
      damage.append("has no index")
      isHalf = true
    } catch  where !error.isFromSystem {
      damage.append("has a damaged index")
    }
    return nil
  }

  private mutating func openPack(
    _ name: String, in folder: PackFolder
  ) throws(GitError) -> OpenFile? {
    do {
      if let opened = try folder.files.openIfThere(name) { return opened }
      damage.append("is missing, though its index is there")
      isHalf = true
    } catch  where !error.isFromSystem {
      damage.append("is not a file")
    }
    return nil
  }
}

/// One pass over a pack's bytes.
private struct PackReading {
  private(set) var damage: [String] = []
  private let index: PackIndex?
  private let size: Int
  private let checksum = Checksum()
  /// The entries by position, and the number of the current one.
  private let entries: [PackIndex.Entry]
  private var current = 0
  private var check: UInt32 = 0
  private var damagedEntries = 0

  init(of index: PackIndex?, size: Int) {
    self.index = index
    self.size = size
    entries = index?.entries.sorted { $0.offset < $1.offset } ?? []
  }

  mutating func readAll(_ file: OpenFile, advance: (Int) throws -> Void) throws {
    guard size >= 32 else { return damage.append("is cut short") }
    var offset = 0
    var end: [UInt8] = []
    while offset < size {
      let piece = try file.read(offset..<min(size, offset + 1 << 20), "read a pack")
      guard !piece.isEmpty else { return damage.append("is cut short") }
      if offset == 0 { checkHeader(piece) }
      let body = max(0, min(piece.count, size - 20 - offset))
      checksum.update(Array(piece[..<body]))
      take(piece[..<body], at: offset)
      end += piece[body...]
      offset += piece.count
      try advance(piece.count)
    }
    endEntry()
    if checksum.finish().bytes != end { damage.append("does not have its checksum") }
    if let index, index.packChecksum.bytes != end { damage.append("is not the one of its index") }
    if damagedEntries > 0 || current < entries.count {
      let count = damagedEntries + entries.count - current
      damage.append("has \(count) damaged \(count == 1 ? "entry" : "entries")")
    }
  }

  private mutating func checkHeader(_ start: [UInt8]) {
    guard start.count >= 12, start.starts(with: Array("PACK".utf8)), start.bigEndian(at: 4) == 2
    else { return damage.append("does not begin like a pack") }
    if let index, Int(start.bigEndian(at: 8)) != index.entries.count {
      damage.append("has another number of objects than its index")
    }
  }

  /// Continues the checks of the entries that a piece contains.
  private mutating func take(_ piece: ArraySlice<UInt8>, at start: Int) {
    var rest = piece
    var offset = start
    while !rest.isEmpty, current < entries.count {
      let entry = entries[current]
      if offset < entry.offset {
        let gap = min(rest.count, entry.offset - offset)
        rest = rest.dropFirst(gap)
        offset += gap
        continue
      }
      let next = current + 1 < entries.count ? entries[current + 1].offset : size - 20
      let part = rest.prefix(max(0, next - offset))
      check = CyclicCheck.crc32(Array(part), continuing: check)
      rest = rest.dropFirst(part.count)
      offset += part.count
      if offset >= next { endEntry() }
    }
  }

  private mutating func endEntry() {
    guard current < entries.count else { return }
    if check != entries[current].check { damagedEntries += 1 }
    check = 0
    current += 1
  }
}
