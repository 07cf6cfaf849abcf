/// The packs of a repository that are open for reading; new ones are found when something is missing.
final class PackSet {
  /// The checks of objects.
  let check: ObjectCheck
  private let folder: PackFolder
  /// The newest first: what is read is mostly of the newest versions.
  private var packs: [OpenPack] = []
  private var isFixed = false
  /// The names of the packs that were listed last.
  private var seen: [String] = []
  /// Why a pack cannot be read, where one cannot.
  private(set) var damage: GitError?
  private let cache = DeltaCache()
  /// Where the last object was found: those that belong together mostly are in one pack.
  private var recent: OpenPack?

  init(_ folder: PackFolder, checking check: ObjectCheck = .damage) {
    self.check = check
    self.folder = folder
  }

  /// A set of one pack alone.
  init(only pack: OpenPack, in folder: PackFolder, checking check: ObjectCheck) {
    self.check = check
    self.folder = folder
    packs = [pack]
    isFixed = true
  }

  /// Where an object begins in a pack.
  typealias Place = (pack: OpenPack, offset: Int)

  /// Returns whether a pack has an object.
  ///
  /// - Throws: ``GitError`` if none has it, but one cannot be read.
  func contains(_ id: ObjectID) throws(GitError) -> Bool {
    if try place(of: id) != nil { return true }
    if let damage { throw damage }
    return false
  }

  /// Returns whether a pack that was listed last has an object.
  func isKnown(_ id: ObjectID) throws(GitError) -> Bool {
    try listedPlace(of: id) != nil
  }

  /// One place where an object is in the packs that were listed last; nil when none of them has it.
  func listedPlace(of id: ObjectID) throws(GitError) -> Place? {
    if seen.isEmpty { try refresh() }
    return try knownPlace(of: id)
  }

  /// One place where an object is; nil when no pack has it.
  private func place(of id: ObjectID) throws(GitError) -> Place? {
    try searching { () throws(GitError) in try knownPlace(of: id) }
  }

  /// One place where an object is in the packs that are open.
  private func knownPlace(of id: ObjectID) throws(GitError) -> Place? {
    if let recent, let offset = try recent.index.offset(of: id) { return (recent, offset) }
    for pack in packs where pack !== recent {
      guard let offset = try pack.index.offset(of: id) else { continue }
      recent = pack
      return (pack, offset)
    }
    return nil
  }

  /// Every place where an object is; none when no pack has it.
  func places(of id: ObjectID) throws(GitError) -> [Place] {
    try searching { () throws(GitError) in
      let known = try knownPlaces(of: id)
      return known.isEmpty ? nil : known
    } ?? []
  }

  /// Searches the packs, and lists them again while nothing is found.
  private func searching<Found>(
    _ search: () throws(GitError) -> Found?
  ) throws(GitError) -> Found? {
    var found = try search()
    // Every save replaces a pack: a list made meanwhile may have neither the old one nor the new one. An object that two
    // lists in a row do not lead to is not there; the list of an earlier search does not count.
    for number in 0..<Self.mostLists where found == nil {
      guard try refresh() || number == 0 else { break }
      found = try search()
    }
    return found
  }

  private static let mostLists = 100

  /// Lists the packs again.
  ///
  /// - Returns: whether there are others than before.
  @discardableResult
  func refresh() throws(GitError) -> Bool {
    if isFixed { return false }
    var open = Dictionary(packs.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
    var former: [String] = []
    var repetitions = 0
    for _ in 0..<PackFolder.mostLists {
      let names = try folder.packNames()
      guard names != seen else { return false }
      // A pack that goes meanwhile has another one in its place: the next list shows that.
      repetitions = names == former ? repetitions + 1 : 0
      let isFinal = repetitions == Self.mostRepetitions
      if try take(names, from: &open, evenIfSomeAreGone: isFinal) { return true }
      former = names
    }
    throw .packsKeepChanging
  }

  /// The number of tries with the same names although one of them leads to nothing; then it is damage.
  private static let mostRepetitions = 10

  /// Takes the packs of these names, and opens those that are not open yet.
  ///
  /// - Returns: false where one has gone since its name was read; then the set is as it was.
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
          failure = .malformed("a pack is listed that is not there")
        } else {
          return false
        }
      } catch {
        // What the others have can be read all the same.
        failure = error
      }
    }
    packs = found.sorted { ($0.modified, $0.name) > ($1.modified, $1.name) }
    seen = names
    damage = failure
    // These go by packs that may be gone now.
    cache.removeAll()
    recent = nil
    return true
  }

  /// The number of packs that stay open: after a crash or a failure there may be more than a process may have open.
  static let mostHeld = 64

  /// The packs that were listed last, no larger than this, that have an object.
  func knownPacks(with id: ObjectID, upTo size: Int) throws(GitError) -> [OpenPack] {
    var found: [OpenPack] = []
    for pack in packs where pack.size <= size {
      if try pack.index.offset(of: id) != nil { found.append(pack) }
    }
    return found
  }

  /// Where an object is in the packs that were listed last.
  private func knownPlaces(of id: ObjectID) throws(GitError) -> [Place] {
    var places: [Place] = []
    for pack in packs {
      if let offset = try pack.index.offset(of: id) { places.append((pack, offset)) }
    }
    return places
  }

  /// The other packs whose objects are all in one of that name.
  private func covered(by name: String) throws(GitError) -> [OpenPack] {
    guard let cover = packs.first(where: { $0.name == name }) else { return [] }
    var covered: [OpenPack] = []
    for pack in packs where pack !== cover {
      if try cover.index.hasAll(of: pack.index) { covered.append(pack) }
    }
    return covered
  }

  /// Removes packs of which a new one has every object.
  ///
  /// Should it fail, the next write does it: an object that is stored twice does no harm.
  func removePacks(coveredBy name: String) {
    do {
      for pack in try covered(by: name) { try folder.removePack(pack.name) }
    } catch {}
  }

  /// The packs that were listed last, the newest first.
  var known: [OpenPack] { packs }

  // MARK: Reading

  /// Reads an object; nil when no pack has it.
  ///
  /// Of an object that is in several packs, a damaged copy does no harm.
  ///
  /// - Parameters:
  ///   - kind: what it must be; nil for any kind.
  ///   - most: more bytes than these are refused before any is inflated.
  ///   - check: what it is checked for; by default what all are.
  func read(
    _ id: ObjectID, as kind: ObjectKind? = nil, upTo most: Int = .max,
    checking check: ObjectCheck? = nil
  ) throws(GitError) -> (kind: ObjectKind, bytes: [UInt8])? {
    let check = check ?? self.check
    // Mostly the first copy is sound, and in the newest pack.
    if let place = try listedPlace(of: id) {
      do {
        return try read(chain(of: id, at: place, from: cache), of: id, as: kind, upTo: most, check)
      } catch {
        // Another one may be; if not, the failure is thrown below.
        if error.isChangedMeanwhile { try refresh() }
      }
    }
    let places = try places(of: id)
    // The search may have found a pack that cannot be read.
    var failure = damage
    for place in places {
      do {
        return try read(chain(of: id, at: place, from: cache), of: id, as: kind, upTo: most, check)
      } catch { failure = error }
    }
    if let failure { throw failure }
    return nil
  }

  private func read(
    _ chain: DeltaChain, of id: ObjectID, as kind: ObjectKind?, upTo most: Int,
    _ check: ObjectCheck
  ) throws(GitError) -> (kind: ObjectKind, bytes: [UInt8]) {
    let object = try chain.read(id, as: kind, upTo: most, into: cache)
    guard try check.isId(id, of: object.kind, object.bytes) else { throw .damaged(id) }
    return object
  }

  /// An object's size, without reading it; nil when no pack has it.
  func size(of id: ObjectID) throws(GitError) -> Int? {
    guard let place = try place(of: id) else {
      if let damage { throw damage }
      return nil
    }
    return try chain(of: id, at: place, from: cache).size(of: id)
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
  ///
  /// - Parameter cache: where they need not be followed further; nil follows them to their end.
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
