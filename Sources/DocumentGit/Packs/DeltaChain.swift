/// A whole object, and the changes that lead from it to the one asked for.
struct DeltaChain {
  /// An entry of a pack.
  struct Link {
    let pack: OpenPack
    let offset: Int
    let entry: OpenPack.Entry
  }

  /// The object that the changes begin with.
  enum Base {
    case whole(Link)
    /// The objects that were read before.
    case known([UInt8])
  }

  let kind: ObjectKind
  let base: Base
  /// The newest first.
  let changes: [Link]

  /// We make chains of 50, as git does: no object needs more steps than these.
  static var longest: Int { 50 }

  /// Git makes chains of 50; 4,095 is the most that an option lets it make.
  static var most: Int { 4_096 }

  /// The size of the object that the changes lead to.
  func size(of id: ObjectID) throws(GitError) -> Int {
    guard let newest = changes.first else { return baseSize }
    return try Delta.resultSize(newest.pack.inflate(newest.entry, of: id, upTo: 32))
  }

  /// Makes the object, whatever its id may be.
  ///
  /// - Parameters:
  ///   - kind: what it must be; nil for any kind.
  ///   - most: more bytes than these are refused before any is inflated.
  ///   - cache: keeps what the changes are of.
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

/// The objects that entries came to of which others are changes: reading version after version needs the same ones
/// again and again.
final class DeltaCache {
  private struct Place: Hashable {
    let pack: ObjectIdentifier
    let offset: Int
  }

  private var objects: [Place: (kind: ObjectKind, bytes: [UInt8])] = [:]
  private var size = 0

  /// Bytes of all objects that are kept; more than a chain of ordinary documents comes to.
  private static let most = 8 << 20

  func object(of pack: OpenPack, at offset: Int) -> (kind: ObjectKind, bytes: [UInt8])? {
    objects.isEmpty ? nil : objects[Place(pack: ObjectIdentifier(pack), offset: offset)]
  }

  func keep(_ bytes: [UInt8], _ kind: ObjectKind, of link: DeltaChain.Link) {
    // Those of one chain come together, so nothing is gained by letting them go one by one.
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
