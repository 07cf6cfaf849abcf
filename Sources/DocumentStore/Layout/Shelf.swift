internal import DocumentFiles
internal import DocumentGit
internal import SystemPackage

/// This device's shelf in a container: one repository with the first versions of documents that were saved
/// together, or arrived together from a folder, and rest there.
///
/// These versions may exist nowhere else, so the shelf isn't a cache. Only the holder of the lock of
/// ``RestingDocuments`` changes it. A version is on disk before its entry, and is removed only when no entry
/// needs it.
package enum Shelf {
  /// The name of the shelf in entries of the list, in place of the name of a copy of a remote.
  package static let name = "shelf"

  /// The greatest size of a file whose version is put on the shelf, in bytes.
  ///
  /// For a larger one, a store takes little more space, and keeps it in chunks.
  package static let mostBytes = ChunkedFile.threshold

  static func path(in container: FilePath) -> FilePath { ContainerFile.shelf.path(in: container) }

  static func isThere(in container: FilePath) throws -> Bool {
    try FileStatus.of(path(in: container)) != nil
  }

  /// Opens the repository, and creates it if necessary; the caller holds the lock of the list.
  static func open(in container: FilePath, clock: FileClock) throws -> Repository {
    let path = path(in: container)
    if try !isThere(in: container) {
      // Private documents rest on it, too.
      let owner = Readership(permissions: 0o700, isFolder: true)
      try StoreCreation.create(path, section: "shelf = 1", for: owner, clock: clock)
    }
    return try openIfThere(in: container)
  }

  static func openIfThere(in container: FilePath) throws -> Repository {
    let path = path(in: container)
    try StoreSafety.check(path)
    return try Repository(opening: path)
  }

  /// Runs a closure that adds versions to the shelf, and then their documents to the list; the caller holds the lock of
  /// the list.
  static func prepare<Result>(
    in container: FilePath, clock: FileClock, _ add: (borrowing Repository) throws -> Result
  ) throws -> Result {
    // Created before the shelf, because a shelf without a list counts as one that lost its list.
    try RestingDocuments.begin(in: container)
    let shelf = try open(in: container, clock: clock)
    let result = try add(shelf)
    if shelf.hasManyPacks { tidyUp { try shelf.compactPacks() } }
    return result
  }

  /// Puts a damaged shelf aside: nothing removes it, so a repair may still find versions there.
  static func putAside(in container: FilePath) throws {
    let name = "\(name)-damaged-\(DocumentIdentifier.random().description.prefix(8))"
    let path = path(in: container)
    try DocumentWriter.move(path, to: path.parentFolder.appending(name))
  }

  /// Drops the objects that no entry needs, once they outnumber the others; without entries, the whole shelf.
  ///
  /// The caller holds the lock of the list.
  static func keep(_ entries: some Collection<RestingDocument>, in container: FilePath) throws {
    guard try isThere(in: container) else { return }
    if entries.isEmpty { return try Folder.removeTree(path(in: container)) }
    let repository = try openIfThere(in: container)
    let packs = Set(try repository.packFiles().keys)
    // A version has three objects.
    guard try repository.objects(inPacks: packs).count > 6 * (entries.count + 1) else { return }
    var kept: Set<ObjectID> = [.emptyTree]
    for entry in entries {
      let record = try Record(id: entry.head, decoding: repository.commit(entry.head))
      kept.insert(record.id)
      guard let tree = record.content?.tree else { continue }
      kept.insert(tree)
      kept.formUnion(try repository.tree(tree).entries.map(\.id))
    }
    var plan = RepackPlan()
    plan.singles = kept.sorted()
    try repository.replacePacks(packs, with: plan)
  }

  /// Returns the entries of all documents on the shelf, to replace a lost list; no entry names the file that
  /// shows the version.
  static func entries(in container: FilePath) throws -> [RestingDocument] {
    guard try isThere(in: container) else { return [] }
    let repository = try openIfThere(in: container)
    var newest: [[UInt8]: Record] = [:]
    for id in try repository.objects(inPacks: Set(repository.packFiles().keys)) {
      let (kind, bytes) = try repository.read(id)
      guard kind == .commit else { continue }
      let record = try Record(id: id, decoding: Commit(decoding: bytes))
      // If there are several, the others come from an interrupted save.
      let path = Array(record.facts.path.utf8)
      if newest[path].map({ Record.isPreferred(record, to: $0) }) != false { newest[path] = record }
    }
    return newest.values.compactMap { record in
      DocumentIdentifier(record.facts.document).map { identifier in
        RestingDocument(
          path: record.facts.path, identity: DocumentIdentity(identifier), mirror: name,
          isPublished: false, head: record.id, contents: [record.id], versions: 1,
          formerHeads: [], device: 0, stamp: .none, mark: "")
      }
    }
  }
}

extension FileStamp {
  /// The stamp of no file.
  static let none = FileStamp(inode: 0, size: 0, modified: 0, changed: 0)
}
