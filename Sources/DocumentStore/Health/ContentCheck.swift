internal import DocumentFiles
internal import DocumentGit

/// Reads every kept content, each object once, and compares it with its record.
final class ContentCheck {
  /// The outcome of reading all of a stored content.
  private enum Summary {
    /// The content is complete.
    case whole(digest: ContentDigest, bytes: Int, files: Int)
    /// These objects are missing, damaged or invalid.
    case broken(Set<ObjectID>)
  }

  private let objects: StoredObjects
  private let findings: FindingList
  /// The outcomes for the trees and files that were read.
  private var summaries: [ObjectID: Summary] = [:]
  /// Versions, by the objects that they lack.
  private var incomplete: [ObjectID: Set<ObjectID>] = [:]

  init(_ objects: StoredObjects, _ findings: FindingList) {
    self.objects = objects
    self.findings = findings
  }

  func run(_ history: StoredHistory) throws {
    // The tree of every record; git can't read a record without it.
    if !history.records.isEmpty, try objects.bytes(.emptyTree, as: .tree) == nil {
      findings.damage(.contents, "The empty tree, which every version refers to, is lost.")
    }
    for content in history.contents.values {
      guard let record = history.records[content.record] else { continue }
      try check(content, of: record)
    }
  }

  private func check(_ content: ContentCommit, of record: Record) throws {
    guard content.tree == record.content?.tree ?? .emptyTree else {
      return findings.damage(
        .contents, "The contents kept for \(record.shortName) are another version’s.",
        versions: [record.id])
    }
    guard let expected = record.content else { return }
    switch try document(expected) {
    case .broken(let objects):
      for object in objects { incomplete[object, default: []].insert(record.id) }
    case .whole(let digest, let bytes, let files):
      let isSame =
        digest.description == expected.digest && bytes == expected.bytes
        && files == expected.files
      if !isSame {
        findings.damage(
          .contents, "The contents of \(record.shortName) are not those that were saved.",
          versions: [record.id])
      }
    }
  }

  /// Reports the versions that lack objects, object by object.
  func reportIncompleteVersions() {
    for (object, versions) in incomplete.sorted(by: { $0.key < $1.key }) {
      let names = versions.sorted().map(\.versionName).joined(separator: ", ")
      findings.damage(
        .contents,
        "Contents of \(names) can’t be read: object \(object)\(objects.reason(object)).",
        versions: versions)
    }
  }

  /// Returns whether all contents of a version are here, and match those that were saved.
  func isComplete(_ record: Record) throws -> Bool {
    guard let expected = record.content,
      case .whole(let digest, _, _) = try document(expected)
    else { return false }
    return digest.description == expected.digest
  }

  // MARK: Members

  /// Returns the document: its one entry, or the whole tree.
  private func document(_ content: DocumentContent) throws -> Summary {
    if content.isPackage { return try folder(content.tree, depth: 0) }
    guard let entry = try objects.tree(content.tree)?.entries.first else {
      return .broken([content.tree])
    }
    return try member(entry, depth: 0)
  }

  private func member(_ entry: Tree.Entry, depth: Int) throws -> Summary {
    if MemberName.decoded(entry.name)?.isChunked == true { return try chunkedFile(entry.id) }
    switch entry.mode {
    case .file, .executable: return try file(entry.id, countingBytes: true)
    case .symbolicLink: return try file(entry.id, countingBytes: false)
    case .folder: return try folder(entry.id, depth: depth + 1)
    }
  }

  /// Reads a file in chunks, one chunk at a time.
  private func chunkedFile(_ id: ObjectID) throws -> Summary {
    if let known = summaries[id] { return known }
    var summary = Summary.broken([id])
    if let groups = try objects.tree(id) {
      var broken: Set<ObjectID> = []
      for group in groups.entries where try objects.tree(group.id) == nil {
        broken.insert(group.id)
      }
      summary = .broken(broken)
      if broken.isEmpty { summary = try digest(ofChunks: id) }
    }
    summaries[id] = summary
    return summary
  }

  private func digest(ofChunks id: ObjectID) throws -> Summary {
    guard let chunks = try objects.reading(id, { try ChunkList(id, in: objects.repository) })
    else { return .broken([id]) }
    var hasher = ContentDigest.Hasher()
    var broken: Set<ObjectID> = []
    for (chunk, _) in chunks.chunks(of: 0..<chunks.size) {
      if let bytes = try objects.bytes(chunk, as: .blob) {
        hasher.add(bytes[...])
      } else {
        broken.insert(chunk)
      }
    }
    let digest = hasher.digest()
    return broken.isEmpty ? .whole(digest: digest, bytes: chunks.size, files: 1) : .broken(broken)
  }

  /// Returns a member's kind, as it enters the digest of a folder.
  private func kind(of entry: Tree.Entry, isChunked: Bool) throws -> String {
    guard isChunked, let group = try objects.tree(entry.id)?.entries.first,
      let chunk = try objects.tree(group.id)?.entries.first
    else { return entry.mode.rawValue }
    return chunk.mode.rawValue
  }

  /// - Parameter countingBytes: false for a link, whose target doesn't count toward the document's size.
  private func file(_ id: ObjectID, countingBytes: Bool) throws -> Summary {
    if summaries[id] == nil {
      summaries[id] =
        try objects.bytes(id, as: .blob).map {
          .whole(digest: ContentDigest(of: $0), bytes: $0.count, files: 1)
        } ?? .broken([id])
    }
    guard case .whole(let digest, let bytes, let files)? = summaries[id] else {
      return .broken([id])
    }
    return .whole(digest: digest, bytes: countingBytes ? bytes : 0, files: files)
  }

  private func folder(_ id: ObjectID, depth: Int) throws -> Summary {
    if let known = summaries[id] { return known }
    guard depth < DocumentLimits().depth, let tree = try objects.tree(id) else {
      return .broken([id])
    }
    var broken: Set<ObjectID> = []
    var members: [(kind: String, name: [UInt8], digest: ContentDigest)] = []
    var total = (bytes: 0, files: 0)
    for entry in tree.entries {
      guard let (name, isChunked) = MemberName.decoded(entry.name) else {
        objects.setUnreadable(id, because: "it has a member with an impossible name")
        broken.insert(id)
        continue
      }
      if entry.mode == .symbolicLink, let target = try objects.bytes(entry.id, as: .blob),
        !DocumentItem.isWritable(name: name, linkTarget: target)
      {
        // The remedy is to restore another version, because this one can't be written anywhere.
        objects.setUnreadable(
          id, because: "it has a link that can’t be made; restore an earlier version")
        broken.insert(id)
        continue
      }
      switch try member(entry, depth: depth) {
      case .broken(let objects): broken.formUnion(objects)
      case .whole(let digest, let bytes, let files):
        members.append((try kind(of: entry, isChunked: isChunked), name, digest))
        // Trees that contain one another repeatedly can represent more bytes than can be counted.
        total = (total.bytes &+ bytes, total.files &+ files)
      }
    }
    let summary: Summary =
      broken.isEmpty
      ? .whole(
        digest: ContentDigest(ofMembers: members), bytes: total.bytes, files: total.files)
      : .broken(broken)
    summaries[id] = summary
    return summary
  }
}
