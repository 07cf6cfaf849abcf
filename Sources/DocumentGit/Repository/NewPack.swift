/// Writes the objects of a transaction into one new pack.
struct NewPack {
  private let objects: ObjectStore
  private let packs: PackSet

  init(in objects: ObjectStore) {
    self.objects = objects
    packs = objects.packs
  }

  /// Writes objects, each once, into a new pack without a final name.
  ///
  /// If they resemble objects of a small pack, the new pack begins with that pack's entries, and is meant to replace
  /// it.
  func write(
    _ objects: [GitObject], advance: (Int) throws -> Void
  ) throws -> FinishedPack {
    var seen: Set<ObjectID> = []
    seen.reserveCapacity(objects.count)
    // The numbers of the objects, because a large document has 100,000 objects.
    var distinct: [Int] = []
    for (number, object) in objects.enumerated() {
      let isFirst = seen.insert(object.id).inserted
      if try !isFirst || self.objects.isListed(object.id) { try object.refuseForgery() }
      if isFirst { distinct.append(number) }
    }
    let start = try startOfPack(for: objects)
    if let start {
      let taken = Set(start.entries.map(\.id))
      distinct.removeAll { taken.contains(objects[$0].id) }
    }
    let writer = try PackWriter(in: self.objects.folder, count: distinct.count, startingWith: start)
    for number in distinct {
      let object = objects[number]
      if let start, let (delta, place) = try changes(to: object, since: start) {
        try writer.append(object.id, delta: delta, toEntryAt: place)
      } else {
        try writer.append(object)
      }
      try advance(object.size)
    }
    return try writer.finish()
  }

  /// Returns the small pack with most of the similar objects.
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

  /// Returns a delta of an object in the first part of the pack, and that object's position; `nil` if the object is
  /// better stored whole.
  private func changes(
    to object: GitObject, since start: PackStart
  ) throws -> (delta: [UInt8], place: Int)? {
    guard let likeness = object.likeness, let offset = try start.pack.index.offset(of: likeness)
    else {
      return nil
    }
    let chain = try packs.chain(of: likeness, at: (start.pack, offset))
    guard chain.kind == object.kind, case .whole(let whole) = chain.base else { return nil }
    var place = offset
    var base: [UInt8]
    if chain.changes.count < DeltaChain.longest {
      base = try chain.read(likeness).bytes
    } else {
      // Starts a new chain from the beginning of the old one.
      base = try whole.pack.inflate(whole.entry, of: likeness)
      place = whole.offset
    }
    let bytes = try object.bytes()
    guard let delta = Delta.make(from: base, to: bytes, limit: bytes.count / 2) else { return nil }
    // Every delta is read back before it is stored.
    guard try Delta.apply(delta, to: base) == bytes else {
      throw GitError.malformed("the changes that make \(object.id) do not")
    }
    return (delta, place)
  }
}
