internal import Foundation

/// An item with everything in it: kinds, permissions, contents; empty if there is no item.
struct Snapshot: Sendable, Hashable {
  private struct Entry: Sendable, Hashable {
    let kind: String
    let permissions: Int
    let contents: Data
  }

  private var entries: [String: Entry] = [:]

  /// Creates an empty snapshot.
  init() {}

  /// Creates the snapshot of a file with these contents, without permissions.
  init(contents: Data) {
    entries[""] = Entry(kind: "file", permissions: 0, contents: contents)
  }

  /// Reads the item at a location.
  init(of place: URL) throws {
    try add(place, as: "")
  }

  /// The same without permissions.
  var contentsOnly: Snapshot {
    var result = Snapshot()
    result.entries = entries.mapValues {
      Entry(kind: $0.kind, permissions: 0, contents: $0.contents)
    }
    return result
  }

  /// Returns whether a file contains a text.
  func contains(_ text: String) -> Bool {
    entries.values.contains { $0.contents.range(of: Data(text.utf8)) != nil }
  }

  private mutating func add(_ place: URL, as name: String) throws {
    let manager = FileManager.default
    guard let attributes = try? manager.attributesOfItem(atPath: place.path) else { return }
    let permissions = attributes[.posixPermissions] as? Int ?? 0
    switch attributes[.type] as? FileAttributeType {
    case .typeDirectory:
      entries[name] = Entry(kind: "folder", permissions: permissions, contents: Data())
      for member in try manager.contentsOfDirectory(atPath: place.path) {
        try add(place.appending(path: member), as: "\(name)/\(member)")
      }
    case .typeSymbolicLink:
      let target = try manager.destinationOfSymbolicLink(atPath: place.path)
      entries[name] = Entry(kind: "link", permissions: 0, contents: Data(target.utf8))
    default:
      let contents = try Data(contentsOf: place)
      entries[name] = Entry(kind: "file", permissions: permissions, contents: contents)
    }
  }
}

/// The names of all files of a bed, without the parts that depend on contents and chance.
struct Listing: Sendable {
  /// The paths without identifiers.
  private(set) var names: Set<String> = []
  /// One path for each name.
  private(set) var examples: [String: String] = [:]

  /// Lists a folder.
  init(of folder: URL) throws {
    guard let paths = FileManager.default.enumerator(atPath: folder.path) else { return }
    var all: Set<String> = []
    for case let path as String in paths { all.insert(path) }
    // These are created once rather than for each path.
    let object = /\/objects\/[0-9a-f]{2}(\/[0-9a-f]{38})?$/
    let packFile = /^(.*\/objects\/pack\/pack-[0-9a-f]{40})\.(pack|idx)$/
    let removal = /refs\/trash\/[0-9]+-/
    let replaced = /\/(backup|quarantine)\/.*/
    let adoption = /adoptions\/[0-9]{16}-[0-9a-f]{1,8}$/
    let identifier = /[0-9a-f]{32}([0-9a-f]{8})?/
    let branch = /(refs\/heads\/docversions\/.*-)[0-9a-f]{8}/
    for path in all {
      // Unreferenced objects do no harm; half of a pack does.
      guard !path.contains(object) else { continue }
      if let match = path.firstMatch(of: packFile) {
        let partner = match.1 + (match.2 == "pack" ? ".idx" : ".pack")
        if all.contains(String(partner)) { continue }
      }
      // Removed contents can be restored, and are kept under the time of the removal and an identifier. So
      // are files that a repair has replaced.
      let name = path.replacing(removal, with: "refs/trash/").replacing(replaced, with: "")
        .replacing(adoption, with: "adoptions/*").replacing(identifier, with: "*")
        .replacing(branch) { "\($0.1)*" }
      names.insert(name)
      examples[name] = path
    }
  }

  /// Adds the names of another listing.
  mutating func formUnion(_ other: Listing) {
    names.formUnion(other.names)
  }
}
