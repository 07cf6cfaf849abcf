/// Compacts small packs into one, because every search for an object covers all packs.
///
/// Entries are copied unchanged, one at a time, which takes little more time than reading them, and little memory. The
/// files that are read never change, and the written files have no final name yet, so other processes have to wait only
/// while the new pack gets its name.
package struct PackCompaction {
  /// The packs to remove.
  private let former: [OpenPack]
  private let new: FinishedPack

  /// Copies the small packs of a repository into a new one, which is then on disk under temporary names.
  ///
  /// This needs no lock: other processes may save at the same time.
  ///
  /// - Parameters:
  ///   - names: the packs that may be compacted; `nil` for all.
  ///   - check: called between two entries; an error that it throws ends the work without a change.
  /// - Returns: the compaction; `nil` if there are few packs.
  package init?(
    of repository: borrowing Repository, among names: Set<String>? = nil,
    check: () throws -> Void = {}
  ) throws {
    let objects = repository.objects
    try objects.refresh()
    let small = objects.packs.worthCompacting(among: names)
    guard small.count >= PackSet.many else { return nil }
    var entries: [CopiedEntry] = []
    var seen: Set<ObjectID> = []
    var former: [OpenPack] = []
    var room = OpenPack.mostKept
    for pack in small {
      let isKept = pack.size <= room
      guard let all = try CopiedEntry.all(of: pack, keeping: isKept, check: check) else { continue }
      if isKept { room -= pack.size }
      former.append(pack)
      entries += all.filter { seen.insert($0.id).inserted }
    }
    // A damaged pack stays unchanged.
    guard former.count >= PackSet.many / 2 else { return nil }
    let writer = try PackWriter(in: objects.folder, count: entries.count)
    for entry in entries {
      try check()
      try entry.copy(to: writer)
    }
    former.forEach { $0.releaseWhole() }
    new = try writer.finish()
    try objects.folder.wait(for: new.files)
    try new.readBack(entries.map(\.id), checking: objects.packs.check) { _ in try check() }
    self.former = former
  }

  /// Replaces the compacted packs with the new one.
  ///
  /// If one of them was removed in the meantime, and one of its objects is in no other pack, nothing happens, because
  /// the object was removed.
  ///
  /// The caller holds the store's lock.
  package func finish(in repository: borrowing Repository) throws(GitError) {
    let packs = repository.packs
    let folder = PackFolder(in: repository.folder)
    let present = Set(try folder.packNames())
    let gone = former.filter { !present.contains($0.name) }
    if !gone.isEmpty { try packs.refresh() }
    for pack in gone {
      for id in try pack.index.objects() {
        guard try packs.isKnown(id) else { return }
      }
    }
    try new.place(isNew: false)
    for pack in former where pack.name != new.name { try folder.removePack(pack.name) }
  }
}

extension PackSet {
  /// True if there are enough packs for compacting, according to the last listing.
  var hasMany: Bool { worthCompacting(among: nil).count >= Self.many }

  /// True if there are so many packs that compacting must not wait, because each is an open file.
  var hasTooMany: Bool { known.count >= Self.tooMany }

  fileprivate static var many: Int { 8 }
  private static var tooMany: Int { 128 }

  /// Returns the smallest packs of the last listing, so that each of the others is at least twice as large as all
  /// smaller ones together.
  ///
  /// The number of times that an object is copied then grows only with the logarithm of the number of objects.
  ///
  /// - Parameter names: the packs to consider; `nil` for all.
  fileprivate func worthCompacting(among names: Set<String>?) -> ArraySlice<OpenPack> {
    // The newest pack is omitted, because the next save begins with it.
    let ascending = compactable.filter { names?.contains($0.name) ?? true }.dropFirst().sorted {
      ($0.size, $0.name) < ($1.size, $1.name)
    }
    var (total, count) = (0, 0)
    for (number, pack) in ascending.enumerated() {
      if pack.size < 2 * total { count = number + 1 }
      total += pack.size
    }
    return ascending.prefix(count)
  }

  /// The packs that may be compacted, newest first; large packs only if there are many.
  private var compactable: [OpenPack] {
    known.count < Self.manyLarge ? known.filter { $0.size <= Self.small } : known
  }

  private static var manyLarge: Int { 64 }
  /// The maximum size of a small pack in bytes.
  private static var small: Int { 4 << 20 }
}

/// An entry to copy from one pack to another.
struct CopiedEntry {
  let id: ObjectID
  let pack: OpenPack
  /// The range of the entry in the pack.
  let range: Range<Int>
  /// The CRC-32 of the entry.
  let check: UInt32
  /// The base of a delta, the delta's inflated size, and the position of its zlib stream; `nil` for an object that is
  /// stored whole.
  let change: (base: ObjectID, size: Int, start: Int)?

  /// Returns the entries of a pack, each after its base; `nil` if the pack is damaged, or if a base is
  /// outside it; such packs stay unchanged.
  ///
  /// - Parameter isKept: whether all bytes of the pack are read at once and kept.
  static func all(
    of pack: OpenPack, keeping isKept: Bool, check: () throws -> Void
  ) throws -> [CopiedEntry]? {
    do {
      if isKept, try pack.readWhole() == nil { return nil }
      let index = try PackIndex(decoding: pack.index.readWhole())
      let places = index.entries.sorted { $0.offset < $1.offset }
      let ends = places.dropFirst().map(\.offset) + [pack.size - 20]
      guard places.first?.offset == PackWriter.firstEntry else { return nil }
      let checksum = Checksum()
      checksum.update(try pack.bytes(in: 0..<PackWriter.firstEntry))
      var ids: [Int: ObjectID] = [:]
      var entries: [CopiedEntry] = []
      for (place, end) in zip(places, ends) {
        try check()
        guard place.offset < end, let entry = try CopiedEntry(place, end, ids, in: pack) else {
          return nil
        }
        checksum.update(try entry.bytes())
        ids[place.offset] = place.id
        entries.append(entry)
      }
      return checksum.finish() == index.packChecksum ? entries : nil
    } catch let error as GitError where !error.isFromSystem {
      return nil
    }
  }

  /// Reads an entry; `nil` for a delta whose base isn't in the pack.
  ///
  /// - Parameter ids: the objects before this entry, by their positions.
  private init?(
    _ place: PackIndex.Entry, _ end: Int, _ ids: [Int: ObjectID], in pack: OpenPack
  ) throws(GitError) {
    id = place.id
    self.pack = pack
    range = place.offset..<end
    check = place.check
    let entry = try pack.entry(at: place.offset, of: id)
    switch entry.form {
    case .whole: change = nil
    case .delta(let baseAt):
      guard let base = ids[baseAt], entry.start < end else { return nil }
      change = (base, entry.size, entry.start)
    case .deltaOf: return nil
    }
  }

  /// Reads the entry's bytes.
  private func bytes() throws(GitError) -> [UInt8] {
    let bytes = try pack.bytes(in: range)
    guard CyclicCheck.crc32(bytes) == check else { throw .damaged(id) }
    return bytes
  }

  /// Copies the entry, which was checked before.
  func copy(to writer: PackWriter) throws(GitError) {
    let bytes = try bytes()
    if let change {
      try writer.append(
        id, deltaOf: change.size, deflated: bytes[(change.start - range.lowerBound)...],
        to: change.base)
    } else {
      try writer.append(id, entry: bytes)
    }
  }
}
