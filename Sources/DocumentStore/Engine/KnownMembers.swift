internal import DocumentFiles
internal import DocumentGit
internal import SystemPackage

/// What the document's files and folders were when a version was made of them: a file with the same status has the
/// same bytes, and need not be read; a folder that holds the same has the same tree.
///
/// A cache beside the versions, for the members of one version's tree: what it names is in the store, because the
/// tree is. It may be lost, and is made again by reading the document. A file counts by its inode, size and times of
/// modification and of status change, in nanoseconds, as in git's index; and only if it had been left alone for
/// two seconds when it was read, because a file system's clock may stand still for as long.
struct KnownMembers {
  /// The tree of the version that they are of.
  let tree: ObjectID
  private let device: UInt64
  private let bytes: [UInt8]
  /// Where in `bytes` the entry of an inode begins.
  private let files: [UInt64: Int]
  private let folders: [ContentDigest: ObjectID]

  /// How long a file must have been left alone, in nanoseconds.
  static let leastAge: Int64 = 2_000_000_000

  /// What stands for a file that is as it was; nil for any other.
  func file(_ status: FileStatus) -> ContentBuilder.Node? {
    guard status.device == device, let place = files[status.inode] else { return nil }
    return bytes.withUnsafeBytes { bytes in
      guard bytes.number(at: place + 8) == UInt64(bitPattern: Int64(status.size)),
        bytes.number(at: place + 16) == UInt64(bitPattern: status.modified),
        bytes.number(at: place + 24) == UInt64(bitPattern: status.changed)
      else { return nil }
      return ContentBuilder.Node(
        mode: status.isExecutable ? .executable : .file, id: bytes.identifier(at: place + 32),
        digest: bytes.digest(at: place + 52), isChunked: bytes[place + 84] == Kind.chunked.rawValue,
        isStored: true)
    }
  }

  /// The tree of a folder with this digest; nil where none had it.
  func folder(_ digest: ContentDigest) -> ObjectID? {
    folders[digest]
  }

  /// The digests of some objects, as far as they are known.
  func digests(of wanted: Set<ObjectID>) -> [ObjectID: ContentDigest] {
    var found: [ObjectID: ContentDigest] = [:]
    bytes.withUnsafeBytes { bytes in
      for place in Self.places(in: bytes.count) {
        let id = bytes.identifier(at: place + 32)
        if wanted.contains(id) { found[id] = bytes.digest(at: place + 52) }
      }
    }
    return found
  }

  // MARK: On disk

  // The tree's id (20 bytes) · the device (8, as all numbers little-endian)
  // for each file: inode, size, modified, changed (8 each) · id (20) · digest (32) · kind (4)
  // for each folder the same, with zeros for the numbers
  private static let headSize = 28
  private static let entrySize = 88

  fileprivate enum Kind: UInt8 {
    case whole, chunked, folder
  }

  /// The members of a store's version; nil where none are known, or they are of another version.
  init?(in store: FilePath, of tree: ObjectID) {
    guard let bytes = Self.file(in: store).read(limit: 1 << 26), bytes.count >= Self.headSize,
      (bytes.count - Self.headSize).isMultiple(of: Self.entrySize),
      bytes.withUnsafeBytes({ $0.identifier(at: 0) }) == tree
    else { return nil }
    var files: [UInt64: Int] = [:]
    var folders: [ContentDigest: ObjectID] = [:]
    files.reserveCapacity(bytes.count / Self.entrySize)
    device = bytes.withUnsafeBytes { bytes in
      for place in Self.places(in: bytes.count) {
        if bytes[place + 84] == Kind.folder.rawValue {
          folders[bytes.digest(at: place + 52)] = bytes.identifier(at: place + 32)
        } else {
          files[bytes.number(at: place)] = place
        }
      }
      return bytes.number(at: 20)
    }
    self.tree = tree
    self.bytes = bytes
    self.files = files
    self.folders = folders
  }

  /// Where entries begin among so many bytes.
  private static func places(in count: Int) -> StrideTo<Int> {
    stride(from: headSize, to: count, by: entrySize)
  }

  /// Notes the members of a document that was read, for the next time.
  ///
  /// - Parameter leastAge: how long files must have been left alone, in nanoseconds.
  static func write(
    _ copy: WorkingCopy, in store: FilePath, leastAge: Int64 = leastAge
  ) throws {
    let device = copy.listing.status.device
    let latest = copy.start &- leastAge
    try file(in: store).write(reserving: headSize + copy.nodes.count * entrySize) { bytes in
      bytes.append(copy.content.tree)
      bytes.append(number: device)
      // Of files with several names one may stand twice: it is the same file.
      var files = copy.nodes.lazy.filter(\.mode.isFile).makeIterator()
      copy.listing.forEachFile { status in
        guard let node = files.next(), status.device == device,
          max(status.modified, status.changed) < latest
        else { return }
        bytes.append(number: status.inode)
        bytes.append(number: UInt64(bitPattern: Int64(status.size)))
        bytes.append(number: UInt64(bitPattern: status.modified))
        bytes.append(number: UInt64(bitPattern: status.changed))
        bytes.append(node, node.isChunked ? .chunked : .whole)
      }
      for folder in copy.nodes where folder.mode == .folder { bytes.append(folder: folder) }
    }
  }

  /// Notes the members of a version that was made of this one.
  ///
  /// - Parameters:
  ///   - tree: its tree.
  ///   - gone: objects that are not in it any more.
  ///   - folders: folders that are in it now.
  func write(
    for tree: ObjectID, without gone: Set<ObjectID>, adding folders: [ContentBuilder.Node],
    in store: FilePath
  ) throws {
    let size = bytes.count + folders.count * Self.entrySize
    try Self.file(in: store).write(reserving: size) { noted in
      noted.append(tree)
      noted.append(number: device)
      for place in Self.places(in: bytes.count) {
        let id = bytes.withUnsafeBytes { $0.identifier(at: place + 32) }
        if !gone.contains(id) { noted += bytes[place..<place + Self.entrySize] }
      }
      for folder in folders { noted.append(folder: folder) }
    }
  }

  private static func file(in store: FilePath) -> CacheFile {
    CacheFile(path(in: store), title: "docversions known members 1")
  }

  static func path(in store: FilePath) -> FilePath {
    store.appending("known-members")
  }
}

extension [UInt8] {
  fileprivate mutating func append(folder: ContentBuilder.Node) {
    for _ in 0..<4 { append(number: 0) }
    append(folder, .folder)
  }

  fileprivate mutating func append(_ node: ContentBuilder.Node, _ kind: KnownMembers.Kind) {
    append(node.id)
    append(node.digest)
    append(kind.rawValue)
    for _ in 0..<3 { append(0) }
  }
}
