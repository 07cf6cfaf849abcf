internal import DocumentFiles
internal import DocumentGit

/// Settling conflicts, and the rail rewritten for removals.
extension OpenStore {
  /// The record of a version that must be known here.
  func knownRecord(_ version: FileVersion) throws -> Record {
    let id = version.persistentIdentifier.objectID
    guard try repository.contains(id) else { throw location.lacks(version) }
    return try record(id)
  }

  /// The record of a version whose contents must be on this device.
  func localRecord(_ version: FileVersion) throws -> Record {
    let record = try knownRecord(version)
    guard try content(of: version) != nil else {
      throw VersionError(
        .contentsNotLocal, document: location.printable,
        message:
          "The contents of \(record.shortName) of “\(location.printable)” are not on this device.")
    }
    return record
  }

  /// A version as callers see it.
  func version(_ id: ObjectID, for store: VersionStore) throws -> FileVersion {
    let heads = try divergentHeads()
    let isHead = heads.dropFirst().contains { $0.record.id == id }
    return FileVersion(
      listed: ListedVersion(try record(id), content: try content(of: id)),
      listing: FileVersion.Listing(of: location.url, at: try indexState(), store: store),
      isUnresolved: isHead, isCurrent: heads.first?.record.id == id)
  }

  /// The current version as callers see it.
  func currentVersion(for store: VersionStore) throws -> FileVersion {
    try version(current().id, for: store)
  }

  /// Saves what is on disk and in no version yet.
  ///
  /// - Parameter change: what is taken back next; the version says so, and after a crash in between undoing goes on.
  /// - Returns: the version that it became; nil where there was nothing to save.
  @discardableResult
  func keepEdits(_ present: WorkingCopy?, toUndo change: Record? = nil) throws -> Record? {
    guard let present, try shownVersion(present) == nil else { return nil }
    return try keep(present, as: .save, toUndo: change)
  }

  /// Makes a version of the name that somebody gave the document since it was saved, so that it takes part in what comes
  /// next.
  func keepName(of present: WorkingCopy?) throws {
    guard let present, try isRenamed else { return }
    _ = try keep(present, as: .rename)
  }

  private func keep(
    _ present: WorkingCopy, as kind: VersionKind, toUndo change: Record? = nil
  ) throws -> Record {
    let base = try base()
    var facts = try facts(
      kind, following: base, content: present.content, modified: present.modified)
    facts.from = change?.id.description
    let record = try append(facts, to: base, of: present, isShown: true)
    try setBase(record)
    return record
  }

  /// Makes the one version that follows several heads: their conflict is settled with it.
  ///
  /// - Parameters:
  ///   - settled: the conflict versions.
  ///   - current: the version whose line is continued.
  ///   - kind: how they were settled.
  ///   - content: the contents; nil for a deletion.
  ///   - path: the document's path; that of the current version by default.
  ///   - from: the version that was chosen, where one was.
  ///   - removingOthers: leaves no other contents on this device.
  ///   - objects: the content's objects, not written yet.
  func settle(
    _ settled: [Record], under current: Record, kind: VersionKind, content: DocumentContent?,
    path: String? = nil, from: String? = nil, removingOthers: Bool = false,
    objects: [GitObject] = []
  ) throws -> Record {
    var facts = try facts(
      kind, following: current, content: content, modified: current.facts.modified)
    facts.from = from
    facts.path = path ?? current.facts.path
    if content != current.content { facts.modified = facts.date }
    return try settle(
      with: facts.later(than: [current] + settled), parents: [current] + settled,
      removingOthers: removingOthers, objects: objects)
  }

  /// Writes the record that several heads lead to, and makes it the head that stands for them.
  @discardableResult
  func settle(
    with facts: Record.Facts, parents: [Record], removingOthers: Bool = false,
    objects: [GitObject] = []
  ) throws -> Record {
    let (record, recordObject) = try Record.make(facts, parents: parents.map(\.id))
    let predecessors =
      removingOthers ? [] : try contents(upTo: parents).map(\.id)
    var marks = ContentCommit.Marks()
    marks.isAllRemoved = removingOthers
    var (newContent, contentObject) = try ContentCommit.make(
      for: record, predecessors: predecessors, marks: marks)
    contentObject.likeness = predecessors.first
    remember(record)
    if removingOthers { try keepInTrash() }
    let settled = Set(parents.map(\.id))
    let others = try divergentHeads().filter { !settled.contains($0.record.id) }
    var targets = Dictionary(others.map { ($0.record.id, $0.target) }, uniquingKeysWith: { $1 })
    targets[record.id] = newContent.id
    try moveHeads(
      to: [record.id] + others.map(\.record.id), targets: targets,
      objects: newObjects(objects, of: record.content?.tree, following: parents.first)
        + [recordObject, contentObject])
    return record
  }

  /// Writes a settling version over the document, unless that has edits of its own.
  ///
  /// - Parameter settled: the heads that were settled. A document that shows one of them moves on.
  func showIfClean(
    _ record: Record, shown: Record?, settling settled: [Head], replacing present: WorkingCopy?
  ) throws {
    guard let shown, settled.contains(where: { $0.record.id == shown.id }) else { return }
    try show(record, replacing: present)
  }

  /// Rewrites the rail to a plan; what it held before stays in the trash until it is collected.
  ///
  /// - Parameters:
  ///   - keepingTrash: false where the new rail holds everything that the old one held.
  ///   - objects: what the new rail needs beside its own commits.
  func rewriteRail(
    _ plan: RailPlan, keepingTrash: Bool = true, objects: [GitObject] = []
  ) throws {
    let heads = try allHeads()
    let records = heads.map(\.record.id)
    let built = try buildRail(plan, heads: records)
    if keepingTrash { try keepInTrash() }
    try moveHeads(to: built.heads, targets: built.targets, objects: objects + built.objects)
  }

  /// Keeps contents beside the current version, as a version that is in nobody's history.
  func attach(_ copy: WorkingCopy) throws -> Record {
    try attach(copy.content, modified: copy.modified, objects: copy.objects)
  }

  /// The same of contents that were put together.
  ///
  /// - Parameters:
  ///   - modified: when they were modified, in milliseconds since 1970.
  ///   - objects: what stores them.
  @discardableResult
  func attach(
    _ content: DocumentContent, modified: Int64, objects: [GitObject]
  ) throws -> Record {
    let current = try current()
    let (record, object) = try Record.make(
      facts(.add, following: current, content: content, modified: modified), parents: [])
    remember(record)
    var plan = try railPlan()
    plan.kept.insert(record.id)
    plan.attached[current.id, default: []].append(record.id)
    try rewriteRail(plan, keepingTrash: false, objects: objects + [object])
    return record
  }

  /// Drops every content but one version's.
  func removeAll(but current: Record) throws {
    guard let present = try content(of: current.id) else { return }
    var marks = present.marks
    // Versions whose contents are elsewhere have no predecessor here, but are listed all the same.
    let isAlone = present.predecessors.isEmpty && (marks.isAllRemoved || current.parents.isEmpty)
    guard !isAlone else { return }
    marks.isAllRemoved = true
    marks.removed = []
    let (content, object) = try ContentCommit.make(for: current, predecessors: [], marks: marks)
    try keepInTrash()
    try moveHeads(to: [current.id], targets: [current.id: content.id], objects: [object])
  }
}
