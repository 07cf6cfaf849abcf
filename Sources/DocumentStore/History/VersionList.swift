internal import DocumentGit

/// From records to the versions that callers see.
extension OpenStore {
  /// The versions that were not removed, and what they are to each other.
  ///
  /// - Parameter most: lists no more than so many, the newest; nil for all.
  /// - Throws: ``VersionError`` with code `noVersions` where the first save did not come to its end.
  func history(for store: VersionStore, newest most: Int? = nil) throws -> DocumentHistory {
    if let (listing, outline) = try indexedListing(newest: most) {
      return try history(of: listing, outline, for: store)
    }
    let heads = try divergentHeads()
    guard !heads.isEmpty else { throw location.noVersionsHere }
    let state = try indexState()
    let outline = Outline(
      state: state, heads: heads.map(\.record.id), shown: try baseIdentifier(),
      base: try conflictBase(heads)?.id)
    return try history(of: listing(newest: most, at: state, heads: heads), outline, for: store)
  }

  /// What versions are to each other.
  private struct Outline {
    let state: VersionIndex.State
    /// The first is the current version, the others are in a conflict with it.
    let heads: [ObjectID]
    /// What the document on disk shows.
    let shown: ObjectID?
    /// The latest version that all heads were made from, where there are several.
    let base: ObjectID?
  }

  private func history(
    of listing: VersionIndex.Listing, _ outline: Outline, for store: VersionStore
  ) throws -> DocumentHistory {
    let current = outline.heads.first
    let unresolved = Set(outline.heads.dropFirst())
    let shared = FileVersion.Listing(of: location.url, at: outline.state, store: store)
    func version(_ listed: ListedVersion) -> FileVersion {
      FileVersion(
        listed: listed, listing: shared, isUnresolved: unresolved.contains(listed.id),
        isCurrent: listed.id == current)
    }
    let versions = listing.versions.map(version)
    // Those that are asked for by name may be older than what is listed.
    func version(_ id: ObjectID?) throws -> FileVersion? {
      guard let id else { return nil }
      let wanted = FileVersion.PersistentIdentifier(id)
      if let listed = versions.first(where: { $0.persistentIdentifier == wanted }) { return listed }
      guard versions.count < listing.count else { return nil }
      return try version(ListedVersion(record(id), content: content(of: id)))
    }
    return DocumentHistory(
      document: location.url, documentIdentifier: documentIdentifier, versions: versions,
      count: listing.count, current: try version(current),
      unresolvedConflicts: try unresolved.compactMap(version)
        .sorted { ($0.savingDate, $0.id.description) > ($1.savingDate, $1.id.description) },
      shown: try version(outline.shown), conflictBase: try version(outline.base))
  }

  /// The versions of a document in no conflict by what the references, the ledger and the index say alike, without a
  /// look into a pack; nil where they do not.
  private func indexedListing(
    newest most: Int?
  ) throws -> (listing: VersionIndex.Listing, outline: Outline)? {
    guard let head = try notedHead(),
      let listing = indexed({ try $0.newest(most, at: head.state) }),
      let newest = listing.versions.first, newest.id == head.record,
      newest.content ?? newest.id == head.target
    else { return nil }
    let shown: ObjectID? =
      switch try repositoryHead() {
      case .detached(let id): id
      case .attached(let name): head.name == name ? newest.id : nil
      }
    return (listing, Outline(state: head.state, heads: [newest.id], shown: shown, base: nil))
  }

  /// The version at a place in the list; nil where only the whole history tells.
  func version(at wanted: ListedPlace.Wanted, for store: VersionStore) throws -> FileVersion? {
    guard let head = try notedHead(),
      let found = indexed({
        try $0.version(at: ListedPlace(head: head.record, wanted: wanted), state: head.state)
      })
    else { return nil }
    return FileVersion(
      listed: found,
      listing: FileVersion.Listing(of: location.url, at: head.state, store: store),
      isUnresolved: false, isCurrent: found.id == head.record)
  }

  /// The one head of a document in no conflict, by what the references and the ledger say alike; nil where they do not.
  private func notedHead() throws -> (
    name: String, target: ObjectID, record: ObjectID, state: VersionIndex.State
  )? {
    let references = try headReferences()
    guard lostVersions.isEmpty, references.count == 1, let (name, target) = references.first,
      let noted = try ledgerTail()?.heads, noted.count == 1, noted[0].target == target
    else { return nil }
    return (name, target, noted[0].record, VersionIndex.State(references))
  }

  private func listing(
    newest most: Int?, at state: VersionIndex.State, heads: [Head]
  ) throws -> VersionIndex.Listing {
    // What a repair gave up is in no list, but may be in the index.
    if lostVersions.isEmpty, let listing = indexed({ try $0.newest(most, at: state) }) {
      return listing
    }
    let versions = try listedVersions(heads: heads)
    tidyUp { try writeIndex(versions, at: state) }
    return VersionIndex.Listing(
      versions: Array(versions.prefix(most ?? .max)), count: versions.count)
  }

  /// Every version of the history except those whose contents were removed here, the newest first.
  private func listedVersions(heads: [Head]) throws -> [ListedVersion] {
    let rail = try rail()
    var records = try ancestry(of: heads.map(\.record.id) + rail.keys)
    for id in try removedRecords() where rail[id] == nil { records[id] = nil }
    let settled = settledVersions(among: records)
    return records.values
      .map {
        ListedVersion($0, content: rail[$0.id], isSettled: settled.contains($0.id))
      }
      .sorted { $0.isListed(before: $1) }
  }

  /// Every version that a resolution settled a conflict of, but did not continue.
  private func settledVersions(among records: [ObjectID: Record]) -> Set<ObjectID> {
    records.values.reduce(into: []) { settled, record in
      guard record.facts.isResolution else { return }
      settled.formUnion(record.parents.dropFirst())
    }
  }

  /// The latest version that all divergent heads were made from.
  func conflictBase(_ heads: [Head]) throws -> Record? {
    guard heads.count > 1 else { return nil }
    var common = try mergeAncestry(of: [heads[0].record.id])
    for head in heads.dropFirst() {
      let other = try mergeAncestry(of: [head.record.id])
      common = common.filter { other[$0.key] != nil }
    }
    return common.values.max { Record.isPreferred($1, to: $0) }
  }

  // MARK: The index

  private var versionIndex: VersionIndex { VersionIndex(in: location.store) }

  /// What the index answers; nil where there is none, or none that can be read.
  private func indexed<Answer>(_ ask: (VersionIndex) throws -> Answer?) -> Answer? {
    do {
      return try ask(versionIndex)
    } catch {
      // A cache that can't be read is none.
      return nil
    }
  }

  /// What the index goes by: what the references are at now.
  func indexState() throws -> VersionIndex.State {
    VersionIndex.State(
      Dictionary(
        try allHeads().map { ($0.name, $0.target) }, uniquingKeysWith: { first, _ in first }))
  }

  /// Notes a version that was just saved.
  ///
  /// - Parameter former: the heads before; nil where there were none.
  func noteVersion(
    _ record: Record, _ content: ContentCommit, after former: VersionIndex.State?
  ) throws {
    // A resolution changes what other versions are.
    guard !record.facts.isResolution else { return }
    try versionIndex.append(
      ListedVersion(record, content: content), after: former, at: indexState())
  }
}

extension Record.Facts {
  /// Whether the version settled a conflict: all that it was made from but the first were sides of it.
  var isResolution: Bool { [.resolve, .merge].contains(kind) }
}
