/// Compacts small packs into one, because every search for an object goes through all packs.
///
/// Entries are copied as they stand, one at a time: that takes little more than reading them, and little memory. Files
/// that are read never change, and those that are written have no name yet; so no other process has to wait until the
/// new pack gets one.
package struct PackCompaction {
  /// The packs that are to go.
  private let former: [OpenPack]
  private let new: FinishedPack

  /// Copies the small packs of a repository into a new one, which is then on the disk under temporary names.
  ///
  /// Needs no lock: other processes may save meanwhile.
  ///
  /// - Parameters:
  ///   - names: the packs that it may take; nil for all.
  ///   - check: called between two entries; what it throws ends the work with nothing changed.
  /// - Returns: nil where there are few packs.
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
    // One that is damaged stays as it is.
    guard former.count >= PackSet.many / 2 else { return nil }
    let writer = try PackWriter(in: objects.folder, count: entries.count)
    for entry in entries {
      try check()
      try entry.copy(to: writer)
    }
    new = try writer.finish()
    try objects.folder.wait(for: new.pendingWrites)
    try new.readBack(entries.map(\.id), checking: objects.packs.check) { _ in try check() }
    self.former = former
  }

  /// Puts the new pack in the place of those that it was made from.
  ///
  /// Where one of them has gone meanwhile, and an object of it is in no other, nothing happens: the object was removed.
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
  /// Whether compacting the packs is worth while, by their number when they were last listed.
  var hasMany: Bool { worthCompacting(among: nil).count >= Self.many }

  /// Whether compacting must not wait any longer: each pack is an open file.
  var hasTooMany: Bool { known.count >= Self.tooMany }

  fileprivate static var many: Int { 8 }
  private static var tooMany: Int { 128 }

  /// The smallest of the packs that were last listed, so many that each of the others is at least twice as large as all that are
  /// smaller: every object is then copied a number of times that grows only with the logarithm of their number.
  ///
  /// - Parameter names: the packs that count; nil for all.
  fileprivate func worthCompacting(among names: Set<String>?) -> ArraySlice<OpenPack> {
    // The next save begins with the newest one.
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

  /// The packs that may be compacted, the newest first: of large ones only many are worth it.
  private var compactable: [OpenPack] {
    known.count < Self.manyLarge ? known.filter { $0.size <= Self.small } : known
  }

  private static var manyLarge: Int { 64 }
  /// In bytes.
  private static var small: Int { 4 << 20 }
}

/// An entry on its way from one pack to another.
private struct CopiedEntry {
  let id: ObjectID
  let pack: OpenPack
  /// Where it stands in the pack.
  let range: Range<Int>
  /// Its CRC-32.
  let check: UInt32
  /// What this is changes of, their bytes when inflated, and where what is deflated begins; nil for an object that is
  /// stored whole.
  let change: (base: ObjectID, size: Int, start: Int)?

  /// The entries of a pack, each after the one that it is changes of; nil for a pack with damage, or with changes to
  /// what is not in it: both stay as they are.
  ///
  /// - Parameter isKept: whether all bytes of the pack are read at once, and kept.
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

  /// Nil for changes to what is not in the pack.
  ///
  /// - Parameter ids: the objects whose entries begin before this one, by their places.
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

  /// The entry as it stands in the pack.
  private func bytes() throws(GitError) -> [UInt8] {
    let bytes = try pack.bytes(in: range)
    guard CyclicCheck.crc32(bytes) == check else { throw .damaged(id) }
    return bytes
  }

  /// Copies the entry, as it was checked before.
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
