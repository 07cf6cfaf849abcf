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
    /// One for each head.
    var heads = Files()
    /// One for each version whose contents are published.
    var contents = Files()

    /// When the last of them changed, in nanoseconds since 1970.
    var changed: Int64 { max(heads.changed, contents.changed) }
  }

  /// Files that are named by versions.
  struct Files: Sendable {
    fileprivate(set) var versions: [ObjectID] = []
    fileprivate var stamps: [FileStamp] = []

    /// When the last of them changed, in nanoseconds since 1970.
    fileprivate var changed: Int64 {
      stamps.map { Int64(bitPattern: $0.changed) }.max() ?? .min
    }

    /// Another one where a file appeared, went, or was changed.
    ///
    /// - Parameter isCounted: of which versions; all by default.
    func digest(where isCounted: (ObjectID) -> Bool = { _ in true }) -> ContentDigest {
      var bytes: [UInt8] = []
      bytes.reserveCapacity(52 * versions.count)
      for (version, stamp) in zip(versions, stamps) where isCounted(version) {
        bytes += version.bytes
        bytes.append(stamp)
      }
      return ContentDigest(of: bytes)
    }
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
    let glance = try FolderReader(references)
    let found = ForkJoin.mapRanges(of: names.count, upTo: Self.part) { range in
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
      guard DocumentIdentifier(document) != nil else { continue }
      documents.append(document)
      looks.updateValue(look, forKey: document)
    }
  }

  /// The files of one document; nil where other things are among them.
  func look(at document: String) -> Look? {
    looks[document] ?? Look()
  }

  /// The same, looked at once more.
  func lookAgain(at document: String) throws -> Look? {
    try Self.look(at: Array(document.utf8), in: FolderReader(references))
  }

  /// How many documents a thread takes at a time.
  private static let part = 25

  /// The files of one document; nil where other things are among them.
  private static func look(at document: [UInt8], in references: FolderReader) -> Look? {
    guard references.status(of: document)?.kind == .folder else { return nil }
    guard let heads = files(in: Self.heads, of: document, references),
      let contents = files(in: Self.contents, of: document, references)
    else { return nil }
    return Look(heads: heads, contents: contents)
  }

  private static func files(
    in part: [UInt8], of document: [UInt8], _ references: FolderReader
  ) -> Files? {
    guard let (names, _) = references.names(in: document, part, atMost: .max) else {
      return references.isAbsent(document, part) ? Files() : nil
    }
    var files = Files()
    for name in names.sorted(by: { $0.lexicographicallyPrecedes($1) }) {
      guard let file = references.status(of: document, part + [UInt8(ascii: "/")] + name),
        file.kind == .file, let version = ObjectID(hexadecimal: name)
      else { return nil }
      files.versions.append(version)
      files.stamps.append(FileStamp(file))
    }
    return files
  }

  private static let heads = Array("/heads".utf8)
  private static let contents = Array("/contents".utf8)
}
