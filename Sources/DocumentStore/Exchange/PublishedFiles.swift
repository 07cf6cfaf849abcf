internal import DocumentFiles
internal import DocumentGit
internal import SystemPackage

/// What the files with the references of an exchange folder look like, document by document.
///
/// That is their names, inodes, sizes and times; none is read.
///
/// One walk, on all cores, for whoever looks for links, for locks that were left behind, and for what has changed.
struct PublishedFiles {
  /// The files of one document.
  struct Look: Sendable {
    /// Another one where a file appeared, went, or was changed.
    let digest: ContentDigest
    /// When the last of them changed, in nanoseconds since 1970.
    let changed: Int64
    /// The heads that have a file.
    let heads: [ObjectID]
    /// The versions whose contents have a file.
    let contents: [ObjectID]

    /// Of a document that nobody has published.
    static let unpublished = Look(
      digest: ContentDigest(of: []), changed: .min, heads: [], contents: [])
  }

  /// The ids of all documents that have a folder.
  private(set) var documents: [String] = []
  /// By the document’s id; nil where its files are not only what they should be.
  private var looks: [String: Look?] = [:]
  /// Whether some have other files, such as those that guard a reference while it moves.
  private(set) var hasOthers = false

  private let references: FilePath

  /// - Parameter references: the folder with the references of all documents; it need not be there.
  /// - Throws: ``GitError`` where git would follow a link, or wait for what is no file.
  init(in references: FilePath) throws {
    self.references = references
    guard try FileStatus.of(references)?.kind == .folder else { return }
    let members = try Folder.members(of: references)
    try StoreInspection.checkKinds(of: members)
    // A file beside them is no reference of ours.
    let names = members.filter { $0.kind == .folder }.map(\.name)
    let glance = try Glance(references)
    let found = Threads.mapRanges(of: names.count, upTo: Self.part) { range in
      names[range].map { Self.look(at: $0, in: glance) }
    }
    for (name, look) in zip(names, found.joined()) {
      let folder = references.appending(bytes: name)
      // What is not as it should be is looked at closely: a link is refused, a lock may be left behind.
      if try look == nil && FileStatus.of(folder) != nil {
        try StoreInspection.checkReferences(in: folder)
        hasOthers = true
      }
      let document = String(decoding: name, as: UTF8.self)
      guard OpenStore.isIdentifier(document) else { continue }
      documents.append(document)
      looks.updateValue(look, forKey: document)
    }
  }

  /// The files of one document; nil where other things are among them.
  func look(at document: String) -> Look? {
    looks[document] ?? Look.unpublished
  }

  /// The same, looked at once more.
  func lookAgain(at document: String) throws -> Look? {
    try Self.look(at: Array(document.utf8), in: Glance(references))
  }

  /// How many documents a thread takes at a time.
  private static let part = 25

  /// The files of one document; nil where other things are among them.
  private static func look(at document: [UInt8], in references: Glance) -> Look? {
    guard references.status(of: document)?.kind == .folder else { return nil }
    var bytes: [UInt8] = []
    var changed = Int64.min
    var ids: [[ObjectID]] = []
    for part in Self.parts {
      ids.append([])
      guard let (names, _) = references.names(in: document, Self.slash + part, atMost: .max) else {
        if references.isAbsent(document, Self.slash + part) { continue }
        return nil
      }
      bytes += part
      bytes.append(number: UInt64(names.count))
      let start = Self.slash + part + Self.slash
      for name in names.sorted(by: { $0.lexicographicallyPrecedes($1) }) {
        guard let file = references.status(of: document, start + name), file.kind == .file,
          let id = ObjectID(hexadecimal: name)
        else { return nil }
        ids[ids.count - 1].append(id)
        bytes += name
        bytes.append(FileStamp(file))
        changed = max(changed, file.changed)
      }
    }
    return Look(
      digest: ContentDigest(of: bytes), changed: changed, heads: ids[0], contents: ids[1])
  }

  private static let parts = ["heads", "contents"].map { Array($0.utf8) }
  private static let slash = [UInt8(ascii: "/")]
}
