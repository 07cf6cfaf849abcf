package import SystemPackage

/// Databases in packages, and the files beside them that are parts of them.
extension ItemListing {
  /// Returns the item with all parts of databases in it moved to the ignored items; `nil` if there are none.
  ///
  /// - Parameter place: the item's location.
  func settingDatabasePartsAside(at place: ItemPath) throws(FileError) -> ItemListing? {
    guard case .folder(let listed, var ignored) = detail else { return nil }
    var members: [ItemListing] = []
    var hasParts = false
    let databases = try databaseNames(at: place)
    for member in listed {
      if member.isPackage {
        let inner = try member.settingDatabasePartsAside(at: place.member(member.name))
        hasParts = hasParts || inner != nil
        members.append(inner ?? member)
      } else if member.isPart(of: databases) {
        ignored.append(member)
      } else {
        members.append(member)
      }
    }
    guard hasParts || !databases.isEmpty else { return nil }
    ignored.sort { $0.name.lexicographicallyPrecedes($1.name) }
    var item = ItemListing(name, status, .folder(members, ignored: ignored))
    item.databases = databases
    return item
  }

  /// Returns the databases in the item that have a part in a file beside them.
  func databasesWithParts(at place: ItemPath) throws(FileError) -> [FilePath] {
    var found = try databaseNames(at: place).map { place.member($0).path }
    for member in all ?? [] where member.isPackage {
      found += try member.databasesWithParts(at: place.member(member.name))
    }
    return found
  }

  /// Returns whether an open folder is still this one, apart from databases and the files that programs
  /// create and remove beside them with each commit.
  func isCurrentBesidesDatabases(in folder: OpenFolder) throws(FileError) -> Bool {
    let (names, listed) = (try folder.names(), all ?? [])
    let parts = (names + listed.map(\.name)).filter { LiveDatabase.suffix(of: $0) != nil }
    var changing = Set(parts)
    for part in parts {
      changing.insert(Array(part.dropLast(LiveDatabase.suffix(of: part)?.count ?? 0)))
    }
    // A journal may have appeared and disappeared.
    for item in listed where item.status.mayBeDatabase {
      if try LiveDatabase.isDatabase(folder.path(of: item.name)) { changing.insert(item.name) }
    }
    guard !changing.isEmpty, try folder.status().isSameItem(as: status) else { return false }
    let others = listed.filter { !changing.contains($0.name) }
    guard names.filter({ !changing.contains($0) }) == others.map(\.name) else { return false }
    for item in others where try folder.status(of: item.name) != item.status { return false }
    return true
  }

  private func isPart(of databases: Set<[UInt8]>) -> Bool {
    guard let suffix = LiveDatabase.suffix(of: name) else { return false }
    return databases.contains(Array(name.dropLast(suffix.count)))
  }

  /// Returns the names of the databases in a folder that have a part in a file beside them.
  private func databaseNames(at place: ItemPath) throws(FileError) -> Set<[UInt8]> {
    var wanted: Set<[UInt8]> = []
    for item in all ?? [] where item.status.kind == .file {
      guard let suffix = LiveDatabase.suffix(of: item.name) else { continue }
      wanted.insert(Array(item.name.dropLast(suffix.count)))
    }
    guard !wanted.isEmpty else { return [] }
    var found: Set<[UInt8]> = []
    for item in all ?? [] where item.status.mayBeDatabase && wanted.contains(item.name) {
      if try LiveDatabase.isDatabase(place.member(item.name).path) { found.insert(item.name) }
    }
    return found
  }
}

extension LiveDatabase {
  /// Returns the first database in use: the document itself, or one in a package; `nil` if there is none.
  ///
  /// A replacement would be mixed with the files beside it, or would miss the program's next changes. A
  /// program that has a database without a write-ahead log open, but is currently idle, can't be detected.
  package static func inUse(at path: FilePath) throws(FileError) -> LiveDatabase? {
    if let live = try LiveDatabase(withPartAt: path) { return live }
    guard let status = try FileStatus.of(path) else { return nil }
    switch status.kind {
    case .file: return try isLocked(path) ? LiveDatabase(path: path, sign: .lock) : nil
    case .folder:
      for database in try ItemListing(path, limits: nil).databasesWithParts(at: .at(path)) {
        if let live = try LiveDatabase(withPartAt: database) { return live }
        if try isLocked(database) { return LiveDatabase(path: database, sign: .lock) }
      }
      return nil
    case .symbolicLink, .other: return nil
    }
  }
}
