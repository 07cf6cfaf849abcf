/// The open packs of a repository; new packs are found when an object is missing.
final class PackSet {
  /// The checks of objects.
  let check: ObjectCheck
  private let folder: PackFolder
  /// The packs, newest first, because most reads are of the newest versions.
  private var packs: [OpenPack] = []
  private var isFixed = false
  /// The names of the packs in the last listing; `nil` before the first one.
  private var seen: [String]?
  /// The error of a pack that can't be read, if there is one.
  private(set) var damage: GitError? {
    didSet { note(damage) }
  }
  /// True if bytes were read that aren't what was written, in any copy of an object.
  private(set) var hasFoundDamage = false
  private let cache = DeltaCache()
  /// The pack of the last found object, because related objects are usually in one pack.
  private var recent: OpenPack?

  init(_ folder: PackFolder, checking check: ObjectCheck = .damage) {
    self.check = check
    self.folder = folder
  }

  /// Creates a set of one pack.
  init(only pack: OpenPack, in folder: PackFolder, checking check: ObjectCheck) {
    self.check = check
    self.folder = folder
    packs = [pack]
    isFixed = true
  }

  /// The position of an object in a pack.
  typealias Place = (pack: OpenPack, offset: Int)

  /// Returns whether a pack has an object.
  ///
  /// - Throws: ``GitError`` if none has it, but one cannot be read.
  func contains(_ id: ObjectID) throws(GitError) -> Bool {
    if try place(of: id) != nil { return true }
    if let damage { throw damage }
    return false
  }

  /// Returns whether a pack of the last listing has an object.
  func isKnown(_ id: ObjectID) throws(GitError) -> Bool {
    try listedPlace(of: id) != nil
  }

  /// Returns a place of an object in the packs of the last listing; `nil` if none of them has it.
  func listedPlace(of id: ObjectID) throws(GitError) -> Place? {
    if seen == nil { try refresh() }
    return try knownPlace(of: id)
  }

  /// Returns a place of an object; `nil` if no pack has it.
  private func place(of id: ObjectID) throws(GitError) -> Place? {
    try searching { () throws(GitError) in try knownPlace(of: id) }
  }

  /// Returns a place of an object in the open packs.
  private func knownPlace(of id: ObjectID) throws(GitError) -> Place? {
    if let recent, let offset = try recent.index.offset(of: id) { return (recent, offset) }
    for pack in packs where pack !== recent {
      guard let offset = try pack.index.offset(of: id) else { continue }
      recent = pack
      return (pack, offset)
    }
    return nil
  }

  /// Returns every place of an object; none if no pack has it.
  func places(of id: ObjectID) throws(GitError) -> [Place] {
    try searching { () throws(GitError) in
      let known = try knownPlaces(of: id)
      return known.isEmpty ? nil : known
    } ?? []
  }

  /// Searches the packs, and lists them again as long as nothing is found.
  private func searching<Found>(
    _ search: () throws(GitError) -> Found?
  ) throws(GitError) -> Found? {
    var found = try search()
    // Every save replaces a pack, and a listing at that moment may contain neither the old one nor the new one. So an
    // object is missing only if two consecutive listings don't lead to it; the listing of an earlier search doesn't
    // count.
    for number in 0..<Self.mostLists where found == nil {
      guard try refresh() || number == 0 else { break }
      found = try search()
    }
    return found
  }

  private static let mostLists = 100

  /// Lists the packs again.
  ///
  /// - Returns: whether the packs have changed.
  @discardableResult
  func refresh() throws(GitError) -> Bool {
    if isFixed { return false }
    var open = Dictionary(packs.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
    var former: [String] = []
    var repetitions = 0
    for _ in 0..<PackFolder.mostLists {
      let names = try folder.packNames()
      guard names != seen else { return false }
      // A pack that is removed in the meantime has a replacement, which the next listing shows.
      repetitions = names == former ? repetitions + 1 : 0
      let isFinal = repetitions == Self.mostRepetitions
      if try take(names, from: &open, evenIfSomeAreGone: isFinal) { return true }
      former = names
    }
    throw .packsKeepChanging
  }

  /// The number of attempts with the same names of which one leads to nothing; after that, it counts as damage.
  private static let mostRepetitions = 10

  /// Adopts the packs with these names, opening those that aren't open yet.
  ///
  /// - Returns: whether that succeeded; if a pack was removed since its name was read, the set stays unchanged.
  private func take(
    _ names: [String], from open: inout [String: OpenPack], evenIfSomeAreGone isFinal: Bool
  ) throws(GitError) -> Bool {
    var found: [OpenPack] = []
    var failure: GitError?
    var held = names.count { open[$0]?.isHeld == true }
    for name in names {
      do throws(GitError) {
        if open[name] == nil {
          let isHeld = held < Self.mostHeld
          open[name] = try OpenPack(name, in: folder, isHeld: isHeld)
          if isHeld { held += 1 }
        }
        if let pack = open[name] {
          found.append(pack)
        } else if isFinal {
          failure = .damaged("a pack is listed that is not there")
        } else {
          return false
        }
      } catch {
        // The objects of the other packs can still be read.
        failure = error
      }
    }
    packs = found.sorted { ($0.modified, $0.name) > ($1.modified, $1.name) }
    seen = names
    damage = failure
    // Its entries refer to packs that may have been removed.
    cache.removeAll()
    recent = nil
    return true
  }

  /// The maximum number of packs that stay open; after a crash or a failure, there may be more than a process can have
  /// open.
  static let mostHeld = 64

  /// Returns the packs of the last listing that have an object and at most a given size.
  func knownPacks(with id: ObjectID, upTo size: Int) throws(GitError) -> [OpenPack] {
    var found: [OpenPack] = []
    for pack in packs where pack.size <= size {
      if try pack.index.offset(of: id) != nil { found.append(pack) }
    }
    return found
  }

  /// Returns the places of an object in the packs of the last listing.
  private func knownPlaces(of id: ObjectID) throws(GitError) -> [Place] {
    var places: [Place] = []
    for pack in packs {
      if let offset = try pack.index.offset(of: id) { places.append((pack, offset)) }
    }
    return places
  }

  /// Returns the other packs whose objects are all in the pack with a name.
  private func covered(by name: String) throws(GitError) -> [OpenPack] {
    guard let cover = packs.first(where: { $0.name == name }) else { return [] }
    var covered: [OpenPack] = []
    for pack in packs where pack !== cover {
      if try cover.index.hasAll(of: pack.index) { covered.append(pack) }
    }
    return covered
  }

  /// Removes packs whose objects are all in a new one.
  ///
  /// If that fails, the next write removes them; an object that is stored twice does no harm.
  func removePacks(coveredBy name: String) {
    do {
      for pack in try covered(by: name) { try folder.removePack(pack.name) }
    } catch {}
  }

  /// The packs of the last listing, newest first.
  var known: [OpenPack] { packs }

  // MARK: Reading

  /// Reads an object; `nil` if no pack has it.
  ///
  /// If an object is in several packs, a damaged copy does no harm.
  ///
  /// - Parameters:
  ///   - kind: the required kind; `nil` for any kind.
  ///   - most: the maximum size in bytes; a larger object is an error before it is inflated.
  ///   - check: the checks of the object; by default those of the set.
  func read(
    _ id: ObjectID, as kind: ObjectKind? = nil, upTo most: Int = .max,
    checking check: ObjectCheck? = nil
  ) throws(GitError) -> (kind: ObjectKind, bytes: [UInt8])? {
    let check = check ?? self.check
    // Usually, the first copy is sound, and in the newest pack.
    if let place = try listedPlace(of: id) {
      do {
        return try read(chain(of: id, at: place, from: cache), of: id, as: kind, upTo: most, check)
      } catch {
        // Another copy may be sound; if not, the error is thrown below.
        note(error)
        if error.isChangedMeanwhile { try refresh() }
      }
    }
    let places = try places(of: id)
    // The search may have found a pack that can't be read.
    var failure = damage
    for place in places {
      do {
        return try read(chain(of: id, at: place, from: cache), of: id, as: kind, upTo: most, check)
      } catch {
        note(error)
        failure = error
      }
    }
    if let failure { throw failure }
    return nil
  }

  private func note(_ error: GitError?) {
    if error?.code == .damaged { hasFoundDamage = true }
  }

  private func read(
    _ chain: DeltaChain, of id: ObjectID, as kind: ObjectKind?, upTo most: Int,
    _ check: ObjectCheck
  ) throws(GitError) -> (kind: ObjectKind, bytes: [UInt8]) {
    let object = try chain.read(id, as: kind, upTo: most, into: cache)
    guard try check.isId(id, of: object.kind, object.bytes) else { throw .damaged(id) }
    return object
  }

  /// Returns an object's size without reading the object; `nil` if no pack has it.
  func size(of id: ObjectID) throws(GitError) -> Int? {
    guard let place = try place(of: id) else {
      if let damage { throw damage }
      return nil
    }
    return try chain(of: id, at: place, from: cache).size(of: id)
  }

  /// Returns an object with its entry, unchanged and checked; `nil` if no pack has the object without a delta.
  func whole(_ id: ObjectID) throws(GitError) -> GitObject? {
    for place in try places(of: id) {
      let entry = try place.pack.entry(at: place.offset, of: id)
      guard case .whole(let kind) = entry.form,
        let found = try place.pack.bytes(of: entry, at: place.offset, id),
        try check.isId(id, of: kind, found.object)
      else { continue }
      return GitObject(kind, id: id, size: found.object.count, entry: found.entry)
    }
    return nil
  }

  /// Follows deltas to their whole base object.
  ///
  /// - Parameter cache: cached objects, at which the chain may end; `nil` to follow it to its end.
  func chain(
    of id: ObjectID, at place: Place, from cache: DeltaCache? = nil
  ) throws(GitError) -> DeltaChain {
    var (pack, offset) = place
    var changes: [DeltaChain.Link] = []
    for _ in 0...DeltaChain.most {
      if let known = cache?.object(of: pack, at: offset) {
        return DeltaChain(kind: known.kind, base: .known(known.bytes), changes: changes)
      }
      let entry = try pack.entry(at: offset, of: id)
      let link = DeltaChain.Link(pack: pack, offset: offset, entry: entry)
      switch entry.form {
      case .whole(let kind): return DeltaChain(kind: kind, base: .whole(link), changes: changes)
      case .delta(let base): offset = base
      case .deltaOf(let base):
        guard let next = try self.place(of: base) else { throw .damaged(id) }
        (pack, offset) = next
      }
      changes.append(link)
    }
    throw .damaged(id)
  }
}
