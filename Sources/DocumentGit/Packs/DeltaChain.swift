/// A chain of deltas from a whole object to a requested one.
struct DeltaChain {
  /// An entry of a pack.
  struct Link {
    let pack: OpenPack
    let offset: Int
    let entry: OpenPack.Entry
  }

  /// The object at the beginning of the chain.
  enum Base {
    case whole(Link)
    /// An object that was already read.
    case known([UInt8])
  }

  let kind: ObjectKind
  let base: Base
  /// The deltas, newest first.
  let changes: [Link]

  /// The longest chain that docversions writes, which is git's limit.
  static var longest: Int { 50 }

  /// The longest chain that docversions reads; git makes chains of 50, and with an option up to 4,095.
  static var most: Int { 4_096 }

  /// Returns the size of the resulting object.
  func size(of id: ObjectID) throws(GitError) -> Int {
    guard let newest = changes.first else { return baseSize }
    return try Delta.resultSize(newest.pack.inflate(newest.entry, of: id, upTo: 32))
  }

  /// Reconstructs the object without checking its id.
  ///
  /// - Parameters:
  ///   - kind: the required kind; `nil` for any kind.
  ///   - most: the maximum size in bytes; a larger object is an error before it is inflated.
  ///   - cache: a cache for the bases.
  func read(
    _ id: ObjectID, as kind: ObjectKind? = nil, upTo most: Int = .max, into cache: DeltaCache? = nil
  ) throws(GitError) -> (kind: ObjectKind, bytes: [UInt8]) {
    let size = try size(of: id)
    try self.kind.check(id, size: size, as: kind, upTo: most)
    var limit = ChainLimit(size: size)
    try limit.count(baseSize)
    var whole = try readBase(of: id, into: cache)
    for change in changes.reversed() {
      try limit.count(change.entry.size)
      let delta = try change.pack.inflate(change.entry, of: id)
      try limit.count(Delta.resultSize(delta))
      whole = try Delta.apply(delta, to: whole)
      cache?.keep(whole, self.kind, of: change)
    }
    return (self.kind, whole)
  }

  private var baseSize: Int {
    switch base {
    case .whole(let link): link.entry.size
    case .known(let bytes): bytes.count
    }
  }

  private func readBase(of id: ObjectID, into cache: DeltaCache?) throws(GitError) -> [UInt8] {
    switch base {
    case .known(let bytes): return bytes
    case .whole(let link):
      let bytes = try link.pack.inflate(link.entry, of: id)
      if !changes.isEmpty { cache?.keep(bytes, kind, of: link) }
      return bytes
    }
  }
}

/// A cache of delta bases, which reading version after version needs repeatedly.
final class DeltaCache {
  private struct Place: Hashable {
    let pack: ObjectIdentifier
    let offset: Int
  }

  private var objects: [Place: (kind: ObjectKind, bytes: [UInt8])] = [:]
  private var size = 0

  /// The maximum number of cached bytes, more than a chain of ordinary documents needs.
  private static let most = 8 << 20

  func object(of pack: OpenPack, at offset: Int) -> (kind: ObjectKind, bytes: [UInt8])? {
    objects.isEmpty ? nil : objects[Place(pack: ObjectIdentifier(pack), offset: offset)]
  }

  func keep(_ bytes: [UInt8], _ kind: ObjectKind, of link: DeltaChain.Link) {
    // The objects of one chain arrive together, so removing them one by one has no benefit.
    if size + bytes.count > Self.most { removeAll() }
    guard bytes.count <= Self.most / 4 else { return }
    let place = Place(pack: ObjectIdentifier(link.pack), offset: link.offset)
    if objects.updateValue((kind, bytes), forKey: place) == nil { size += bytes.count }
  }

  func removeAll() {
    objects = [:]
    size = 0
  }
}
