internal import DocumentGit
internal import Foundation

/// From records to the versions that callers see.
extension OpenStore {
  /// All versions that were not removed, and what they are to each other.
  func history(for store: VersionStore) throws -> DocumentHistory {
    let heads = try divergentHeads()
    let rail = try rail()
    let listed = try listedRecords(heads: heads, rail: rail)
    let conflicts = try conflictVersions(heads: heads, among: listed)
    let unresolved = Set(heads.dropFirst().map(\.record.id))
    let versions = listed.values.sorted {
      $0.facts.date != $1.facts.date ? $0.facts.date > $1.facts.date : $0.id > $1.id
    }.map { record in
      FileVersion(
        record, in: location, store: store, content: rail[record.id],
        isCurrent: record.id == heads.first?.record.id,
        isConflict: conflicts.contains(record.id), isResolved: !unresolved.contains(record.id))
    }
    func version(_ id: ObjectID?) -> FileVersion? {
      versions.first { $0.persistentIdentifier == id.map(FileVersion.PersistentIdentifier.init) }
    }
    return DocumentHistory(
      document: location.url, documentIdentifier: documentIdentifier, versions: versions,
      shown: version(try baseIdentifier()), conflictBase: version(try conflictBase(heads)?.id))
  }

  /// Every record of the history except those whose contents were removed here.
  private func listedRecords(
    heads: [Head], rail: [ObjectID: ContentCommit]
  ) throws -> [ObjectID: Record] {
    var records = try ancestry(of: heads.map(\.record.id) + rail.keys)
    for id in try removedRecords() where rail[id] == nil { records[id] = nil }
    return records
  }

  /// The heads that are not current, and every version that a resolution settled.
  private func conflictVersions(heads: [Head], among records: [ObjectID: Record]) throws -> Set<
    ObjectID
  > {
    var conflicts = Set(heads.dropFirst().map(\.record.id))
    for record in records.values where [.resolve, .merge].contains(record.facts.kind) {
      conflicts.formUnion(record.parents.dropFirst())
    }
    return conflicts
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
}

extension FileVersion {
  init(
    _ record: Record, in location: DocumentLocation, store: VersionStore, content: ContentCommit?,
    isCurrent: Bool, isConflict: Bool, isResolved: Bool
  ) {
    let facts = record.facts
    persistentIdentifier = PersistentIdentifier(record.id)
    documentURL = location.url
    kind = facts.kind
    localizedName = ContainerPath.name(of: facts.path)
    path = facts.path
    modificationDate = Date(timeIntervalSince1970: Double(facts.modified) / 1_000)
    savingDate = Date(timeIntervalSince1970: Double(facts.date) / 1_000)
    author = facts.author
    savingDevice = facts.device
    note = facts.note
    size = facts.bytes
    fileCount = facts.files
    isPackage = facts.package ?? false
    isDeletion = facts.content == nil
    parents = record.parents.map(PersistentIdentifier.init)
    self.isCurrent = isCurrent
    self.isConflict = isConflict
    self.isResolved = isResolved
    isDiscardable = (facts.discardable ?? false) || (content?.marks.isDiscardable ?? false)
    isPinned = content?.marks.isPinned ?? false
    hasLocalContents = content != nil
    self.store = store
  }
}
