internal import DocumentFiles
internal import DocumentGit
internal import SystemPackage

/// The state of the files with the references of an exchange folder, document by document.
///
/// It consists of their names, inodes, sizes and times; none is read.
///
/// One walk, on all cores, finds links, abandoned locks and changes.
struct PublishedFiles {
  /// The files of one document.
  struct State: Sendable {
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
  private var states: [String: State?] = [:]
  /// Whether some have other files, such as those that guard a reference while it moves.
  private(set) var hasOthers = false

  private let references: FilePath

  /// - Parameter references: the folder with the references of all documents; it need not be there.
  /// - Throws: ``GitError`` where git would follow a link, or wait for what is no file.
  init(in references: FilePath) throws {
    self.references = references
    guard try FileStatus.of(references)?.kind == .folder else { return }
    let members = try Folder.members(of: references)
    try StoreSafety.checkKinds(of: members)
    // A file beside them is no reference of ours.
    let names = members.filter { $0.kind == .folder }.map(\.name)
    let reader = try FolderReader(references)
    let found = ForkJoin.mapRanges(of: names.count, upTo: Self.part) { range in
      names[range].map { Self.readState(of: $0, in: reader) }
    }
    for (name, state) in zip(names, found.joined()) {
      let folder = references.appending(bytes: name)
      // An unexpected item is checked closely: a link is refused, a lock may be abandoned.
      if try state == nil && FileStatus.of(folder) != nil {
        try StoreSafety.checkReferences(in: folder)
        hasOthers = true
      }
      let document = String(decoding: name, as: UTF8.self)
      guard DocumentIdentifier(document) != nil else { continue }
      documents.append(document)
      states.updateValue(state, forKey: document)
    }
  }

  /// The files of one document; nil where other things are among them.
  func state(of document: String) -> State? {
    states[document] ?? State()
  }

  /// Reads the state of one document's files again.
  func readState(of document: String) throws -> State? {
    try Self.readState(of: Array(document.utf8), in: FolderReader(references))
  }

  /// The number of documents a thread takes at a time.
  private static let part = 25

  /// The files of one document; nil where other things are among them.
  private static func readState(of document: [UInt8], in references: FolderReader) -> State? {
    guard references.status(of: document)?.kind == .folder else { return nil }
    guard let heads = files(in: Self.heads, of: document, references),
      let contents = files(in: Self.contents, of: document, references)
    else { return nil }
    return State(heads: heads, contents: contents)
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
