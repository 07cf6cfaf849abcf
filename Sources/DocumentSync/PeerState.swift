internal import DocumentFiles
internal import DocumentGit
internal import DocumentStore
internal import Foundation
internal import SystemPackage

/// The state of a peer as of the last exchange with it.
///
/// This is a cache: if it is gone, the next exchange visits all documents, and asks the peer for everything.
struct PeerState: Codable, Equatable {
  /// References of a device, in hexadecimal digits.
  struct Seen: Codable, Equatable {
    var records: String?
    var contents: String?
    /// The beginning of the branch.
    var start: String?
  }

  /// The references of this device.
  var own = Seen()
  /// The references of the other devices that were received.
  var devices: [String: Seen] = [:]
  /// The packs on the peer that this device has written, with their sizes.
  var packs: [String: Int] = [:]
  /// The other packs that were there, with their sizes.
  var othersPacks: [String: Int]?
  /// The documents that were left out.
  var pending: Set<String> = []
  /// True for a peer that rejects force-pushes, where withdrawn contents stay.
  var keepsBranches: Bool?
  /// True if the next exchange searches every document for contents to publish, because a device
  /// that had published some was forgotten.
  var looksEverywhere: Bool?
  /// True if documents rest on the copy of the peer.
  var hasResting: Bool?
  /// The time, in seconds since 1970, when contents were withdrawn that may still take space on the peer.
  var withdrawn: Double?

  /// Returns whether all packs of the last exchange are present and unchanged; removes truncated
  /// packs of this device.
  ///
  /// Packs of other devices count, because a version's files aren't sent again if another device
  /// has sent the same ones.
  func packsAreKept(on peer: any Peer) throws -> Bool {
    guard peer.isTidiedByDevices else { return true }
    let present = try peer.packs()
    let lost = packs.filter { present[$0.key] != $0.value }
    let cut = Set(lost.keys.filter { present[$0] != nil })
    if !cut.isEmpty { try peer.objects.repository.replacePacks(cut, with: RepackPlan()) }
    return lost.isEmpty && othersPacks?.allSatisfy { present[$0.key] == $0.value } != false
  }

  // MARK: What has changed here

  var journal: Journal?
  /// The stamps of the folders with documents and stores.
  var folders: [String: String?] = [:]
  /// The time of the last check of all documents, in seconds since 1970.
  var scanned: Double = 0
  /// The session of the system in which that check took place.
  var session: String?

  struct Journal: Codable, Equatable {
    var inode: UInt64
    var offset: Int
  }

  // MARK: On disk

  /// Reads the recorded state; an empty state if there is none.
  static func read(of peer: any Peer, in container: FilePath) throws -> PeerState {
    try read(file(of: peer, in: container))
  }

  private static func read(_ file: FilePath) throws -> PeerState {
    guard let bytes = try SmallFile.read(file, limit: 256 << 20) else { return PeerState() }
    do {
      return try JSONDecoder().decode(PeerState.self, from: Data(bytes))
    } catch {
      return PeerState()
    }
  }

  /// Records that a peer rejects force-pushes.
  static func recordKeepingBranches(of peer: any Peer, in container: FilePath) throws {
    var state = try read(of: peer, in: container)
    state.keepsBranches = true
    try state.write(of: peer, in: container)
  }

  /// Makes the next exchange publish everything that is missing on the peer.
  static func recordForgetting(
    of device: DeviceIdentifier, on peer: any Peer, in container: FilePath
  ) throws {
    var state = try read(of: peer, in: container)
    state.devices[device.description] = nil
    state.looksEverywhere = true
    try state.write(of: peer, in: container)
  }

  /// Returns whether a document was left out of the last exchange with some peer.
  static func isPending(_ identifiers: Set<String>, in container: FilePath) throws -> Bool {
    let folder = SyncFile.peers.path(in: container)
    guard try FileStatus.of(folder)?.kind == .folder else { return false }
    return try Folder.names(in: folder).contains { name in
      try !read(folder.appending(bytes: name)).pending.isDisjoint(with: identifiers)
    }
  }

  func write(of peer: any Peer, in container: FilePath) throws {
    let file = Self.file(of: peer, in: container)
    try Folder.create(file.parentFolder)
    try SmallFile.replaceCache(file, Array(JSONEncoder().encode(self)), isPrivate: true)
  }

  private static func file(of peer: any Peer, in container: FilePath) -> FilePath {
    let name = ObjectID(of: .blob, Array(peer.key.utf8)).description
    return SyncFile.peers.path(in: container).appending(name)
  }
}

/// A cache of the documents of a container by their ids, so that an exchange needn't open every
/// store for its id.
///
/// The file holds `<id> <path>` for a document, and `<alias> /<id>` for another id of it.
struct DocumentIndex {
  private(set) var paths: [String: String] = [:]
  /// The ids of documents by their aliases.
  private var identifiers: [String: String] = [:]
  private var isChanged = false
  /// True if an interrupted eviction has removed documents from this device since the cache was written.
  private(set) var hasLost = false

  init(in container: FilePath) throws {
    guard let bytes = try SmallFile.read(SyncFile.index.path(in: container), limit: 256 << 20)
    else { return }
    for entry in bytes.split(separator: 0) where entry.count > 33 {
      if let text = String(validating: entry, as: UTF8.self) {
        let (identifier, place) = (String(text.prefix(32)), text.dropFirst(33))
        if place.first == "/" {
          identifiers[identifier] = String(place.dropFirst())
        } else {
          paths[identifier] = String(place)
        }
      }
    }
  }

  mutating func set(_ documents: [ReplicatedContainer.Entry]) {
    let found = Dictionary(
      documents.compactMap { document in document.identifier.map { ($0, document.path) } },
      uniquingKeysWith: { first, _ in first })
    let aliases = Dictionary(
      documents.flatMap { document in document.aliases.map { ($0, document.identifier ?? $0) } },
      uniquingKeysWith: { first, _ in first })
    // Strings with different compositions of a character are equal.
    let arePathsKnown =
      found.count == paths.count && found.allSatisfy { $1.hasBytes(of: paths[$0] ?? "") }
    guard !arePathsKnown || aliases != identifiers else { return }
    hasLost = hasLost || paths.keys.contains { found[$0] == nil && aliases[$0] == nil }
    (paths, identifiers) = (found, aliases)
    isChanged = true
  }

  /// Sets the path and the ids of a document, replacing earlier ones.
  mutating func set(_ document: ReplicatedContainer.Entry) {
    guard let identifier = document.identifier else { return }
    for alias in document.aliases {
      paths[alias] = nil
      identifiers[alias] = identifier
    }
    identifiers[identifier] = nil
    paths[identifier] = document.path
    isChanged = true
  }

  mutating func set(_ path: String, of identifier: String) {
    guard paths[identifier]?.hasBytes(of: path) != true else { return }
    paths[identifier] = path
    isChanged = true
  }

  /// Records that a document has moved.
  mutating func move(from former: URL, to place: URL, in container: FilePath) {
    var (old, new) = (FilePath(former.path), FilePath(place.path))
    guard old.removePrefix(container), new.removePrefix(container),
      let known = paths.first(where: { $0.value.hasBytes(of: old.string) })
    else { return }
    set(new.string, of: known.key)
  }

  /// Returns the published heads of documents that are here, by their paths.
  func heads(of publications: [Publication]) -> [(path: String, heads: Set<ObjectID>)] {
    publications.compactMap { publication in
      // The document may have moved since its state was computed.
      (paths[publication.identifier] ?? publication.state.path)
        .map { ($0, publication.state.heads) }
    }
  }

  /// Forgets a document that has left this device.
  mutating func remove(_ identifier: String) {
    if paths.removeValue(forKey: identifier) != nil { isChanged = true }
  }

  /// Returns the id of the document that has a given id or alias.
  func identifier(for known: String) -> String { identifiers[known] ?? known }

  func write(in container: FilePath) throws {
    guard isChanged else { return }
    var bytes: [UInt8] = []
    for (identifier, path) in paths { bytes += Array("\(identifier) \(path)".utf8) + [0] }
    for (alias, identifier) in identifiers { bytes += Array("\(alias) /\(identifier)".utf8) + [0] }
    try SmallFile.replaceCache(SyncFile.index.path(in: container), bytes, isPrivate: true)
  }
}
