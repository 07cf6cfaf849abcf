internal import DocumentFiles
internal import DocumentGit
internal import SystemPackage

/// The part of the version index that holds the change counts of versions.
///
/// It spares a list of a hundred versions from reading the three hundred objects that describe their changes.
/// The key is a version and the one that it is compared with; hashes name both, so a count stays valid. The
/// cache verifies nothing: a version whose contents were damaged later is still listed with its counts.
///
/// A list reads it, and writes it if no writer holds the store's lock at that moment.
package struct CountedChanges {
  /// The store; `nil` if the document no longer has one.
  private let store: FilePath?
  private let file: CacheFile?
  /// The entries as in the file, and the place of each version's entry.
  private let cached: [UInt8]
  private let places: [ObjectID: Int]
  /// Entries that are not in the file, in the same format.
  private var new: [UInt8] = []
  private var newVersions: Set<ObjectID> = []

  /// Returns the changes between a version and its first parent, or an empty document; `nil` if they weren't
  /// counted.
  package func counts(of version: FileVersion) -> ChangeCounts? {
    guard let place = places[version.listed.id] else { return nil }
    return cached.withUnsafeBytes { cached in
      guard cached.identifier(at: place + 20) == Self.former(of: version) else { return nil }
      return ChangeCounts(at: place + 40, in: cached)
    }
  }

  /// Adds the changes between a version and its first parent, or an empty document.
  package mutating func add(_ counts: ChangeCounts, of version: FileVersion) {
    let id = version.listed.id
    guard self.counts(of: version) == nil, newVersions.insert(id).inserted else { return }
    new.append(id)
    new.append(Self.former(of: version))
    counts.append(to: &new)
  }

  /// The version's first parent; its own id if it has none.
  private static func former(of version: FileVersion) -> ObjectID {
    version.listed.parents.first ?? version.listed.id
  }

  // MARK: On disk

  // For each version, its id, the id of the version that it was compared with (20 bytes each), and the
  // counts.
  private static let entrySize = 40 + ChangeCounts.encodedSize
  /// The most entries that are kept: the last ones added, twice as many as one list shows.
  static let most = 2_000

  /// Reads the counts of a store.
  init(in store: FilePath?) {
    self.store = store
    file = store.map {
      CacheFile(StoreFile.changeCounts.path(in: $0), title: "docversions change counts 1")
    }
    let bytes = file?.read(limit: Self.most * Self.entrySize) ?? []
    let isSound = bytes.count.isMultiple(of: Self.entrySize)
    cached = isSound ? bytes : []
    places = cached.withUnsafeBytes { cached in
      let places = stride(from: 0, to: cached.count, by: Self.entrySize)
      return Dictionary(
        places.map { (cached.identifier(at: $0), $0) }, uniquingKeysWith: { first, _ in first })
    }
  }

  /// Writes the counts for the next list, if there are new ones.
  ///
  /// Even a single new count is written, as after each save: counting again takes longer, because it opens
  /// the packs.
  package func write() {
    guard !new.isEmpty, let store, let file else { return }
    do {
      let lock = try FileLock(StoreFile.lock.path(in: store), waitingAtMost: 0)
      try file.write(reserving: new.count + cached.count) { bytes in
        let end = bytes.count + Self.most * Self.entrySize
        bytes += new.prefix(end - bytes.count)
        for place in stride(from: 0, to: cached.count, by: Self.entrySize) where bytes.count < end {
          let entry = cached[place..<place + Self.entrySize]
          let id = entry.withUnsafeBytes { $0.identifier(at: 0) }
          if !newVersions.contains(id) { bytes += entry }
        }
      }
      lock.releaseAsFound()
    } catch {
      // If the file can't be written, the next list only takes longer.
    }
  }
}

extension ChangeCounts {
  /// The size of encoded counts, in bytes: the unit and four numbers, eight bytes each.
  static let encodedSize = 40

  /// Reads counts from a place in a file; `nil` for numbers that can't be counts.
  init?(at place: Int, in bytes: UnsafeRawBufferPointer) {
    func count(_ number: Int) -> Int? {
      // Adding the counts up must not overflow.
      UInt32(exactly: bytes.number(at: place + 8 * number)).map(Int.init)
    }
    guard let unit = Unit(rawValue: bytes.number(at: place)), let added = count(1),
      let removed = count(2), let changed = count(3), let renamed = count(4)
    else { return nil }
    self.unit = unit
    self.added = added
    self.removed = removed
    self.changed = changed
    self.renamed = renamed
  }

  func append(to bytes: inout [UInt8]) {
    bytes.append(number: unit.rawValue)
    for count in [added, removed, changed, renamed] { bytes.append(number: UInt64(count)) }
  }
}
