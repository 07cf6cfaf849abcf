/// The packs of a repository that are open for reading; new ones are found when something is missing.
final class PackSet {
  /// What objects are checked for.
  let check: ObjectCheck
  private let folder: PackFolder
  private var packs: [OpenPack] = []
  private var isFixed = false
  /// The names at the last look.
  private var seen: [String] = []
  /// Why a pack cannot be read, where one cannot.
  private var damage: GitError?

  init(_ folder: PackFolder, checking check: ObjectCheck = .damage) {
    self.check = check
    self.folder = folder
  }

  /// A set of one pack alone.
  init(only pack: OpenPack, in folder: PackFolder) {
    check = .forgery
    self.folder = folder
    packs = [pack]
    isFixed = true
  }

  /// Where an object begins in a pack.
  typealias Place = (pack: OpenPack, offset: Int)

  /// Whether a pack has an object.
  ///
  /// - Throws: ``GitError`` if none has it, but one cannot be read.
  func contains(_ id: ObjectID) throws(GitError) -> Bool {
    if try !places(of: id).isEmpty { return true }
    if let damage { throw damage }
    return false
  }

  /// Whether a pack that was there at the last look has an object.
  func isKnown(_ id: ObjectID) throws(GitError) -> Bool {
    if seen.isEmpty { try refresh() }
    return packs.contains { $0.offset(of: id) != nil }
  }

  /// Every place where an object is; none when no pack has it.
  func places(of id: ObjectID) throws(GitError) -> [Place] {
    let known = knownPlaces(of: id)
    guard known.isEmpty, try refresh() else { return known }
    return knownPlaces(of: id)
  }

  /// Looks for packs again.
  ///
  /// - Returns: whether there are others than before.
  @discardableResult
  func refresh() throws(GitError) -> Bool {
    if isFixed { return false }
    let names = try folder.packs().map(\.name)
    guard names != seen else { return false }
    seen = names
    damage = nil
    let known = Dictionary(packs.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
    packs = []
    for name in names {
      do {
        if let pack = known[name] {
          packs.append(pack)
        } else if let pack = try OpenPack(name, in: folder) {
          packs.append(pack)
        }
      } catch {
        // What the others have can be read all the same.
        damage = error
      }
    }
    return true
  }

  private func knownPlaces(of id: ObjectID) -> [Place] {
    var places: [Place] = []
    for pack in packs {
      if let offset = pack.offset(of: id) { places.append((pack, offset)) }
    }
    return places
  }

  // MARK: Reading

  /// Reads an object; nil when no pack has it.
  ///
  /// Of an object that is in several packs, a damaged copy does no harm.
  ///
  /// - Parameters:
  ///   - kind: what it must be; nil for any kind.
  ///   - most: more bytes than these are refused before any is inflated.
  func read(
    _ id: ObjectID, as kind: ObjectKind? = nil, upTo most: Int = .max
  ) throws(GitError) -> (kind: ObjectKind, bytes: [UInt8])? {
    let places = try places(of: id)
    // Looking for it may have found a pack that cannot be read.
    var failure = damage
    for place in places {
      do {
        return try read(chain(of: id, at: place), of: id, as: kind, upTo: most)
      } catch { failure = error }
    }
    if let failure { throw failure }
    return nil
  }

  private func read(
    _ chain: DeltaChain, of id: ObjectID, as kind: ObjectKind?, upTo most: Int
  ) throws(GitError) -> (kind: ObjectKind, bytes: [UInt8]) {
    let object = try chain.read(id, as: kind, upTo: most)
    guard try check.isId(id, of: object.kind, object.bytes) else { throw .damaged(id) }
    return object
  }

  /// An object's size, without reading it; nil when no pack has it.
  func size(of id: ObjectID) throws(GitError) -> Int? {
    guard let place = try places(of: id).first else {
      if let damage { throw damage }
      return nil
    }
    return try chain(of: id, at: place).size(of: id)
  }

  /// An object's entry as it stands in a pack, checked, and its size; nil where no pack has it whole.
  func wholeEntry(_ id: ObjectID) throws(GitError) -> (entry: [UInt8], size: Int)? {
    for place in try places(of: id) {
      let entry = try place.pack.entry(at: place.offset, of: id)
      guard case .whole(let kind) = entry.form,
        let found = try place.pack.bytes(of: entry, at: place.offset, id),
        try check.isId(id, of: kind, found.object)
      else { continue }
      return (found.entry, found.object.count)
    }
    return nil
  }

  /// Follows changes to the whole object that they are changes of.
  private func chain(of id: ObjectID, at place: Place) throws(GitError) -> DeltaChain {
    var (pack, offset) = place
    var changes: [DeltaChain.Link] = []
    for _ in 0...DeltaChain.most {
      let entry = try pack.entry(at: offset, of: id)
      switch entry.form {
      case .whole(let kind): return DeltaChain(kind: kind, base: (pack, entry), changes: changes)
      case .delta(let base):
        changes.append((pack, entry))
        offset = base
      case .deltaOf(let base):
        guard let next = try places(of: base).first else { throw .damaged(id) }
        changes.append((pack, entry))
        (pack, offset) = next
      }
    }
    throw .damaged(id)
  }
}

/// A whole object, and the changes that lead from it to the one asked for.
struct DeltaChain {
  typealias Link = (pack: OpenPack, entry: OpenPack.Entry)

  let kind: ObjectKind
  let base: Link
  /// The newest first.
  let changes: [Link]

  /// Git makes chains of 50; 4,095 is the most that it can be told to make.
  static var most: Int { 4_096 }

  /// How large the object is that they lead to.
  func size(of id: ObjectID) throws(GitError) -> Int {
    guard let newest = changes.first else { return base.entry.size }
    return try Delta.resultSize(newest.pack.inflate(newest.entry, of: id, upTo: 32))
  }

  /// Makes the object, whatever its id may be.
  ///
  /// - Parameters:
  ///   - kind: what it must be; nil for any kind.
  ///   - most: more bytes than these are refused before any is inflated.
  func read(
    _ id: ObjectID, as kind: ObjectKind? = nil, upTo most: Int = .max
  ) throws(GitError) -> (kind: ObjectKind, bytes: [UInt8]) {
    let size = try size(of: id)
    try self.kind.check(id, size: size, as: kind, upTo: most)
    var limit = ChainLimit(size: size)
    try limit.count(base.entry.size)
    var whole = try base.pack.inflate(base.entry, of: id)
    for change in changes.reversed() {
      try limit.count(change.entry.size)
      let delta = try change.pack.inflate(change.entry, of: id)
      try limit.count(Delta.resultSize(delta))
      whole = try Delta.apply(delta, to: whole)
    }
    return (self.kind, whole)
  }
}

/// Changes from one object to another, as packs have them (`gitformat-pack`).
enum Delta {
  /// The object that the changes lead to.
  static func apply(_ delta: [UInt8], to base: [UInt8]) throws(GitError) -> [UInt8] {
    var rest = delta[...]
    guard number(&rest) == base.count, let size = number(&rest), size <= 2 << 30 else {
      throw damaged
    }
    var result: [UInt8] = []
    result.reserveCapacity(min(size, 64 << 20))
    while let command = rest.popFirst() {
      if command & 0x80 != 0 {
        let start = argument(&rest, bits: command & 15, count: 4)
        let length = argument(&rest, bits: command >> 4 & 7, count: 3)
        guard let start, let length else { throw damaged }
        let end = start + (length == 0 ? 0x10000 : length)
        guard end <= base.count else { throw damaged }
        result += base[start..<end]
      } else {
        let count = Int(command)
        guard count > 0, rest.count >= count else { throw damaged }
        result += rest.prefix(count)
        rest = rest.dropFirst(count)
      }
      guard result.count <= size else { throw damaged }
    }
    guard result.count == size else { throw damaged }
    return result
  }

  /// The size of the object that the changes lead to, by how they begin.
  static func resultSize(_ start: [UInt8]) throws(GitError) -> Int {
    var rest = start[...]
    guard number(&rest) != nil, let size = number(&rest) else { throw damaged }
    return size
  }

  private static func number(_ rest: inout ArraySlice<UInt8>) -> Int? {
    var value = 0
    var shift = 0
    while let byte = rest.popFirst(), shift < 48 {
      value |= Int(byte & 0x7F) << shift
      shift += 7
      if byte & 0x80 == 0 { return value }
    }
    return nil
  }

  /// A number of which the bits tell the bytes that are not zero.
  private static func argument(
    _ rest: inout ArraySlice<UInt8>, bits: UInt8, count: Int
  ) -> Int? {
    var value = 0
    for place in 0..<count where bits & 1 << place != 0 {
      guard let byte = rest.popFirst() else { return nil }
      value |= Int(byte) << (place * 8)
    }
    return value
  }

  private static let damaged = GitError.malformed("the changes of a packed object are damaged")
}
