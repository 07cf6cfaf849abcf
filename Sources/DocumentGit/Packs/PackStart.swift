/// A small pack that the next one begins with, so that new objects can stand in it as changes to those they resemble:
/// a version of a document then takes about as much room as what was changed.
///
/// Every entry keeps its place, so taking a pack over costs little more than reading it.
struct PackStart {
  let pack: OpenPack
  /// The entries as they stand in the pack, in their order.
  let bytes: [UInt8]
  let entries: [PackIndex.Entry]

  /// Reads a pack whole; nil where it is damaged: then it stays as it is.
  init?(_ pack: OpenPack) throws(GitError) {
    guard pack.size <= Self.largest, let bytes = try pack.readWhole(), bytes.count > 32,
      bytes.starts(with: Array("PACK".utf8) + [0, 0, 0, 2])
    else { return nil }
    do {
      let index = try PackIndex(decoding: pack.index.readWhole())
      guard Int(bytes.bigEndian(at: 8)) == index.entries.count,
        Checksum.of(bytes.dropLast(20)) == index.packChecksum
      else { return nil }
      entries = index.entries
    } catch { return nil }
    self.pack = pack
    self.bytes = Array(bytes[12..<(bytes.count - 20)])
  }

  /// The largest pack that is worth to be taken over by another one, in bytes.
  ///
  /// - Parameter size: what the objects come to that resemble some of it. To copy a byte takes a tenth of the time
  ///   that it takes to compress one.
  static func limit(for size: Int) -> Int {
    min(largest, max(64 << 10, 2 * size))
  }

  /// In bytes.
  static let largest = 1 << 20
  /// The index has to be made anew, too.
  static let mostObjects = 2_048
}

extension Repository {
  /// Writes objects, each once, into a new pack, which has no name yet.
  ///
  /// Where they resemble objects of a small pack, the new one begins with that, and is to replace it.
  func writePack(
    _ objects: [GitObject], advance: (Int) throws -> Void
  ) throws -> FinishedPack {
    var seen: Set<ObjectID> = []
    seen.reserveCapacity(objects.count)
    // Their numbers: a large document has 100,000 of them.
    var distinct: [Int] = []
    for (number, object) in objects.enumerated() {
      let isFirst = seen.insert(object.id).inserted
      if try !isFirst || isThere(object.id) { try object.refuseForgery() }
      if isFirst { distinct.append(number) }
    }
    let start = try startOfPack(for: objects)
    if let start {
      let taken = Set(start.entries.map(\.id))
      distinct.removeAll { taken.contains(objects[$0].id) }
    }
    let writer = try PackWriter(in: self, count: distinct.count, startingWith: start)
    for number in distinct {
      let object = objects[number]
      let bytes = try object.bytes()
      if let start, let (delta, place) = try changes(to: object, bytes, since: start) {
        try writer.append(object.id, delta: delta, toEntryAt: place)
      } else {
        try writer.append(object.id, object.kind, bytes)
      }
      try advance(object.size)
    }
    return try writer.finish()
  }

  /// The small pack that has most of what the objects resemble.
  private func startOfPack(for objects: [GitObject]) throws(GitError) -> PackStart? {
    var found: [(pack: OpenPack, size: Int)] = []
    let most = PackStart.limit(for: objects.reduce(0) { $0 + $1.size })
    for object in objects {
      guard let likeness = object.likeness else { continue }
      for pack in try packs.knownPacks(with: likeness, upTo: most) {
        let known = found.firstIndex { $0.pack === pack }
        if known == nil { found.append((pack, 0)) }
        found[known ?? found.endIndex - 1].size += object.size
      }
    }
    let best =
      found
      .filter {
        $0.pack.size <= PackStart.limit(for: $0.size)
          && $0.pack.index.count <= PackStart.mostObjects
      }
      .max { ($0.size, $1.pack.name) < ($1.size, $0.pack.name) }
    return try best.flatMap { best throws(GitError) in
      try PackStart(best.pack)
    }
  }

  /// The changes that make an object of one that the pack begins with, and where that one begins; nil where it is
  /// better stored whole.
  private func changes(
    to object: GitObject, _ bytes: [UInt8], since start: PackStart
  ) throws(GitError) -> (delta: [UInt8], place: Int)? {
    guard let likeness = object.likeness, let offset = try start.pack.index.offset(of: likeness)
    else {
      return nil
    }
    let chain = try packs.chain(of: likeness, at: (start.pack, offset))
    guard chain.kind == object.kind, case .whole(let whole) = chain.base else { return nil }
    var place = offset
    var base: [UInt8]
    if chain.changes.count < Self.longestChain {
      base = try chain.read(likeness).bytes
    } else {
      // A new chain, from where the old one begins.
      base = try whole.pack.inflate(whole.entry, of: likeness)
      place = whole.offset
    }
    guard let delta = Delta.make(from: base, to: bytes, limit: bytes.count / 2) else { return nil }
    // Nothing is stored but what was read back.
    guard try Delta.apply(delta, to: base) == bytes else {
      throw .malformed("the changes that make \(object.id) do not")
    }
    return (delta, place)
  }

  /// Removes packs of which a new one has every object.
  ///
  /// Should it fail, the next one does it: what is stored twice is in nobody's way.
  func removePacks(coveredBy name: String) {
    do {
      for pack in try packs.covered(by: name) { try PackFolder(of: self).removePack(pack.name) }
    } catch {}
  }
}
