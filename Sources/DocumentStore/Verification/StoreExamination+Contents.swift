internal import DocumentFiles
internal import DocumentGit

/// What a stored content comes to when it is read whole.
enum ContentSummary {
  /// All of it is there.
  case whole(digest: ContentDigest, bytes: Int, files: Int)
  /// These objects are missing, damaged or not what they must be.
  case broken(Set<ObjectID>)
}

/// Reads every content that is kept, each object once, and compares it with what its record says.
extension StoreExamination {
  func checkContents() throws {
    // The tree of every record: git misses it, if nobody else does.
    if !records.isEmpty, try bytes(.emptyTree, as: .tree) == nil {
      damage(.contents, "The empty tree, which every version refers to, is lost.")
    }
    for content in contents.values {
      guard let record = records[content.record] else { continue }
      guard content.tree == record.content?.tree ?? .emptyTree else {
        damage(
          .contents, "The contents kept for \(record.shortName) are another version’s.",
          versions: [record.id])
        continue
      }
      guard let expected = record.content else { continue }
      switch try document(expected) {
      case .broken(let objects):
        for object in objects { incomplete[object, default: []].insert(record.id) }
      case .whole(let digest, let bytes, let files):
        let isSame =
          digest.description == expected.digest && bytes == expected.bytes
          && files == expected.files
        if !isSame {
          damage(
            .contents, "The contents of \(record.shortName) are not those that were saved.",
            versions: [record.id])
        }
      }
    }
  }

  /// Says which versions lack something, object by object.
  func noteIncompleteVersions() {
    for (object, versions) in incomplete.sorted(by: { $0.key < $1.key }) {
      let names = versions.sorted().map(\.versionName).joined(separator: ", ")
      damage(
        .contents, "Contents of \(names) can’t be read: object \(object)\(reason(object)).",
        versions: versions)
    }
  }

  /// Whether all contents of a version are here, and are those that were saved.
  func isComplete(_ record: Record) throws -> Bool {
    guard let expected = record.content,
      case .whole(let digest, _, _) = try document(expected)
    else { return false }
    return digest.description == expected.digest
  }

  /// The document: what its one entry is, or the whole tree.
  private func document(_ content: DocumentContent) throws -> ContentSummary {
    if content.isPackage { return try folder(content.tree, depth: 0) }
    guard let entry = try tree(content.tree)?.entries.first else { return .broken([content.tree]) }
    return try member(entry, depth: 0)
  }

  private func tree(_ id: ObjectID) throws -> Tree? {
    guard let bytes = try bytes(id, as: .tree) else { return nil }
    return try parse(id) { try Tree(decoding: bytes) }
  }

  private func member(_ entry: Tree.Entry, depth: Int) throws -> ContentSummary {
    if MemberName.decoded(entry.name)?.isChunked == true { return try chunkedFile(entry.id) }
    switch entry.mode {
    case .file, .executable: return try file(entry.id, countingBytes: true)
    case .symbolicLink: return try file(entry.id, countingBytes: false)
    case .folder: return try folder(entry.id, depth: depth + 1)
    }
  }

  /// A file in chunks, of which one is in memory at a time.
  private func chunkedFile(_ id: ObjectID) throws -> ContentSummary {
    if let known = summaries[id] { return known }
    var summary = ContentSummary.broken([id])
    if let groups = try tree(id) {
      var broken: Set<ObjectID> = []
      for group in groups.entries where try tree(group.id) == nil { broken.insert(group.id) }
      summary = .broken(broken)
      if broken.isEmpty { summary = try digest(ofChunks: id) }
    }
    summaries[id] = summary
    return summary
  }

  private func digest(ofChunks id: ObjectID) throws -> ContentSummary {
    let chunks: ChunkList
    do {
      chunks = try ChunkList(id, in: repository)
    } catch {
      if error.isFromSystem { throw error }
      unreadable[id] = error.message
      return .broken([id])
    }
    var hasher = ContentDigest.Hasher()
    var broken: Set<ObjectID> = []
    for (chunk, _) in chunks.chunks(of: 0..<chunks.size) {
      if let bytes = try bytes(chunk, as: .blob) {
        hasher.add(bytes[...])
      } else {
        broken.insert(chunk)
      }
    }
    let digest = hasher.digest()
    return broken.isEmpty ? .whole(digest: digest, bytes: chunks.size, files: 1) : .broken(broken)
  }

  /// What a folder's digest says of a member's kind.
  private func kind(of entry: Tree.Entry, isChunked: Bool) throws -> String {
    guard isChunked, let group = try tree(entry.id)?.entries.first,
      let chunk = try tree(group.id)?.entries.first
    else { return entry.mode.rawValue }
    return chunk.mode.rawValue
  }

  /// - Parameter countingBytes: false for a link, whose target is no part of the document's size.
  private func file(_ id: ObjectID, countingBytes: Bool) throws -> ContentSummary {
    if summaries[id] == nil {
      summaries[id] =
        try bytes(id, as: .blob).map {
          .whole(digest: ContentDigest(of: $0), bytes: $0.count, files: 1)
        } ?? .broken([id])
    }
    guard case .whole(let digest, let bytes, let files)? = summaries[id] else {
      return .broken([id])
    }
    return .whole(digest: digest, bytes: countingBytes ? bytes : 0, files: files)
  }

  private func folder(_ id: ObjectID, depth: Int) throws -> ContentSummary {
    if let known = summaries[id] { return known }
    guard depth < DocumentLimits().depth, let tree = try tree(id) else { return .broken([id]) }
    var broken: Set<ObjectID> = []
    var members: [(kind: String, name: [UInt8], digest: ContentDigest)] = []
    var total = (bytes: 0, files: 0)
    for entry in tree.entries {
      guard let (name, isChunked) = MemberName.decoded(entry.name) else {
        unreadable[id] = "it has a member with an impossible name"
        broken.insert(id)
        continue
      }
      switch try member(entry, depth: depth) {
      case .broken(let objects): broken.formUnion(objects)
      case .whole(let digest, let bytes, let files):
        members.append((try kind(of: entry, isChunked: isChunked), name, digest))
        // Trees that repeat one another can stand for more than can be counted.
        total = (total.bytes &+ bytes, total.files &+ files)
      }
    }
    let summary: ContentSummary =
      broken.isEmpty
      ? .whole(
        digest: ContentDigest(ofMembers: members), bytes: total.bytes, files: total.files)
      : .broken(broken)
    summaries[id] = summary
    return summary
  }
}
