internal import DocumentFiles
internal import DocumentGit
internal import DocumentStore

/// Versions whose contents are copied together, because each pack costs a wait for the disk, and a search in
/// every later read.
private struct ContentBatch {
  var versions: [Record] = []
  /// Further records, all of which have been read.
  var records: [ObjectID] = []
  var objects: Set<ObjectID> = []
  var bytes = 0

  /// True if it is large enough for a pack; with a larger one, a damaged object would cause more to be copied
  /// again.
  var isFull: Bool { objects.count >= 1_000 || bytes >= 64 << 20 }
}

/// Receiving the contents of versions that other devices published.
extension DocumentReceiver {
  /// Copies the contents of versions that are not here yet, many of them into one pack.
  ///
  /// A version that has not arrived completely, or can't be written here, is reported and doesn't stop the
  /// others.
  ///
  /// - Parameter records: records that are not here yet; without failures, they go into the same pack.
  /// - Returns: the versions that are now complete here.
  func copyContents(
    of versions: [Record], and records: [ObjectID] = [], _ reception: inout Reception
  ) throws -> Set<ObjectID> {
    var whole: Set<ObjectID> = []
    var rest = versions[...]
    var records = records
    while !rest.isEmpty {
      var batch = ContentBatch()
      batch.records = exchange(&records, with: [])
      while !batch.isFull, let record = rest.popFirst() {
        try reception.attempt(reader.location, from: peer) {
          try add(record, to: &batch)
        }
      }
      whole.formUnion(try copy(batch, &reception))
    }
    return whole
  }

  /// Adds a version and the missing objects of its content; adds nothing if the version is faulty.
  private func add(_ record: Record, to batch: inout ContentBatch) throws {
    // A separate set, because a half-copied version that is left out must not count as present for others.
    var objects = ContentObjects()
    if let expected = record.content {
      try objects.add(expected, of: peer.repository) {
        try batch.objects.contains($0) || isHere($0)
      }
    }
    batch.versions.append(record)
    batch.objects.formUnion(objects.lacking)
    batch.bytes += objects.lackingBytes
  }

  /// Copies the gathered objects; if some can't be read, copies half of the versions at a time.
  private func copy(
    _ batch: ContentBatch, _ reception: inout Reception
  ) throws -> Set<ObjectID> {
    let versions = batch.versions
    do {
      reception.bytes += try copy(Array(batch.objects), andRecords: batch.records)
    } catch let error as GitError where !error.isFromSystem {
      guard versions.count > 1 else {
        reception.record(peer.failure(error, of: reader.location.printable))
        return []
      }
      let half = versions.count / 2
      let parts = [Array(versions[..<half]), Array(versions[half...])]
      return try parts.reduce(into: []) { whole, part in
        whole.formUnion(try copyContents(of: part, &reception))
      }
    }
    var whole: Set<ObjectID> = []
    for record in versions {
      try reception.attempt(reader.location, from: peer) {
        try reader.contents.checkArrival(
          of: record, besides: reader.heads.all().compactMap(\.record.content),
          takingRepositories: reader.environment.takesRepositories)
        whole.insert(record.id)
      }
    }
    return whole
  }

  /// Returns the records whose contents are here but on no content chain, because a head was once received
  /// without its own contents.
  func lostContents(
    among known: [ObjectID: Record], besides plan: ContentChain.Plan
  ) throws -> Set<ObjectID> {
    guard try reader.heads.divergent().contains(where: \.lacksContent) else { return [] }
    let lost = try known.filter { id, record in
      guard let content = record.content, !plan.kept.contains(id), !plan.removed.contains(id),
        try reader.objects.repository.contains(content.tree)
      else { return false }
      return try ifReadable { try reader.objects.repository.checkWhole(content) } != nil
    }
    return Set(lost.keys)
  }
}
