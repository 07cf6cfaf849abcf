/// A pack that arrives from a server in pieces.
///
/// Nothing in it is trusted: its size is limited, no object is inflated before its size is checked, and the pack gets a
/// name only if every object in it is sound. The bases of deltas that are already in the repository are added, so that
/// the pack is self-contained.
package final class ReceivedPack {
  private let objects: ObjectStore
  private let folder: PackFolder
  private let name: String
  private let file: UnplacedFile
  private let checksum = Checksum()
  /// The last 20 bytes so far, which are the checksum if nothing follows.
  private var end: [UInt8] = []
  /// The number of bytes so far.
  package private(set) var size = 0
  private let most: Int
  /// The first bytes, which contain the number of objects.
  private var start: [UInt8] = []

  /// The number of objects according to its header; `nil` if the header hasn't arrived yet.
  package var count: Int? {
    start.count == PackWriter.firstEntry ? Int(start.bigEndian(at: 8)) : nil
  }

  /// Starts to receive a pack for a repository.
  ///
  /// - Parameter most: the maximum size in bytes.
  package init(for repository: borrowing Repository, upTo most: Int) throws(GitError) {
    objects = repository.objects
    self.most = most
    folder = PackFolder(in: objects.folder)
    name = "\(PackWriter.temporaryPrefix)\(UInt64.random(in: .min ... .max))-received"
    file = try UnplacedFile(objects.folder.path("objects/pack/\(name).pack"), in: objects.folder)
    file.hold()
  }

  /// Adds bytes.
  package func append(_ bytes: ArraySlice<UInt8>) throws(GitError) {
    size += bytes.count
    guard size <= most else {
      throw .malformed("what the server sends is larger than \(most >> 20) MB")
    }
    if start.count < PackWriter.firstEntry {
      start += bytes.prefix(PackWriter.firstEntry - start.count)
    }
    try file.append(Array(bytes))
    let known = end + bytes
    checksum.update(Array(known.dropLast(20)))
    end = Array(known.suffix(20))
  }

  /// Checks everything, and adds the pack to the repository; on return, it is on disk.
  ///
  /// - Parameters:
  ///   - wanted: objects that must be in the pack or in the repository.
  ///   - advance: receives every object's size.
  /// - Returns: the pack; `nil` if it has no objects.
  package func finish(
    with wanted: [ObjectID], advance: (Int) throws -> Void
  ) throws -> PublishedPack? {
    try file.flush()
    guard size >= 32, checksum.finish().bytes == end else {
      throw GitError.malformed("a pack was cut short or changed on its way")
    }
    guard let pack = try OpenPack(scanning: name, in: folder) else {
      throw GitError.changedMeanwhile("a pack that was received went away")
    }
    let contents = try PackContents(of: pack, besides: objects, advance: advance)
    for id in wanted {
      guard try contents.has(id) || objects.isListed(id) else { throw GitError.notFound(id) }
    }
    guard !contents.entries.isEmpty else { return nil }
    let writer = try PackWriter(
      in: objects.folder, count: contents.entries.count + contents.bases.count)
    // Entries keep their positions, because deltas contain the distance to their base.
    for entry in contents.entries {
      try writer.append(entry.id, entry: pack.bytes(in: entry.range))
    }
    for base in contents.bases.sorted() {
      let object = try objects.read(base)
      try writer.append(base, object.kind, object.bytes)
    }
    let new = try writer.finish()
    try new.publish()
    try objects.refresh()
    return PublishedPack(name: new.name, size: new.size)
  }
}

/// The objects of a pack without an index, each of which was read.
struct PackContents {
  struct Entry {
    let id: ObjectID
    let range: Range<Int>
  }

  /// The entries in the order of the pack.
  private(set) var entries: [Entry] = []
  /// The objects of the repository that are bases of its deltas.
  private(set) var bases: Set<ObjectID> = []
  private let pack: OpenPack
  private let objects: ObjectStore
  private let cache = DeltaCache()
  /// The positions of objects.
  private var places: [ObjectID: Int] = [:]
  /// The number of bytes that may still be inflated, because few bytes may represent very many.
  private var rest: Int

  init(
    of pack: OpenPack, besides objects: ObjectStore, advance: (Int) throws -> Void
  ) throws {
    self.pack = pack
    self.objects = objects
    rest = 1 << 30 + 200 * pack.size
    let header = try pack.bytes(in: 0..<PackWriter.firstEntry)
    guard header.starts(with: Array("PACK".utf8)), header.bigEndian(at: 4) == 2 else {
      throw GitError.malformed("the received data isn’t a pack")
    }
    let count = Int(header.bigEndian(at: 8))
    // The smallest entry has one byte for its size, and nine bytes for a stream.
    guard count <= pack.size / 9 else {
      throw GitError.malformed("a pack has no room for its objects")
    }
    var found: [(range: Range<Int>, id: ObjectID?)] = []
    var waiting: [Int] = []
    var offset = PackWriter.firstEntry
    for number in 0..<count {
      let entry = try pack.entry(at: offset, of: .emptyTree)
      rest -= entry.size
      guard rest > 0 else { throw GitError.malformed("a pack stands for far more than it has") }
      let (bytes, end) = try pack.inflateToEnd(entry)
      let id =
        if case .whole(let kind) = entry.form {
          try Self.id(of: kind, bytes)
        } else {
          try object(at: offset)
        }
      if let id { places[id] = offset } else { waiting.append(number) }
      found.append((offset..<end, id))
      try advance(end - offset)
      offset = end
    }
    guard offset == pack.size - 20 else {
      throw GitError.malformed("a pack has more than its objects")
    }
    // Deltas may precede their bases.
    while !waiting.isEmpty {
      let former = waiting.count
      waiting = try waiting.filter { number in
        guard let id = try object(at: found[number].range.lowerBound) else { return true }
        places[id] = found[number].range.lowerBound
        found[number].id = id
        return false
      }
      guard waiting.count < former else { throw GitError.missing("the base of an object") }
    }
    entries = found.compactMap { entry in entry.id.map { Entry(id: $0, range: entry.range) } }
    // A base that is in the pack isn't added.
    bases.subtract(places.keys)
  }

  /// Returns whether the pack has an object.
  func has(_ id: ObjectID) -> Bool { places[id] != nil }

  /// Returns the id of the object at a position; `nil` if it is a delta of an object that wasn't found yet.
  private mutating func object(at offset: Int) throws(GitError) -> ObjectID? {
    var changes: [DeltaChain.Link] = []
    var offset = offset
    var chain: DeltaChain?
    while chain == nil {
      guard changes.count < DeltaChain.most else { throw .malformed("changes lead in a circle") }
      if !changes.isEmpty, let known = cache.object(of: pack, at: offset) {
        chain = DeltaChain(kind: known.kind, base: .known(known.bytes), changes: changes)
        break
      }
      let entry = try pack.entry(at: offset, of: .emptyTree)
      let link = DeltaChain.Link(pack: pack, offset: offset, entry: entry)
      switch entry.form {
      case .whole(let kind):
        chain = DeltaChain(kind: kind, base: .whole(link), changes: changes)
      case .delta(let base):
        changes.append(link)
        offset = base
      case .deltaOf(let base):
        changes.append(link)
        if let place = places[base] {
          offset = place
        } else if try objects.isListed(base) {
          let object = try objects.read(base)
          bases.insert(base)
          chain = DeltaChain(kind: object.kind, base: .known(object.bytes), changes: changes)
        } else {
          return nil
        }
      }
    }
    guard let object = try chain?.read(.emptyTree, into: cache) else { return nil }
    return try Self.id(of: object.kind, object.bytes)
  }

  private static func id(of kind: ObjectKind, _ bytes: [UInt8]) throws(GitError) -> ObjectID {
    try kind.check(.emptyTree, size: bytes.count, as: nil, upTo: .max)
    return try ObjectID(refusingForgeryOf: kind, bytes)
  }
}
