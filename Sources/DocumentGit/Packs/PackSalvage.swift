/// The readable objects of a damaged pack: every object that inflates and whose bytes have its id.
///
/// A sound index gives the positions of the entries. Without one, the search begins at the start; after a damaged
/// entry, it continues byte by byte until an entry inflates again.
struct PackSalvage {
  private let pack: OpenPack
  /// The positions of whole objects, by their ids.
  private(set) var places: [ObjectID: Int] = [:]

  init?(_ name: String, in folder: PackFolder) throws(GitError) {
    guard let pack = try OpenPack(scanning: name, in: folder) else { return nil }
    self.pack = pack
    if let index = try Self.index(name, in: folder) {
      for entry in index.entries { try keep(entry.offset, expecting: entry.id) }
    } else {
      try scan()
    }
  }

  /// Reads the kind and bytes of an object that was found.
  func read(at offset: Int) throws(GitError) -> (kind: ObjectKind, bytes: [UInt8]) {
    var changes: [DeltaChain.Link] = []
    var offset = offset
    for _ in 0...DeltaChain.most {
      let entry = try pack.entry(at: offset, of: .emptyTree)
      let link = DeltaChain.Link(pack: pack, offset: offset, entry: entry)
      switch entry.form {
      case .whole(let kind):
        return try DeltaChain(kind: kind, base: .whole(link), changes: changes).read(.emptyTree)
      case .delta(let base): offset = base
      case .deltaOf(let base):
        guard let place = places[base] else { throw .damaged(base) }
        offset = place
      }
      changes.append(link)
    }
    throw .malformed("changes lead in a circle")
  }

  private static func index(_ name: String, in folder: PackFolder) throws(GitError) -> PackIndex? {
    do {
      guard let bytes = try folder.files.readIfThere(name + ".idx", upTo: PackIndex.mostBytes)
      else {
        return nil
      }
      return try PackIndex(decoding: bytes)
    } catch {
      if error.isFromSystem { throw error }
      return nil
    }
  }

  private mutating func keep(_ offset: Int, expecting id: ObjectID?) throws(GitError) {
    do {
      let object = try read(at: offset)
      let found = try ObjectID(refusingForgeryOf: object.kind, object.bytes)
      if id == nil || found == id { places[found] = offset }
    } catch {
      if error.isFromSystem { throw error }
    }
  }

  private mutating func scan() throws(GitError) {
    var offset = 12
    while offset < pack.size - 20 {
      do {
        let end = try pack.inflateToEnd(pack.entry(at: offset, of: .emptyTree)).end
        try keep(offset, expecting: nil)
        offset = end
      } catch {
        if error.isFromSystem { throw error }
        offset += 1
      }
    }
  }
}

extension PackSalvage {
  /// Writes the readable objects of a damaged pack into a new one; on return, the new pack is on disk.
  ///
  /// The damaged pack stays unchanged.
  ///
  /// - Returns: the number of saved objects, and the files that can be removed: none if the new pack replaced the old
  ///   one.
  static func save(
    pack name: String, in folder: RepositoryFolder
  ) throws(GitError) -> (objects: Int, files: [String]) {
    let packs = PackFolder(in: folder)
    let salvage = try PackSalvage(name, in: packs)
    let written = try salvage?.write(to: folder)
    let files = written == name ? [] : try packs.files.names().filter { $0.hasPrefix(name + ".") }
    // The index comes first, because git finds packs by their indexes.
    return (
      salvage?.places.count ?? 0,
      files.sorted { $0.hasSuffix(".idx") && !$1.hasSuffix(".idx") }.map { "objects/pack/\($0)" }
    )
  }

  /// - Returns: the name of the new pack; `nil` if nothing was found.
  private func write(to folder: RepositoryFolder) throws(GitError) -> String? {
    guard !places.isEmpty else { return nil }
    let writer = try PackWriter(in: folder, count: places.count)
    for (id, offset) in places.sorted(by: { $0.value < $1.value }) {
      let object = try read(at: offset)
      try writer.append(id, object.kind, object.bytes)
    }
    let new = try writer.finish()
    try new.publish()
    return new.name
  }
}
