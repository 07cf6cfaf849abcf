internal import DocumentFiles
internal import DocumentGit

/// Lists the versions of a document as callers see them.
struct VersionList {
  private let reader: StoreReader

  init(_ reader: StoreReader) {
    self.reader = reader
  }

  /// Returns the versions that were not removed, and the relations between them.
  ///
  /// - Parameter most: the number of newest versions to list; `nil` for all.
  /// - Throws: ``VersionError`` with code `noVersions` if the first save didn't finish.
  func history(newest most: Int? = nil) throws -> DocumentHistory {
    if let (listing, outline) = try indexedListing(newest: most) {
      return try history(of: listing, outline)
    }
    let heads = try reader.heads.divergent()
    guard !heads.isEmpty else { throw reader.location.noVersionsHere }
    let state = try reader.heads.state()
    let outline = Outline(
      state: state, heads: heads.map(\.record.id), shown: try reader.heads.baseIdentifier(),
      base: try reader.merging.conflictBase(heads)?.id)
    return try history(of: listing(newest: most, at: state, heads: heads), outline)
  }

  /// The relations between versions.
  private struct Outline {
    let state: ReferenceDigest
    /// The heads: first the current version, then those in conflict with it.
    let heads: [ObjectID]
    /// The version that the document on disk shows.
    let shown: ObjectID?
    /// The latest common ancestor of all heads, if there are several.
    let base: ObjectID?
  }

  private func history(
    of listing: VersionIndex.Listing, _ outline: Outline
  ) throws -> DocumentHistory {
    let current = outline.heads.first
    let unresolved = Set(outline.heads.dropFirst())
    let shared = FileVersion.Listing(
      of: reader.location.url, at: outline.state, environment: reader.environment)
    let conflictVersions = try reader.conflictVersions()
    func version(_ listed: ListedVersion) -> FileVersion {
      var listed = listed
      if conflictVersions.contains(listed.id) { listed.flags.insert(.settled) }
      return FileVersion(
        listed: listed, listing: shared, isUnresolved: unresolved.contains(listed.id),
        isCurrent: listed.id == current)
    }
    let versions = listing.versions.map(version)
    // Versions that are requested by name may be older than the listed ones.
    func version(_ id: ObjectID?) throws -> FileVersion? {
      guard let id else { return nil }
      let wanted = FileVersion.PersistentIdentifier(id)
      if let listed = versions.first(where: { $0.persistentIdentifier == wanted }) { return listed }
      guard versions.count < listing.count else { return nil }
      return try version(ListedVersion(reader.record(id), content: reader.chain.content(of: id)))
    }
    return DocumentHistory(
      document: reader.location.url, documentIdentifier: reader.documentIdentifier.description,
      versions: versions,
      count: listing.count, current: try version(current),
      unresolvedConflicts: try unresolved.compactMap(version)
        .sorted { ($0.savingDate, $0.id.description) > ($1.savingDate, $1.id.description) },
      shown: try version(outline.shown), conflictBase: try version(outline.base))
  }

  /// Returns the versions of a document that is not in conflict, without reading a pack; `nil` if the
  /// references, the ledger and the index don't agree.
  private func indexedListing(
    newest most: Int?
  ) throws -> (listing: VersionIndex.Listing, outline: Outline)? {
    guard let head = try reader.heads.onlyHead(),
      let listing = indexed({ try $0.newest(most, at: head.state) }),
      let newest = listing.versions.first, newest.id == head.record,
      newest.content ?? newest.id == head.target
    else { return nil }
    let shown: ObjectID? =
      switch try reader.heads.repositoryHead() {
      case .detached(let id): id
      case .attached(let name): head.name == name ? newest.id : nil
      }
    return (listing, Outline(state: head.state, heads: [newest.id], shown: shown, base: nil))
  }

  /// Returns the version at a place in the list; `nil` if finding it takes the whole history.
  func version(at wanted: ListedPlace.Wanted) throws -> FileVersion? {
    guard let head = try reader.heads.onlyHead(),
      let found = indexed({
        try $0.version(at: ListedPlace(head: head.record, wanted: wanted), state: head.state)
      })
    else { return nil }
    var listed = found
    if try reader.conflictVersions().contains(found.id) { listed.flags.insert(.settled) }
    return FileVersion(
      listed: listed,
      listing: FileVersion.Listing(
        of: reader.location.url, at: head.state, environment: reader.environment),
      isUnresolved: false, isCurrent: found.id == head.record)
  }

  private func listing(
    newest most: Int?, at state: ReferenceDigest, heads: [Head]
  ) throws -> VersionIndex.Listing {
    // Versions that a repair gave up are in no list, but may be in the index.
    if reader.objects.lostVersions.isEmpty,
      let listing = indexed({ try $0.newest(most, at: state) })
    {
      return listing
    }
    let versions = try listedVersions(heads: heads)
    tidyUp { try writeIndex(versions, at: state) }
    return VersionIndex.Listing(
      versions: Array(versions.prefix(most ?? .max)), count: versions.count)
  }

  /// Returns every version of the history, newest first, except those whose contents were removed here.
  private func listedVersions(heads: [Head]) throws -> [ListedVersion] {
    let chain = try reader.chain.contents()
    var records = try reader.objects.ancestry(of: heads.map(\.record.id) + chain.keys)
    // This includes removed resolutions.
    let settled = settledVersions(among: records)
    for id in try reader.chain.removedRecords() where chain[id] == nil { records[id] = nil }
    return records.values
      .map {
        ListedVersion($0, content: chain[$0.id], isSettled: settled.contains($0.id))
      }
      .sorted { $0.isListed(before: $1) }
  }

  /// Returns every version whose conflict was resolved, on any device, without continuing the version.
  private func settledVersions(among records: [ObjectID: Record]) -> Set<ObjectID> {
    records.values.reduce(into: []) { settled, record in
      guard record.facts.isResolution else { return }
      settled.formUnion(record.parents.dropFirst())
    }
  }

  // MARK: The index

  private var index: VersionIndex { VersionIndex(in: reader.location.store) }

  /// Returns the answer of the index; `nil` if there is no readable index.
  private func indexed<Answer>(_ ask: (VersionIndex) throws -> Answer?) -> Answer? {
    do {
      return try ask(index)
    } catch {
      // An unreadable cache counts as missing.
      return nil
    }
  }

  /// Writes the whole index, unless another process is changing the store.
  private func writeIndex(
    _ versions: [ListedVersion], at state: ReferenceDigest
  ) throws {
    guard versions.count >= VersionIndex.fewest, !reader.objects.areResting else { return }
    guard !reader.isExclusive else { return try index.write(versions, at: state) }
    let lock = try reader.location.lockStore(waitingAtMost: 0)
    if try ReferenceDigest(reader.heads.references()) == state {
      try index.write(versions, at: state)
    }
    lock.releaseAsFound()
  }
}
