extension Repository {
  /// Brings small packs together when there are many: each is looked through for every object.
  ///
  /// Entries are copied as they stand, so this costs little more than reading them. A pack is taken in as
  /// long as it is at most twice as large as all the smaller ones together; so each object is copied
  /// a number of times that grows only with the logarithm of their number.
  ///
  /// The caller holds the store's lock.
  package func foldPacks() throws(GitError) {
    // Mostly known from the last look, which a commit ends with.
    if packs.count == 0 { try refresh() }
    let folder = PackFolder(of: self)
    guard packs.count >= Self.manyPacks, try folder.packNames().count >= Self.manyPacks else {
      return
    }
    var chosen: [PackFolder.Pack] = []
    var total = 0
    for pack in try folder.packs().sorted(by: { $0.size < $1.size }) {
      guard pack.size <= Self.largestFoldedPack, pack.size <= max(PackStart.largest, 2 * total)
      else {
        break
      }
      chosen.append(pack)
      total += pack.size
    }
    guard chosen.count >= Self.manyPacks / 2 else { return }
    try fold(chosen, in: folder)
  }

  private static var manyPacks: Int { 16 }
  /// A save that folds shall not be felt.
  private static var largestFoldedPack: Int { 4 << 20 }

  private func fold(_ packs: [PackFolder.Pack], in folder: PackFolder) throws(GitError) {
    var entries: [FoldedEntry] = []
    var seen: Set<ObjectID> = []
    var folded: [PackFolder.Pack] = []
    for pack in packs {
      guard let all = try self.entries(of: pack, in: folder) else { continue }
      folded.append(pack)
      entries += all.filter { seen.insert($0.id).inserted }
    }
    guard folded.count > 1 else { return }
    let writer = try PackWriter(in: self, count: entries.count)
    for entry in entries {
      if let base = entry.base {
        try writer.append(entry.id, deltaOf: entry.size, deflated: entry.bytes, to: base)
      } else {
        try writer.append(entry.id, entry: Array(entry.bytes))
      }
    }
    let new = try writer.finish()
    try wait(for: new.pendingWrites)
    try new.place(isNew: false)
    try synchronize("objects/pack")
    for pack in folded where pack.name != new.name { try folder.removePack(pack.name) }
    try refresh()
  }

  /// The entries of a pack, each after the one that it is changes of; nil for a pack with damage, or with changes to
  /// what is not in it: both stay as they are.
  private func entries(
    of pack: PackFolder.Pack, in folder: PackFolder
  ) throws(GitError) -> [FoldedEntry]? {
    guard let bytes = try folder.readIfThere(pack.name + ".pack", upTo: 2 * Self.largestFoldedPack),
      let indexBytes = try folder.readIfThere(pack.name + ".idx", upTo: PackIndex.mostBytes)
    else { return nil }
    do {
      let index = try PackIndex(decoding: indexBytes)
      guard bytes.count > 20, Checksum.of(bytes.dropLast(20)) == index.packChecksum,
        let open = try OpenPack(pack.name, in: folder)
      else { return nil }
      let ordered = index.entries.sorted { $0.offset < $1.offset }
      let ends = ordered.dropFirst().map(\.offset) + [bytes.count - 20]
      var ids: [Int: ObjectID] = [:]
      var entries: [FoldedEntry] = []
      for (place, end) in zip(ordered, ends) {
        guard 12 <= place.offset, place.offset < end, end <= bytes.count - 20,
          CyclicCheck.crc32(bytes[place.offset..<end]) == place.check
        else { return nil }
        ids[place.offset] = place.id
        let entry = try open.entry(at: place.offset, of: place.id)
        switch entry.form {
        case .whole:
          entries.append(FoldedEntry(place.id, bytes[place.offset..<end]))
        case .delta(let baseAt):
          guard let base = ids[baseAt], entry.start < end else { return nil }
          entries.append(
            FoldedEntry(place.id, bytes[entry.start..<end], changing: base, size: entry.size))
        case .deltaOf: return nil
        }
      }
      return entries
    } catch {
      if error.isFromSystem { throw error }
      return nil
    }
  }
}

/// An entry on its way from one pack to another.
private struct FoldedEntry {
  let id: ObjectID
  /// What these are changes of; nil where the entry is copied whole.
  let base: ObjectID?
  /// The entry, or of changes only what is deflated.
  let bytes: ArraySlice<UInt8>
  /// Bytes of the changes when inflated.
  let size: Int

  init(_ id: ObjectID, _ bytes: ArraySlice<UInt8>, changing base: ObjectID? = nil, size: Int = 0) {
    self.id = id
    self.base = base
    self.bytes = bytes
    self.size = size
  }
}
