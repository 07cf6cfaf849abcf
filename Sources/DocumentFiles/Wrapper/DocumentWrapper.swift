public import Foundation
internal import SystemPackage

/// A node of a document's tree: a file, a folder of further nodes, or a symbolic link.
///
/// An app that keeps a document in a folder, as a package, holds the tree's top, changes members by taking the old
/// one out and putting a new one in, and writes the tree: what did not change is not written again. After
/// Foundation's `FileWrapper`, which Linux lacks, with one difference throughout: where that
/// raises an exception, or returns nil because a file went away, this throws a ``FileError``.
///
/// There are three names. The **preferred filename** is a wish. The **key** is a folder's own name for a
/// member, unique in it, and the name under which the member is written, unless it stands for another one that was
/// read: one that is no UTF-8, or equal to another's though their bytes differ. The **filename** is the name that it
/// had on disk when it was read or written last.
///
/// A wrapper may be in several folders. Bytes of files are read when they are asked for, unless
/// ``ReadingOptions/immediate`` wants all of them at once.
///
/// Not safe to use from several threads at a time. Where documents are coordinated, the claim is for the
/// document as a whole, never for a member.
public final class DocumentWrapper {
  /// The options for reading a tree.
  public struct ReadingOptions: OptionSet, Sendable {
    /// The options' bits: those of Foundation's.
    public let rawValue: UInt
    /// Makes options of bits.
    public init(rawValue: UInt) { self.rawValue = rawValue }

    /// Reads every byte now, as it was at one moment: nothing can fail later.
    public static let immediate = ReadingOptions(rawValue: 1)
    /// Forbids mapping files into memory, which is never done here.
    public static let withoutMapping = ReadingOptions(rawValue: 2)
  }

  /// The options for writing a tree.
  public struct WritingOptions: OptionSet, Sendable {
    /// The options' bits: those of Foundation's.
    public let rawValue: UInt
    /// Makes options of bits.
    public init(rawValue: UInt) { self.rawValue = rawValue }

    /// Replaces what is there.
    ///
    /// Writing is always all or nothing; without this option it is refused where something is.
    public static let atomic = WritingOptions(rawValue: 1)
    /// Records the names under which all was written: the next incremental writing finds it by them.
    public static let withNameUpdating = WritingOptions(rawValue: 2)
  }

  /// The kind of a node, with what it holds.
  enum Content {
    /// A file's bytes; nil while they are only on disk.
    case file(Data?)
    case symbolicLink(target: [UInt8])
    case folder(WrapperMembers)
  }

  /// The place where a node was read or written last, and its status there.
  struct Stored {
    let place: ItemPath
    let status: FileStatus
  }

  var content: Content
  var stored: Stored?
  /// The states on disk that this was read from and written as.
  var revisions = KnownRevisions()
  /// The filename, which need not be valid UTF-8.
  var storedName: [UInt8]?
  /// The name that a folder shall know this by, if it is free.
  ///
  /// Set with ``setPreferredFilename(_:)``. It does not outlast writing and reading.
  public internal(set) var preferredFilename: String?
  /// The attributes that the file system keeps beside the contents: `posixPermissions` and `modificationDate`
  /// are written, `type` and `size` are only read.
  public var fileAttributes: [FileAttributeKey: Any] {
    get { attributes.values }
    set { attributes.values = newValue }
  }
  var attributes = WrapperAttributes()
  /// What this node has in common with its copies in snapshots.
  var identity = NodeIdentity()

  /// The folders that hold this.
  var parents = WrapperParents()

  init(_ content: Content) {
    self.content = content
  }

  /// A file with contents.
  public convenience init(regularFileWithContents contents: Data) {
    self.init(.file(contents))
  }

  /// A folder.
  ///
  /// - Parameter wrappers: the members by their names; one without a preferred filename takes its name for that.
  /// - Throws: ``FileError`` with code `invalid-name` for what cannot be a name.
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

  /// Whether it is a folder.
  public var isDirectory: Bool { if case .folder = content { true } else { false } }
  /// Whether it is a file.
  public var isRegularFile: Bool { if case .file = content { true } else { false } }
  /// Whether it is a link.
  public var isSymbolicLink: Bool { if case .symbolicLink = content { true } else { false } }

  /// The name on disk when it was read or written last; bytes that are no UTF-8 are shown replaced.
  ///
  /// Ask a folder for the key of a member that is about to be written.
  public var filename: String? {
    get { storedName.map { String(decoding: $0, as: UTF8.self) } }
    set { storedName = newValue.map { Array($0.utf8) } }
  }

  /// Sets the name that folders shall know this by: each takes it out and puts it in again, so its key
  /// may change.
  ///
  /// - Throws: ``FileError`` with code `invalid-name` for what cannot be a name.
  public func setPreferredFilename(_ name: String) throws(FileError) {
    try Self.check(name)
    let folders = parents.folders.filter { folder in
      if case .folder(let members) = folder.content { members.key(of: self) != nil } else { false }
    }
    for folder in folders { try folder.removeFileWrapper(self) }
    preferredFilename = name
    for folder in folders { try folder.addFileWrapper(self) }
  }

  /// Refuses what cannot be a name in a folder.
  static func check(_ name: String) throws(FileError) {
    let bytes = Array(name.utf8)
    guard PathName.isName(bytes), bytes.count <= FileName.longest else {
      throw FileError(
        .invalidName, path: FilePath(name),
        message: "“\(Printable.text(name))” can’t be the name of a member.")
    }
  }

  // MARK: Contents

  /// A file's bytes.
  ///
  /// - Throws: ``FileError``: `wrong-kind` for what is no file; where the bytes are only on disk, `not-found` or
  ///   `changing` when they are not those any more that were there.
  public var regularFileContents: Data {
    get throws {
      guard case .file(let known) = content else { throw wrongKind("file") }
      if let known { return known }
      let data = try Data(contents().read())
      content = .file(data)
      return data
    }
  }

  /// A file's bytes, read piece by piece where they are on disk.
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
