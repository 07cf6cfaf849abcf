internal import DocumentFiles
internal import DocumentStore
internal import Foundation
internal import SystemPackage

/// The remotes of a container, in the order in which they were added; the first one is the default.
///
/// The file belongs to one device, and only its owner can read it.
struct RemoteList {
  private let container: FilePath
  private(set) var remotes: [Remote] = []

  private struct Entry: Codable {
    var name: String
    var address: String
    var shared: Bool?
    /// Seconds since 1970.
    var synced: Double?
  }

  init(of container: FilePath) throws {
    self.container = container
    let file = SyncFile.remotes.path(in: container)
    guard let bytes = try SmallFile.read(file) else { return }
    let entries: [Entry]
    do { entries = try JSONDecoder().decode([Entry].self, from: Data(bytes)) } catch {
      throw VersionError(
        .damaged, document: file.printable,
        message: "The list of remotes “\(file.printable)” can’t be read.",
        hint: "Move it away, and add the remotes again.", cause: error)
    }
    remotes = try entries.map { entry in
      var remote = try Remote(
        name: entry.name, address: entry.address, isShared: entry.shared ?? false)
      remote.lastSync = entry.synced.map { Date(timeIntervalSince1970: $0) }
      return remote
    }
  }

  /// Changes the remotes of a container, one process at a time, so that no change is lost.
  static func change<Result>(
    of container: FilePath, _ body: (inout RemoteList) throws -> Result
  ) throws -> Result {
    try SyncFile.changingSettings(of: container) {
      var list = try RemoteList(of: container)
      return try body(&list)
    }
  }

  /// Returns the remote with a name, or the first one.
  func remote(named name: String?) throws -> Remote {
    if let found = remotes.first(where: { name == nil || $0.name == name }) { return found }
    let shown = name.map { Printable.text($0) }
    throw VersionError(
      .invalidArgument, document: container.printable,
      message: shown.map { "There is no remote “\($0)” here." }
        ?? "No remote was added to “\(container.printable)” yet.",
      hint: remotes.isEmpty
        ? nil : "Those that are there: \(remotes.map(\.name).joined(separator: ", ")).")
  }

  /// Returns the ids of the documents that the last sync with a remote listed.
  func identifiers(listedBy remote: Remote) throws -> Set<String> {
    try remote.peerKeys.reduce(into: []) {
      $0.formUnion(try DocumentListing(ofPeer: $1, in: container).identifiers())
    }
  }

  mutating func add(_ remote: Remote) throws {
    guard !remotes.contains(where: { $0.name == remote.name }) else {
      throw VersionError(
        .invalidArgument, document: container.printable,
        message: "There already is a remote “\(Printable.text(remote.name))”.",
        hint: "Remove it first, or choose another name.")
    }
    remotes.append(remote)
    try write()
  }

  mutating func remove(named name: String) throws -> Remote {
    let remote = try remote(named: name)
    remotes.removeAll { $0.name == name }
    try write()
    return remote
  }

  mutating func recordSync(with name: String, at time: Date) throws {
    guard let index = remotes.firstIndex(where: { $0.name == name }) else { return }
    remotes[index].lastSync = time
    try write()
  }

  private func write() throws {
    let entries = remotes.map { remote in
      Entry(
        name: remote.name, address: remote.address, shared: remote.isShared ? true : nil,
        synced: remote.lastSync?.timeIntervalSince1970)
    }
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    try SmallFile.replace(
      SyncFile.remotes.path(in: container), Array(encoder.encode(entries)) + [10], isPrivate: true)
  }
}
