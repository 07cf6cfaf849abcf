internal import SystemPackage

/// The only file in which a new package differs from the present one.
///
/// Only that file is replaced, so a program that has the package open sees no other change.
struct ChangedMember {
  /// The names in its path, outermost folder first.
  let names: [[UInt8]]
  /// The new member; `nil` if it is removed.
  let item: DocumentItem?
  /// The present member; `nil` if it is new.
  let displaced: ItemListing?
  /// The open folder that it is in.
  let folder: OpenFolder

  var name: [UInt8] { names[names.count - 1] }

  /// The place of the member.
  var place: ItemPlace { .member(name, of: folder) }

  /// Finds the only member that differs.
  ///
  /// - Parameters:
  ///   - document: the location of the package.
  ///   - item: the new package.
  ///   - old: the present package.
  /// - Returns: `nil` if anything else differs, or exists now, or if users who can't enter the folders of the
  ///   package could read the member beside it.
  init?(of document: FilePath, _ item: DocumentItem, replacing old: ItemListing) throws {
    guard let change = try Self.change(item, replacing: old, names: []), !change.names.isEmpty,
      let (folder, folders) = try Self.open(change.names.dropLast(), of: document, old),
      try !Self.isExposed(change.displaced?.status, outOf: folders, beside: document)
    else { return nil }
    (names, self.item, displaced) = change
    self.folder = folder
    // Names that differ in case may be one name here.
    if displaced == nil, try place.status() != nil { return nil }
  }

  /// Returns whether the open folder is still in its place.
  func isInPlace(in document: FilePath) throws(FileError) -> Bool {
    let held = try folder.status()
    do {
      let present = try OpenFolder(document)
      for name in names.dropLast() { try present.enter(name) }
      return try present.status().isSameItem(as: held)
    } catch {
      // It was moved, or one of its outer folders was.
      return false
    }
  }

  private typealias Change = (names: [[UInt8]], item: DocumentItem?, displaced: ItemListing?)

  private static func change(
    _ item: DocumentItem, replacing old: ItemListing, names: [[UInt8]]
  ) throws -> Change? {
    guard case .folder(let members) = item.content, let present = old.all else {
      guard case .file = item.content, old.status.kind == .file else { return nil }
      return (names, item, old)
    }
    let new = try members()
    var former = Dictionary(
      present.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
    var changed: [(name: [UInt8], item: DocumentItem?, displaced: ItemListing?)] = []
    for (name, item) in new {
      let displaced = former.removeValue(forKey: name)
      if case .unchanged = item, displaced != nil { continue }
      changed.append((name, item, displaced))
      if changed.count > 1 { return nil }
    }
    changed += former.map { ($0.key, nil, $0.value) }
    guard changed.count == 1, let (name, item, displaced) = changed.first else { return nil }
    let inner = names + [name]
    switch (item?.content, displaced) {
    case (.some, let displaced?):
      return try item.flatMap { try change($0, replacing: displaced, names: inner) }
    case (.file?, nil): return (inner, item, nil)
    case (nil, let displaced?):
      return displaced.status.kind == .file ? (inner, nil, displaced) : nil
    default: return nil
    }
  }

  /// Returns whether a member could be read by more users beside the document than in its folders.
  ///
  /// - Parameter status: the status of the member; `nil` for a new one, which may get any permissions.
  private static func isExposed(
    _ status: FileStatus?, outOf folders: [FileStatus], beside document: FilePath
  ) throws(FileError) -> Bool {
    guard let outer = try FileStatus.of(document.parentFolder) else { return false }
    let inside = folders.reduce(Readership.everyone) {
      let passing = Readership(passing: $1)
      let isSameGroup = $1.group == status?.group ?? $1.group
      return $0.intersection(isSameGroup ? passing : passing.forAnotherGroup())
    }
    let own = status.map { Readership(of: $0) } ?? .everyone
    return inside.isNarrower(than: own.intersection(Readership(passing: outer)))
  }

  /// Opens a folder inside the document, with the statuses of those on the way; `nil` if it is no longer the
  /// listed one.
  private static func open(
    _ names: ArraySlice<[UInt8]>, of document: FilePath, _ listing: ItemListing
  ) throws(FileError) -> (OpenFolder, [FileStatus])? {
    var statuses = [listing.status]
    var listing = listing
    let folder = try OpenFolder(document)
    for name in names {
      try folder.enter(name)
      guard let inner = listing.members?.first(where: { $0.name == name }) else { return nil }
      listing = inner
      statuses.append(inner.status)
    }
    return try folder.status().isSameItem(as: listing.status) ? (folder, statuses) : nil
  }
}
