/// A tree as git stores it: names with a mode and an object id, in git's own order.
///
/// Names are bytes. docversions writes and reads trees itself, because libgit2's builder rejects names that a
/// document may have; a layer above encodes names that git itself rejects.
package struct Tree: Equatable, Sendable {
  package enum Mode: String, Sendable {
    case file = "100644"
    case executable = "100755"
    case symbolicLink = "120000"
    case folder = "40000"

    /// True if the mode is that of a regular file.
    package var isFile: Bool { self == .file || self == .executable }
  }

  package struct Entry: Equatable, Sendable {
    package var mode: Mode
    package var name: [UInt8]
    package var id: ObjectID

    package init(mode: Mode, name: [UInt8], id: ObjectID) {
      self.mode = mode
      self.name = name
      self.id = id
    }

    /// The sort key of git, which treats a folder's name as if a slash followed it.
    fileprivate var sortKey: [UInt8] {
      mode == .folder ? name + [UInt8(ascii: "/")] : name
    }
  }

  package let entries: [Entry]

  /// The maximum number of entries of a folder.
  ///
  /// A store may come from anywhere, and an entry takes more memory than its bytes.
  private static let mostEntries = 250_000

  /// Creates a tree of entries in any order.
  package init(_ entries: [Entry]) {
    self.entries = entries.sorted { $0.sortKey.lexicographicallyPrecedes($1.sortKey) }
  }

  /// Returns the object to write.
  package func encoded() -> GitObject {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(entries.reduce(0) { $0 + $1.name.count + 28 })
    for entry in entries {
      bytes.append(contentsOf: entry.mode.rawValue.utf8)
      bytes.append(UInt8(ascii: " "))
      bytes.append(contentsOf: entry.name)
      bytes.append(0)
      bytes.append(entry.id)
    }
    return GitObject(.tree, bytes)
  }

  /// Reads a tree object.
  ///
  /// Submodules, and modes that documents don't have, are errors.
  package init(decoding bytes: [UInt8]) throws(GitError) {
    var entries: [Entry] = []
    var rest = bytes[...]
    while !rest.isEmpty {
      guard entries.count < Self.mostEntries else {
        throw .malformed("a tree has more members than a document may have")
      }
      guard let space = rest.firstIndex(of: UInt8(ascii: " ")),
        let end = rest[space...].firstIndex(of: 0), rest.endIndex - end > 20,
        let id = ObjectID(raw: rest[(end + 1)...(end + 20)])
      else { throw .malformed("a tree is cut short") }
      let digits = String(decoding: rest[..<space], as: UTF8.self)
      guard let mode = Mode(rawValue: digits == "100664" ? "100644" : digits) else {
        throw .malformed("a tree has an entry of an unknown mode")
      }
      entries.append(Entry(mode: mode, name: Array(rest[(space + 1)..<end]), id: id))
      rest = rest[(end + 21)...]
    }
    self.entries = entries
  }
}
