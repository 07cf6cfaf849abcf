internal import DocumentFiles
internal import DocumentGit

/// Lists the versions of a document as callers see them.
struct VersionList {
  private let reader: StoreReader

  init(_ reader: StoreReader) {
    self.reader = reader
  }

  /// The versions that were not removed, and what they are to each other.
  ///
  /// - Parameter most: the number of versions to list, the newest ones; `nil` for all.
  /// - Throws: ``VersionError`` with code `noVersions` if the first save did not finish.
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
    /// The first is the current version, the others are in a conflict with it.
    let heads: [ObjectID]
    /// The version that the document on disk shows.
    let shown: ObjectID?
    /// The latest version that all heads were made from, if there are several.
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
    // Those that are asked for by name may be older than what is listed.
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

  /// The versions of a document in no conflict, if the references, the ledger and the index agree, without reading a
  /// pack; `nil` if they do not.
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

  /// The version at a place in the list; `nil` if that takes the whole history.
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
    // What a repair gave up is in no list, but may be in the index.
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

  /// Every version of the history except those whose contents were removed here, the newest first.
  private func listedVersions(heads: [Head]) throws -> [ListedVersion] {
    let chain = try reader.chain.contents()
    var records = try reader.objects.ancestry(of: heads.map(\.record.id) + chain.keys)
    // Also by a resolution that is removed.
    let settled = settledVersions(among: records)
    for id in try reader.chain.removedRecords() where chain[id] == nil { records[id] = nil }
    return records.values
      .map {
        ListedVersion($0, content: chain[$0.id], isSettled: settled.contains($0.id))
      }
      .sorted { $0.isListed(before: $1) }
  }

  /// Every version that a resolution settled a conflict of, but did not continue: on whatever device.
  private func settledVersions(among records: [ObjectID: Record]) -> Set<ObjectID> {
    records.values.reduce(into: []) { settled, record in
      guard record.facts.isResolution else { return }
      settled.formUnion(record.parents.dropFirst())
    }
  }

  // MARK: The index

  private var index: VersionIndex { VersionIndex(in: reader.location.store) }

  /// The answer of the index; `nil` if there is no index that can be read.
  private func indexed<Answer>(_ ask: (VersionIndex) throws -> Answer?) -> Answer? {
    do {
      return try ask(index)
    } catch {
      // A cache that can't be read counts as missing.
      return nil
    }
  }

  /// Writes the whole index, unless another process changes the store just now.
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
