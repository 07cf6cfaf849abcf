internal import DocumentFiles
internal import DocumentGit

/// What a folder of a document held when a version was made of it.
struct KnownFolder {
  /// Which folder it is.
  let inode: UInt64
  /// What stands for it.
  let node: ContentBuilder.Node
  /// In byte order of their names.
  let members: [Member]

  struct Member {
    let name: ArraySlice<UInt8>
    /// Of a file that had been left alone for long enough; nil for all others.
    let stamp: FileStamp?
    let node: ContentBuilder.Node
  }

  /// The inode of what has a document in it that is one file.
  static let ofFile: UInt64 = 0

  /// The digests of its members, by their objects.
  var digests: [ObjectID: ContentDigest] {
    Dictionary(
      members.map { ($0.node.id, $0.node.digest) }, uniquingKeysWith: { first, _ in first })
  }
}

extension KnownFolder {
  /// What a folder that was looked through is noted as.
  ///
  /// - Parameter latest: files that changed since then, in nanoseconds since 1970, are read again.
  init(_ folder: ContentBuilder.ReadFolder, unchangedSince latest: Int64) {
    let listing = folder.listing
    self.init(
      inode: listing.status.inode, node: folder.node,
      members: zip(listing.members ?? [], folder.members).map { item, node in
        Member(item, node, in: listing.status.device, unchangedSince: latest)
      })
  }

  /// What a folder is noted as of which some members were read.
  ///
  /// - Parameters:
  ///   - nodes: what stands for all its members.
  ///   - former: what was known of it before.
  ///   - read: the members that were read.
  init(
    _ inode: UInt64, _ node: ContentBuilder.Node,
    _ nodes: [(name: [UInt8], node: ContentBuilder.Node)], after former: KnownFolder?,
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

extension KnownFolder.Member {
  init(
    _ item: ItemListing, _ node: ContentBuilder.Node, in device: UInt64,
    unchangedSince latest: Int64
  ) {
    let status = item.status
    let isSettled =
      status.kind == .file && status.device == device
      && max(status.modified, status.changed) < latest
    self.init(
      name: item.name[...], stamp: isSettled ? FileStamp(status) : nil, node: node)
  }

  /// Whether a file is as it was.
  func isAs(_ status: FileStatus) -> Bool {
    stamp == FileStamp(status) && (node.mode == .executable) == status.isExecutable
  }
}

// MARK: As bytes

// The inode and the number of members (8 bytes each, as all numbers little-endian) · tree (20) · digest (32) · for each
// member: whether a stamp follows (1) · the stamp's inode, size, modified, changed (8 each) · mode and whether it is in
// chunks (1) · id (20) · digest (32) · the size of the name (2) · the name
extension KnownFolder {
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

  /// Reads it; nil where the bytes are no folder.
  init?(decoding slice: ArraySlice<UInt8>) {
    let decoded = slice.withUnsafeBytes { raw -> (KnownFolder, Int)? in
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
      let node = ContentBuilder.Node(
        mode: .folder, id: raw.identifier(at: 16), digest: raw.digest(at: 36), isStored: true)
      return (KnownFolder(inode: raw.number(at: 0), node: node, members: members), place)
    }
    guard let (folder, end) = decoded, end == slice.count else { return nil }
    self = folder
  }

  private static let headSize = 68
  private static let memberSize = 88

  private static func node(
    _ bytes: UnsafeRawBufferPointer, at place: Int
  ) -> ContentBuilder.Node {
    ContentBuilder.Node(
      mode: modes[Int(bytes[place] & 3)], id: bytes.identifier(at: place + 1),
      digest: bytes.digest(at: place + 21), isChunked: bytes[place] & isChunked != 0,
      isStored: true)
  }

  private static func kind(of node: ContentBuilder.Node) -> UInt8 {
    UInt8(modes.firstIndex(of: node.mode) ?? 0) | (node.isChunked ? isChunked : 0)
  }

  private static let modes: [Tree.Mode] = [.file, .executable, .symbolicLink, .folder]
  private static let isChunked: UInt8 = 4
}
