internal import DocumentGit

/// A tree whose entries may have any mode: a device's state has links to commits, which a document's tree
/// doesn't.
struct RawTree {
  struct Entry: Equatable {
    var mode: String
    var id: ObjectID
    var name: String
  }

  static let link = "160000"
  static let file = "100644"
  static let folder = "40000"

  var entries: [Entry] = []

  init(_ bytes: [UInt8]) throws(GitError) {
    var rest = bytes[...]
    while !rest.isEmpty {
      guard let space = rest.firstIndex(of: UInt8(ascii: " ")),
        let end = rest[space...].firstIndex(of: 0), rest.endIndex - end > 20,
        let target = ObjectID(raw: rest[(end + 1)...(end + 20)])
      else { throw .malformed("a tree is cut short") }
      let name = String(decoding: rest[(space + 1)..<end], as: UTF8.self)
      let mode = String(decoding: rest[..<space], as: UTF8.self)
      entries.append(Entry(mode: mode, id: target, name: name))
      rest = rest[(end + 21)...]
    }
  }

  init(_ entries: [Entry]) {
    self.entries = entries
  }

  /// The object to write.
  func encoded() -> GitObject {
    // Sorted by bytes, as if a slash followed the name of a folder.
    let sorted = entries.map { entry in
      (Array((entry.mode == Self.folder ? entry.name + "/" : entry.name).utf8), entry)
    }.sorted { $0.0.lexicographicallyPrecedes($1.0) }
    var bytes: [UInt8] = []
    for (_, entry) in sorted {
      bytes += Array("\(entry.mode) \(entry.name)".utf8) + [0]
      bytes.append(entry.id)
    }
    return GitObject(.tree, bytes)
  }
}
