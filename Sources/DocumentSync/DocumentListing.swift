internal import DocumentFiles
internal import DocumentGit
internal import DocumentStore
internal import Foundation
internal import SystemPackage

/// The documents of a container that are not on this device, as of the last exchanges with its peers.
///
/// This is a cache, which only its owner can read.
struct DocumentListing {
  /// Reads the documents of all peers, except those that are here by now.
  static func documents(in container: FilePath) throws -> [ListedDocument] {
    let lists = try ListedEntry.lists(of: container)
    guard !lists.isEmpty else { return [] }
    let index = try DocumentIndex(in: container)
    var seen: Set<String> = []
    var found: [ListedDocument] = []
    for list in lists {
      for entry in try ListedEntry.all(in: list) {
        let paths = entry.ids.compactMap { index.paths[index.identifier(for: $0)] }
        guard try !paths.contains(where: { try isHere($0, in: container) }),
          seen.isDisjoint(with: entry.ids)
        else { continue }
        seen.formUnion(entry.ids)
        found.append(
          ListedDocument(
            document: URL(filePath: container.appending(entry.path).string), size: entry.bytes,
            isPackage: entry.package ?? false,
            modificationDate: Date(timeIntervalSince1970: Double(entry.modified) / 1_000),
            device: Printable.text(entry.device), unresolvedConflicts: entry.conflicts ?? 0,
            identifiers: Set(entry.ids)))
      }
    }
    return found.map { (Array($0.document.path.utf8), $0) }
      .sorted { $0.0.lexicographicallyPrecedes($1.0) }.map(\.1)
  }

  /// Returns whether a listed document is here nevertheless, and not because its eviction was interrupted.
  private static func isHere(_ path: String, in container: FilePath) throws -> Bool {
    let location = DocumentLocation(container: container, path: path)
    return try location.hasStore && !LeavingMark.isLeft(at: location)
  }

  // MARK: Writing

  private let file: FilePath

  private init(file: FilePath) { self.file = file }

  init(of peer: any Peer, in container: FilePath) {
    self.init(ofPeer: peer.key, in: container)
  }

  /// - Parameter key: the unique name of the peer in the container.
  init(ofPeer key: String, in container: FilePath) {
    file = SyncFile.listed.path(in: container).appending(
      ObjectID(of: .blob, Array(key.utf8)).description)
  }

  /// Fails if a peer that is now empty or missing had documents that are not on this device.
  func refuseEmptied(_ place: String) throws {
    guard try !identifiers().isEmpty else { return }
    throw VersionError(
      .remoteRefused, document: place,
      message: "“\(place)” is empty now, but it held documents that are not on this device.",
      hint:
        "Nothing was changed. Bring it back, or remove the remote and add it again, which gives up these documents."
    )
  }

  /// True if the last exchange listed documents.
  var isThere: Bool { get throws { try FileStatus.of(file) != nil } }

  /// The ids of the documents that the last exchange listed.
  func identifiers() throws -> Set<String> {
    try Set(ListedEntry.all(in: file).flatMap(\.ids))
  }

  /// The list of documents that are about to leave this device; it exists only until they have left.
  var leaving: DocumentListing { DocumentListing(file: FilePath(file.string + "-leaving")) }

  /// Finishes interrupted evictions, and lists the documents that have left.
  func finishEvictions(_ index: inout DocumentIndex, in container: ReplicatedContainer) throws {
    guard try leaving.isThere else { return }
    var listed = try ListedEntry.all(in: file)
    let known = Set(listed.flatMap(\.ids))
    for entry in try ListedEntry.all(in: leaving.file) {
      let identifiers = entry.ids.map(index.identifier)
      for identifier in identifiers {
        guard let path = index.paths[identifier] else { continue }
        let location = container.location(path)
        try container.environment.finishEviction(of: location)
        if try !location.hasStore { index.remove(identifier) }
      }
      let hasLeft = identifiers.allSatisfy { index.paths[$0] == nil }
      if hasLeft, known.isDisjoint(with: entry.ids) { listed.append(entry) }
    }
    try write(listed)
    try leaving.remove()
  }

  func remove() throws {
    if try isThere { try Folder.removeTree(file) }
  }

  /// Lists the documents of other devices that are not here.
  ///
  /// - Parameters:
  ///   - states: what the devices have published, as far as it can be read.
  ///   - areAll: whether `states` has the states of all devices.
  ///   - isHere: returns whether the document with an id is here.
  func write(
    _ states: [StateTree], areAll: Bool = true, of peer: PeerObjects, _ isHere: (String) -> Bool
  ) throws {
    var heads: [String: Set<ObjectID>] = [:]
    var aliases: [String: Set<String>] = [:]
    for state in states {
      for identifier in try state.differences(from: nil).documents {
        guard let document = try state.document(identifier) else { continue }
        heads[identifier, default: []].formUnion(document.heads)
        let all = Set(document.aliases + [identifier])
        guard all.count > 1 else { continue }
        let united = all.reduce(into: all) { $0.formUnion(aliases[$1] ?? []) }
        for one in united { aliases[one] = united }
      }
    }
    var entries: [ListedEntry] = []
    var done: Set<String> = []
    var unread: Set<String> = []
    for identifier in heads.keys.sorted() where !done.contains(identifier) {
      let all = aliases[identifier] ?? [identifier]
      done.formUnion(all)
      guard !all.contains(where: isHere) else { continue }
      let published = all.reduce(into: Set<ObjectID>()) { $0.formUnion(heads[$1] ?? []) }
      do {
        guard let summary = try peer.summary(of: published) else { continue }
        entries.append(
          ListedEntry(
            ids: all.sorted(), path: summary.path, bytes: summary.bytes,
            package: summary.isPackage ? true : nil, modified: summary.modified,
            device: summary.device, conflicts: summary.conflicts > 0 ? summary.conflicts : nil))
      } catch let error as GitError where !error.isFromSystem {
        // A download reports the fault.
        unread.formUnion(all)
      }
    }
    // Unreadable documents stay on the list as they were.
    let listed = Set(entries.flatMap(\.ids))
    entries += try ListedEntry.all(in: file).filter { former in
      listed.isDisjoint(with: former.ids) && !former.ids.contains(where: isHere)
        && (!areAll || !unread.isDisjoint(with: former.ids))
    }
    try write(entries)
  }

  private func write(_ entries: [ListedEntry]) throws {
    try Folder.create(file.parentFolder, permissions: 0o700)
    try SmallFile.replaceCache(file, Array(JSONEncoder().encode(entries)), isPrivate: true)
  }
}
