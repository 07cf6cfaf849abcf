internal import DocumentFiles
internal import DocumentGit
internal import SystemPackage

/// Which files of the document were seen with which bytes: a file with the same status has the same bytes, and need
/// not be read to save a version.
///
/// A cache beside the versions, for those of one tree: what stands there is in the store, because the tree is.
/// It may be lost, and is made again by reading the document. A file counts by its inode, size and times of
/// modification and of status change, in nanoseconds, as in git's index; and only if it had been left alone for
/// two seconds when it was read, because a file system's clock may stand still for as long.
struct KnownFiles {
  /// The tree of the version that the files are of.
  let tree: ObjectID
  private let device: UInt64
  private let bytes: [UInt8]
  /// Where in `bytes` the entry of an inode begins.
  private let places: [UInt64: Int]

  /// How long a file must have been left alone, in nanoseconds.
  static let leastAge: Int64 = 2_000_000_000

  /// What stands for a file that is as it was; nil for any other.
  func node(for status: FileStatus) -> ContentBuilder.Node? {
    guard status.device == device, let place = places[status.inode] else { return nil }
    return bytes.withUnsafeBytes { bytes in
      guard bytes.number(at: place + 8) == UInt64(bitPattern: Int64(status.size)),
        bytes.number(at: place + 16) == UInt64(bitPattern: status.modified),
        bytes.number(at: place + 24) == UInt64(bitPattern: status.changed),
        let digest = ContentDigest(
          raw: UnsafeRawBufferPointer(rebasing: bytes[place + 52..<place + 84]))
      else { return nil }
      return ContentBuilder.Node(
        mode: status.isExecutable ? .executable : .file,
        id: ObjectID(twenty: UnsafeRawBufferPointer(rebasing: bytes[place + 32..<place + 52])),
        digest: digest,
        isChunked: bytes[place + 84] == 1)
    }
  }

  // MARK: On disk

  // "docversions known files 1\n" · the tree's id (20 bytes) · the device (8, as all numbers little-endian)
  // for each file: inode, size, modified, changed (8 each) · id (20) · digest (32) · 1 for chunks (4)
  // the SHA-256 of all of it (32)
  private static let title = Array("docversions known files 1\n".utf8)
  private static let headSize = title.count + 28
  private static let entrySize = 88
  private static let checkSize = 32

  /// The files of a store's version; nil where none are known, or they are of another version.
  init?(in store: FilePath, of tree: ObjectID) throws(FileError) {
    guard let bytes = try SmallFile.read(Self.file(in: store), limit: 1 << 26) else { return nil }
    let end = bytes.count - Self.checkSize
    guard end >= Self.headSize, (end - Self.headSize).isMultiple(of: Self.entrySize),
      bytes.starts(with: Self.title + tree.bytes),
      ContentDigest(of: bytes[..<end]) == bytes[end...].withUnsafeBytes({ ContentDigest(raw: $0) })
    else { return nil }
    self.tree = tree
    self.bytes = bytes
    (device, places) = bytes.withUnsafeBytes { bytes in
      var places: [UInt64: Int] = [:]
      places.reserveCapacity((end - Self.headSize) / Self.entrySize)
      for place in stride(from: Self.headSize, to: end, by: Self.entrySize) {
        places[bytes.number(at: place)] = place
      }
      return (bytes.number(at: Self.headSize - 8), places)
    }
  }

  /// Notes the files of a document that was read, for the next time.
  ///
  /// - Parameter leastAge: how long they must have been left alone, in nanoseconds.
  static func write(
    _ copy: WorkingCopy, in store: FilePath, leastAge: Int64 = leastAge
  ) throws {
    let device = copy.listing.status.device
    let latest = copy.start &- leastAge
    var seen: Set<UInt64> = []
    var bytes = title
    bytes.reserveCapacity(headSize + copy.files.count * entrySize + checkSize)
    bytes.append(copy.content.tree)
    bytes.append(number: device)
    for (status, node) in copy.files
    where status.device == device && max(status.modified, status.changed) < latest
      && seen.insert(status.inode).inserted
    {
      bytes.append(number: status.inode)
      bytes.append(number: UInt64(bitPattern: Int64(status.size)))
      bytes.append(number: UInt64(bitPattern: status.modified))
      bytes.append(number: UInt64(bitPattern: status.changed))
      bytes.append(node.id)
      bytes.append(node.digest)
      bytes.append(contentsOf: [node.isChunked ? 1 : 0, 0, 0, 0])
    }
    bytes.append(ContentDigest(of: bytes[...]))
    try SmallFile.replaceCache(file(in: store), bytes)
  }

  static func file(in store: FilePath) -> FilePath {
    store.appending("known-files")
  }
}

extension UnsafeRawBufferPointer {
  fileprivate func number(at place: Int) -> UInt64 {
    UInt64(littleEndian: loadUnaligned(fromByteOffset: place, as: UInt64.self))
  }
}

extension [UInt8] {
  fileprivate mutating func append(number: UInt64) {
    Swift.withUnsafeBytes(of: number.littleEndian) { append(contentsOf: $0) }
  }
}
