internal import DocumentGit

/// From records to the versions that callers see.
extension OpenStore {
  /// The versions that were not removed, and what they are to each other.
  ///
  /// - Parameter most: lists no more than so many, the newest; nil for all.
  func history(for store: VersionStore, newest most: Int? = nil) throws -> DocumentHistory {
    let heads = try divergentHeads()
    let state = try indexState()
    let listing = try listing(newest: most, at: state, heads: heads)
    let current = heads.first?.record.id
    let unresolved = Set(heads.dropFirst().map(\.record.id))
    func version(_ listed: ListedVersion) -> FileVersion {
      FileVersion(
        listed, in: location, store: store, isCurrent: listed.id == current,
        isUnresolved: unresolved.contains(listed.id), at: state)
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
      unresolvedConflicts: try heads.dropFirst().compactMap { try version($0.record.id) }
        .sorted { ($0.savingDate, $0.id.description) > ($1.savingDate, $1.id.description) },
      shown: try version(baseIdentifier()), conflictBase: try version(conflictBase(heads)?.id))
  }

  private func listing(
    newest most: Int?, at state: VersionIndex.State, heads: [Head]
  ) throws -> VersionIndex.Listing {
    // What a repair gave up is in no list, but may be in the index.
    if lostVersions.isEmpty, let listing = try versionIndex.newest(most, at: state) {
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

  var versionIndex: VersionIndex { VersionIndex(in: location.store) }

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
