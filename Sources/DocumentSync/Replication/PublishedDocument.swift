internal import DocumentFiles
internal import DocumentGit
internal import DocumentStore
internal import SystemPackage

/// A document as a device has published it on a peer.
struct PublishedDocument: Equatable, Sendable {
  /// The records of its heads.
  var heads: Set<ObjectID> = []
  /// The content chain as it was published; nil if that is not known.
  var chain: ObjectID?
  /// The published content of the version that was published last.
  var newest: ObjectID?
  /// Its path on the device.
  var path: String?
  /// The other ids that the device knows it by.
  var aliases: [String] = []

  /// Compares the bytes of paths, because strings with different compositions of a character are equal.
  static func == (left: Self, right: Self) -> Bool {
    left.heads == right.heads && left.chain == right.chain && left.newest == right.newest
      && left.path.hasBytes(of: right.path) && left.aliases == right.aliases
  }
}

/// The known contents of a document on a peer, in addition to those in this device's last state there.
struct PublishedContents {
  /// The published contents of the versions that other devices published last; all their objects are there.
  var newestOfOthers: Set<ObjectID> = []
  /// The versions whose contents other devices have published since the last exchange.
  var arrived: Set<ObjectID> = []
  /// All versions whose contents are published, by this device and by others; computed on demand.
  var all: () throws -> (own: Set<ObjectID>, others: Set<ObjectID>)
}

/// The news of a document that a device publishes: the records, contents and state since its last state.
struct Publication: Sendable {
  let identifier: String
  /// The state from now on.
  var state: PublishedDocument
  /// The document in the tree of the device's branch; nil if it is deleted or not here.
  let entry: Tree.Entry?
  /// The heads that were not published before; their records are sent as parents of the device's state.
  let newHeads: [CommitDate]
  /// The commits that carry the contents.
  let transports: [TransportCommit]
  /// The number of versions that the peer lacked, or whose contents it lacked.
  let versions: Int
  /// The versions whose contents this device has published and no longer keeps.
  let withdrawn: Set<ObjectID>
  /// True if some of these were removed from every device, and so leave the peer as soon as possible.
  let isWithdrawalUrgent: Bool
}

/// Determines what a device publishes of a document, and gathers the objects.
struct Publishing {
  let reader: StoreReader
  let peer: PeerObjects

  /// - Parameters:
  ///   - former: the document's entry in this device's last state on the peer; nil if there is none.
  ///   - contents: the other contents that are known to be there.
  ///   - batch: receives the objects that the peer lacks.
  func publish(
    after former: PublishedDocument?, _ contents: PublishedContents, into batch: ObjectBatch
  ) throws -> Publication {
    let heads = try reader.heads.divergent()
    let chain = ChainState(try reader.heads.all().map { ($0.name, $0.target) }).identifier
    let records = try newRecords(of: heads, after: former)
    let known = try former.flatMap { try newContents(since: $0, upTo: heads, records) }
    let all = try known == nil ? contents.all() : (own: [], others: [])
    let held = try known ?? reader.chain.contents()
    let isHead = Set(heads.map(\.record.id))
    let wanted = try held.values.filter { content in
      try isPublished(content, heads: isHead)
        && !contents.arrived.contains(content.record)
        && !all.own.contains(content.record) && !all.others.contains(content.record)
    }.map { try reader.record($0.record) }
      .filter { $0.content != nil }
      .sorted { ($0.facts.date, $0.id) < ($1.facts.date, $1.id) }

    var objects = ContentObjects()
    let there =
      try wanted.isEmpty ? [] : objectsThere(contents, all.own.union(all.others), former)
    var newest = former?.newest
    var transports: [TransportCommit] = []
    var commits: [GitObject] = []
    for record in wanted {
      guard let content = record.content else { continue }
      try reader.meter.advance(0)
      try objects.add(content, of: reader.objects.repository) { there.contains($0) }
      let (published, transport, new) = try TransportCommit.make(for: record, after: newest)
      newest = published
      transports.append(transport)
      commits += new
    }
    let missing = try records.filter { try !peer.has($0) }
    if !missing.isEmpty, try !peer.has(.emptyTree) {
      commits.append(GitObject(.tree, []))
    }
    try batch.add(
      Array(objects.lacking.subtracting([.emptyTree])) + missing.sorted(),
      size: objects.lackingBytes, and: commits, of: reader.objects.repository,
      to: peer.repository, advance: { try reader.meter.advance($0) })
    var state = PublishedDocument()
    state.heads = isHead
    state.chain = chain
    state.newest = newest
    state.path = reader.location.path
    state.aliases = reader.objects.identity.aliases.map(\.description)
    // Contents that are merely missing here stay there, because the document may have left this device and
    // come back.
    let missingHere = all.own.subtracting(held.keys)
    let everywhere = try missingHere.isEmpty ? [] : reader.withdrawnVersions()
    let removed = try missingHere.isEmpty ? [] : reader.chain.removedRecords()
    let withdrawn = missingHere.intersection(removed.union(everywhere))
    let isUrgent = !withdrawn.isDisjoint(with: everywhere)
    return Publication(
      identifier: reader.documentIdentifier.description, state: state, entry: try entry(heads),
      newHeads: heads.map(\.record).filter { former?.heads.contains($0.id) != true }
        .map { CommitDate($0) },
      transports: transports,
      versions: Set(missing).union(wanted.map(\.id)).count,
      withdrawn: withdrawn, isWithdrawalUrgent: isUrgent)
  }

  /// Returns whether a device publishes the contents of a version; it publishes the records of all versions.
  ///
  /// It publishes those of heads, and of all versions that were kept on purpose, but not of discardable ones.
  private func isPublished(_ content: ContentCommit, heads: Set<ObjectID>) throws -> Bool {
    let record = try reader.record(content.record)
    return heads.contains(record.id) || content.marks.isPinned
      || !content.marks.isDiscardable && record.facts.discardable != true
  }

  /// Returns the records of heads and their ancestors that this device has not published.
  private func newRecords(
    of heads: [Head], after former: PublishedDocument?
  ) throws -> Set<ObjectID> {
    let published = former?.heads ?? []
    let known = try published.filter { try reader.objects.repository.contains($0) }
    let found = try reader.objects.ancestry(of: heads.map(\.record.id)) { record in
      record.parents.filter { !known.contains($0) }
    }
    let new = Set(found.keys).subtracting(known)
    // A merge leads past published versions to their ancestors.
    let newest = try known.map { try reader.record($0).facts.date }.max()
    guard let newest, found.values.contains(where: { $0.facts.date < newest }) else { return new }
    return new.subtracting(try reader.objects.ancestry(of: known).keys)
  }

  /// Returns the contents that were added since the last state; nil if others were removed or have come back.
  private func newContents(
    since former: PublishedDocument, upTo heads: [Head], _ records: Set<ObjectID>
  ) throws -> [ObjectID: ContentCommit]? {
    guard let chain = former.chain, heads.count == 1, former.heads.count == 1,
      let end = heads[0].content, try reader.heads.all().count == 1
    else { return nil }
    var found: [ObjectID: ContentCommit] = [:]
    var pending = [end]
    var isReached = false
    while let next = pending.popLast() {
      if next.id == chain {
        isReached = true
        continue
      }
      guard records.contains(next.record), found.updateValue(next, forKey: next.record) == nil
      else { return nil }
      pending += try next.predecessors.map(reader.objects.content)
    }
    return isReached ? found : nil
  }

  /// Returns the trees and files that are certain to stay on the peer, because they belong to versions
  /// published there.
  ///
  /// Other objects there may be removed, because another device may have withdrawn them.
  private func objectsThere(
    _ contents: PublishedContents, _ versions: Set<ObjectID>, _ former: PublishedDocument?
  ) throws -> Set<ObjectID> {
    var trees: Set<ObjectID> = []
    for content in contents.newestOfOthers.union([former?.newest].compactMap { $0 }) {
      if let commit = try ifReadable({ try peer.repository.commit(content) }) {
        trees.insert(commit.tree)
      }
    }
    for version in versions.union(contents.arrived)
    where try reader.objects.repository.contains(version) {
      if let tree = try reader.record(version).content?.tree { trees.insert(tree) }
    }
    var found: Set<ObjectID> = []
    for tree in trees { _ = try peer.hasAll(of: tree, adding: &found) }
    return found
  }

  /// Returns the current version as an entry of the branch's tree; nil if its contents aren't here.
  private func entry(_ heads: [Head]) throws -> Tree.Entry? {
    guard let head = heads.first, !head.lacksContent, let content = head.record.content,
      let name = reader.location.path.pathNames().last
    else { return nil }
    if content.isPackage {
      return Tree.Entry(
        mode: .folder, name: MemberName.encoded(Array(name.utf8), isChunked: false),
        id: content.tree)
    }
    guard let file = try reader.objects.repository.tree(content.tree).entries.first,
      let (_, isChunked) = MemberName.decoded(file.name)
    else { return nil }
    return Tree.Entry(
      mode: file.mode, name: MemberName.encoded(Array(name.utf8), isChunked: isChunked),
      id: file.id)
  }
}

/// The references of a document's heads as one id.
struct ChainState {
  /// The target of the only reference, or a digest of several.
  let identifier: ObjectID?

  init(_ references: [(name: String, target: ObjectID)]) {
    switch references.count {
    case 0: identifier = nil
    case 1: identifier = references[0].target
    default:
      let lines = references.map { "\($0.name) \($0.target)\n" }.sorted().joined()
      identifier = ObjectID(of: .blob, Array(lines.utf8))
    }
  }

  /// Reads the references of a store; nil if they have to be read by its reader.
  init?(of store: FilePath) throws {
    let folder = StoreFile.heads.path(in: store)
    guard try FileStatus.of(folder)?.kind == .folder,
      try FileStatus.of(StoreFile.packedReferences.path(in: store)) == nil
    else { return nil }
    var references: [(name: String, target: ObjectID)] = []
    for name in try Folder.names(in: folder) {
      guard HeadName.isValid(last: name),
        let bytes = try SmallFile.read(folder.appending(bytes: name), limit: 64),
        let target = ObjectID(hexadecimal: bytes.prefix(40))
      else { return nil }
      references.append((HeadName.prefix + String(decoding: name, as: UTF8.self), target))
    }
    self.init(references)
  }
}
