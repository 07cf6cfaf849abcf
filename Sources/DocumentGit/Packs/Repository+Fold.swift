extension Repository {
  /// Brings small packs together when there are many: every save adds one, and each is looked through for
  /// every object.
  ///
  /// Entries are copied as they stand, so this costs little more than reading them. A pack is taken in as
  /// long as it is at most twice as large as all the smaller ones together; so each object is copied
  /// a number of times that grows only with the logarithm of their number.
  ///
  /// The caller holds the store's lock.
  package func foldPacks() throws(GitError) {
    let folder = PackFolder(of: self)
    let packs = try folder.packs()
    guard packs.count >= Self.manyPacks else { return }
    var chosen: [PackFolder.Pack] = []
    var total = 0
    for pack in packs.sorted(by: { $0.size < $1.size }) {
      guard pack.size <= Self.largestFoldedPack, pack.size <= max(Self.smallPack, 2 * total) else {
        break
      }
      chosen.append(pack)
      total += pack.size
    }
    guard chosen.count >= Self.manyPacks / 2 else { return }
    try fold(chosen, in: folder)
  }

  private static var manyPacks: Int { 32 }
  private static var smallPack: Int { 64 << 10 }
  private static var largestFoldedPack: Int { 16 << 20 }

  private func fold(_ packs: [PackFolder.Pack], in folder: PackFolder) throws(GitError) {
    var entries: [ObjectID: [UInt8]] = [:]
    var order: [ObjectID] = []
    var folded: [PackFolder.Pack] = []
    for pack in packs {
      guard let whole = try wholeEntries(of: pack, in: folder) else { continue }
      folded.append(pack)
      for (id, entry) in whole where entries.updateValue(entry, forKey: id) == nil {
        order.append(id)
      }
    }
    guard folded.count > 1 else { return }
    let writer = try PackWriter(in: self, count: order.count)
    for id in order {
      if let entry = entries[id] { try writer.append(id, entry: entry) }
    }
    let new = try writer.finish()
    try PendingWrite.wait(for: new.pendingWrites)
    try new.place(isNew: false)
    try synchronize("objects/pack")
    for pack in folded where pack.name != new.name { try folder.remove(pack) }
    try refresh()
  }

  /// The entries of a pack; nil for one with deltas, or with damage: both stay as they are.
  private func wholeEntries(
    of pack: PackFolder.Pack, in folder: PackFolder
  ) throws(GitError) -> [(id: ObjectID, entry: [UInt8])]? {
    guard let bytes = try folder.readIfThere(pack.name + ".pack", upTo: 2 * Self.largestFoldedPack),
      let indexBytes = try folder.readIfThere(pack.name + ".idx", upTo: PackIndex.mostBytes)
    else { return nil }
    let index: PackIndex
    do { index = try PackIndex(decoding: indexBytes) } catch { return nil }
    guard bytes.count > 20, Checksum.of(bytes.dropLast(20)) == index.packChecksum else {
      return nil
    }
    let ordered = index.entries.sorted { $0.offset < $1.offset }
    let ends = ordered.dropFirst().map(\.offset) + [bytes.count - 20]
    var entries: [(id: ObjectID, entry: [UInt8])] = []
    for (entry, end) in zip(ordered, ends) {
      guard 12 <= entry.offset, entry.offset < end, end <= bytes.count - 20 else { return nil }
      let content = Array(bytes[entry.offset..<end])
      guard content[0] >> 4 & 7 < 5, CyclicCheck.crc32(content) == entry.check else { return nil }
      entries.append((entry.id, content))
    }
    return entries
  }
}
