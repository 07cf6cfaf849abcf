internal import DocumentFiles
internal import DocumentGit

/// A folder in the stat cache: its members when the document's version was made.
struct CachedFolder {
  /// The folder’s inode.
  let inode: UInt64
  /// The object that represents the folder.
  let node: ContentNode
  /// The members, in byte order of their names.
  let members: [Member]

  struct Member {
    let name: ArraySlice<UInt8>
    /// The stamp of a file that had been left alone for long enough; `nil` for all other members.
    let stamp: FileStamp?
    let node: ContentNode
  }

  /// The inode of the entry that contains the document, if the document is one file.
  static let ofFile: UInt64 = 0

  /// The digests of its members, by their objects.
  var digests: [ObjectID: ContentDigest] {
    Dictionary(
      members.map { ($0.node.id, $0.node.digest) }, uniquingKeysWith: { first, _ in first })
  }
}

extension CachedFolder {
  /// Creates an entry for a folder whose members were all read.
  ///
  /// - Parameters:
  ///   - listing: the folder.
  ///   - node: its node.
  ///   - nodes: the nodes of its members, one by one.
  ///   - freshness: the freshness at the time when reading began.
  init(
    _ listing: ItemListing, _ node: ContentNode, members nodes: [ContentNode],
    _ freshness: Freshness
  ) {
    self.init(
      inode: listing.status.inode, node: node,
      members: zip(listing.members ?? [], nodes).map { item, node in
        Member(item, node, in: listing.status.device, freshness)
      })
  }

  /// Creates an entry for a folder of which some members were read.
  ///
  /// - Parameters:
  ///   - nodes: the nodes of all its members.
  ///   - former: the folder's previous entry.
  ///   - read: the members that were read.
  init(
    _ inode: UInt64, _ node: ContentNode,
    _ nodes: [(name: [UInt8], node: ContentNode)], after former: CachedFolder?,
    reading read: [[UInt8]: Member]
  ) {
    let former = Dictionary(
      former?.members.map { ($0.name, $0) } ?? [], uniquingKeysWith: { first, _ in first })
    let members = nodes.map { name, node -> Member in
      if let read = read[name] { return read }
      if let former = former[name[...]], former.node.id == node.id { return former }
      return Member(name: name[...], stamp: nil, node: node)
    }
    self.init(
      inode: inode, node: node,
      members: members.sorted { $0.name.lexicographicallyPrecedes($1.name) })
  }
}

extension CachedFolder.Member {
  init(
    _ item: ItemListing, _ node: ContentNode, in device: UInt64,
    _ freshness: Freshness
  ) {
    let stamp = FileStamp(item.status)
    let counts =
      item.status.kind == .file && item.status.device == device && freshness.covers(stamp)
      && !node.isOfOneMoment
    self.init(name: item.name[...], stamp: counts ? stamp : nil, node: node)
  }

  /// Returns whether a file is unchanged: its stamp and whether it is executable.
  func isAs(_ status: FileStatus) -> Bool {
    stamp == FileStamp(status) && (node.mode == .executable) == status.isExecutable
  }
}

// MARK: As bytes

// The inode and the number of members (8 bytes each, as all numbers little-endian) · tree (20) · digest (32) · for each
// member: whether a stamp follows (1) · the stamp's inode, size, modified, changed (8 each) · mode and whether it is in
// chunks (1) · id (20) · digest (32) · the size of the name (2) · the name
extension CachedFolder {
  /// The bytes.
  var encoded: [UInt8] {
    var encoded: [UInt8] = []
    encoded.reserveCapacity(Self.headSize + members.count * (Self.memberSize + 24))
    encoded.append(number: inode)
    encoded.append(number: UInt64(members.count))
    encoded.append(node.id)
    encoded.append(node.digest)
    for member in members {
      encoded.append(member.stamp == nil ? 0 : 1)
      if let stamp = member.stamp {
        encoded.append(stamp)
      } else {
        encoded += [UInt8](repeating: 0, count: 32)
      }
      encoded.append(Self.kind(of: member.node))
      encoded.append(member.node.id)
      encoded.append(member.node.digest)
      encoded.append(UInt8(truncatingIfNeeded: member.name.count))
      encoded.append(UInt8(truncatingIfNeeded: member.name.count >> 8))
      encoded += member.name
    }
    return encoded
  }

  /// Reads an entry; `nil` if the bytes don't encode a folder.
  init?(decoding slice: ArraySlice<UInt8>) {
    let decoded = slice.withUnsafeBytes { raw -> (CachedFolder, Int)? in
      guard raw.count >= Self.headSize, let count = Int(exactly: raw.number(at: 8)),
        count <= raw.count / Self.memberSize
      else { return nil }
      var members: [Member] = []
      members.reserveCapacity(count)
      var place = Self.headSize
      for _ in 0..<count {
        guard place + Self.memberSize <= raw.count else { return nil }
        let stamp = raw[place] == 1 ? FileStamp(raw, at: place + 1) : nil
        let size = Int(raw[place + 86]) | Int(raw[place + 87]) << 8
        let name = place + Self.memberSize..<place + Self.memberSize + size
        guard name.upperBound <= raw.count else { return nil }
        let start = slice.startIndex
        members.append(
          Member(
            name: slice[start + name.lowerBound..<start + name.upperBound], stamp: stamp,
            node: Self.node(raw, at: place + 33)))
        place = name.upperBound
      }
      let node = ContentNode(
        mode: .folder, id: raw.identifier(at: 16), digest: raw.digest(at: 36), isStored: true)
      return (CachedFolder(inode: raw.number(at: 0), node: node, members: members), place)
    }
    guard let (folder, end) = decoded, end == slice.count else { return nil }
    self = folder
  }

  private static let headSize = 68
  private static let memberSize = 88

  private static func node(
    _ bytes: UnsafeRawBufferPointer, at place: Int
  ) -> ContentNode {
    ContentNode(
      mode: modes[Int(bytes[place] & 3)], id: bytes.identifier(at: place + 1),
      digest: bytes.digest(at: place + 21), isChunked: bytes[place] & isChunked != 0,
      isStored: true)
  }

  private static func kind(of node: ContentNode) -> UInt8 {
    UInt8(modes.firstIndex(of: node.mode) ?? 0) | (node.isChunked ? isChunked : 0)
  }

  private static let modes: [Tree.Mode] = [.file, .executable, .symbolicLink, .folder]
  private static let isChunked: UInt8 = 4
}
