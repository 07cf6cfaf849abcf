public import Foundation
internal import SystemPackage

/// A node of a document's tree: a file, a folder of nodes, or a symbolic link.
///
/// An app whose document is a package keeps the root of the tree, changes a member by removing the old one and adding a
/// new one, and writes the tree. Unchanged members aren't written again. After Foundation's `FileWrapper`, which Linux
/// lacks, with one difference: where `FileWrapper` raises an exception, or returns `nil` because a file disappeared,
/// this class throws a ``FileError``.
///
/// There are three names. The **preferred filename** is the desired name. The **key** is the unique name of a member in
/// a folder, and the name under which it is written, unless it represents a name on disk that isn't UTF-8, or that is
/// equal to another name although their bytes differ. The **filename** is the name on disk at the last read or write.
///
/// A wrapper may be in several folders. The bytes of a file are read on first use, unless ``ReadingOptions/immediate``
/// reads them at once.
///
/// Don't use a tree from several threads at the same time. Coordinated accesses are to the whole document, never to a
/// member.
public final class DocumentWrapper {
  /// Options for reading a tree.
  public struct ReadingOptions: OptionSet, Sendable {
    /// The options as a bit mask, with Foundation's bits.
    public let rawValue: UInt
    /// Creates options from a bit mask.
    public init(rawValue: UInt) { self.rawValue = rawValue }

    /// Reads every byte at once, from one moment, so that no later access can fail.
    public static let immediate = ReadingOptions(rawValue: 1)
    /// Forbids mapping files into memory; this class never maps them.
    public static let withoutMapping = ReadingOptions(rawValue: 2)
  }

  /// Options for writing a tree.
  public struct WritingOptions: OptionSet, Sendable {
    /// The options as a bit mask, with Foundation's bits.
    public let rawValue: UInt
    /// Creates options from a bit mask.
    public init(rawValue: UInt) { self.rawValue = rawValue }

    /// Replaces an existing item.
    ///
    /// Writing is always atomic; without this option, an existing item is an error.
    public static let atomic = WritingOptions(rawValue: 1)
    /// Records the written names, by which the next incremental write finds the members.
    public static let withNameUpdating = WritingOptions(rawValue: 2)
  }

  /// The kind of a node, with its contents.
  enum Content {
    /// A file's bytes; `nil` while they are only on disk.
    case file(Data?)
    case symbolicLink(target: [UInt8])
    case folder(WrapperMembers)
  }

  /// The place at which a node was last read or written, and its status there.
  struct Stored {
    let place: ItemPath
    let status: FileStatus
  }

  var content: Content
  var stored: Stored?
  /// The revisions on disk that this was read from or written as.
  var revisions = KnownRevisions()
  /// The filename, which need not be valid UTF-8.
  var storedName: [UInt8]?
  /// The desired name in a folder, used if it is free.
  ///
  /// Set it with ``setPreferredFilename(_:)``. It isn't preserved by writing and reading.
  public internal(set) var preferredFilename: String?
  /// The file's attributes: `posixPermissions` and `modificationDate` are written, `type` and `size` are only read.
  public var fileAttributes: [FileAttributeKey: Any] {
    get { attributes.values }
    set { attributes.values = newValue }
  }
  var attributes = WrapperAttributes()
  /// The identity that this node shares with its copies in snapshots.
  var identity = NodeIdentity()

  /// The folders that contain this node.
  var parents = WrapperParents()

  init(_ content: Content) {
    self.content = content
  }

  /// Creates a file with contents.
  public convenience init(regularFileWithContents contents: Data) {
    self.init(.file(contents))
  }

  /// Creates a folder.
  ///
  /// - Parameter wrappers: the members by name, which becomes the preferred filename of a member without one.
  /// - Throws: ``FileError`` with code `invalid-name` for an invalid name.
  public convenience init(
    directoryWithFileWrappers wrappers: [String: DocumentWrapper]
  ) throws(FileError) {
    self.init(.folder(WrapperMembers()))
    for (name, wrapper) in wrappers.sorted(by: { $0.key < $1.key }) {
      try Self.check(name)
      if wrapper.preferredFilename == nil { wrapper.preferredFilename = name }
      try insert(wrapper, forKey: name)
    }
  }

  // MARK: Kind and names

  /// True if the node is a folder.
  public var isDirectory: Bool { if case .folder = content { true } else { false } }
  /// True if the node is a file.
  public var isRegularFile: Bool { if case .file = content { true } else { false } }
  /// True if the node is a symbolic link.
  public var isSymbolicLink: Bool { if case .symbolicLink = content { true } else { false } }

  /// The name on disk at the last read or write; bytes that aren't UTF-8 are replaced.
  ///
  /// For a member that hasn't been written yet, ask its folder for the key.
  public var filename: String? {
    get { storedName.map { String(decoding: $0, as: UTF8.self) } }
    set { storedName = newValue.map { Array($0.utf8) } }
  }

  /// Sets the desired name; each folder removes the node and adds it again, so its key may change.
  ///
  /// - Throws: ``FileError`` with code `invalid-name` for an invalid name.
  public func setPreferredFilename(_ name: String) throws(FileError) {
    try Self.check(name)
    let folders = parents.folders.filter { folder in
      if case .folder(let members) = folder.content { members.key(of: self) != nil } else { false }
    }
    for folder in folders { try folder.removeFileWrapper(self) }
    preferredFilename = name
    for folder in folders { try folder.addFileWrapper(self) }
  }

  /// Throws an error for text that can't be a name in a folder.
  static func check(_ name: String) throws(FileError) {
    let bytes = Array(name.utf8)
    guard PathName.isName(bytes), bytes.count <= FileName.longest else {
      throw FileError(
        .invalidName, path: FilePath(name),
        message: "“\(Printable.text(name))” can’t be the name of a member.")
    }
  }

  // MARK: Contents

  /// The bytes of a file.
  ///
  /// - Throws: ``FileError``: `wrong-kind` if the node isn't a file; `not-found` or `changing` if the bytes are only on
  ///   disk and have changed there.
  public var regularFileContents: Data {
    get throws {
      guard case .file(let known) = content else { throw wrongKind("file") }
      if let known { return known }
      let data = try Data(contents().read())
      content = .file(data)
      return data
    }
  }

  /// Returns a file's bytes, which are read in pieces if they are on disk.
  func contents() throws(FileError) -> FileContents {
    guard case .file(let data) = content else { throw wrongKind("file") }
    if let data { return FileContents(Array(data)) }
    guard let stored else { throw wrongKind("file") }
    let file = LastFile()
    return FileContents(size: stored.status.size) {
      try file.read($0, of: stored.place, stored.status)
    }
  }

  /// The name in messages.
  var shownName: String { preferredFilename ?? filename ?? "?" }

  func wrongKind(_ wanted: String) -> FileError {
    let name = shownName
    let kind = isDirectory ? "folder" : isRegularFile ? "file" : "link"
    return FileError(
      .wrongKind, path: FilePath(name),
      message: "“\(Printable.text(name))” is a \(kind), not a \(wanted).")
  }

  /// The members of a folder.
  var members: WrapperMembers {
    get throws(FileError) {
      guard case .folder(let members) = content else { throw wrongKind("folder") }
      return members
    }
  }
}
