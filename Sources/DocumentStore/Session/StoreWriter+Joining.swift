internal import DocumentFiles
internal import DocumentGit

/// Joining what is one: heads that do not contradict each other, and documents.
extension StoreWriter {
  /// Joins heads between which there is nothing to decide, without asking.
  func joinUndisputed() throws {
    while let join = try UndisputedJoin(
      among: heads.divergent().map(\.record), in: reader.merging)
    {
      try settle(with: join.facts, parents: join.parents)
    }
  }

  /// Records further ids that the document is known by.
  func adopt(_ identity: DocumentIdentity) throws {
    guard reader.objects.identity != identity else { return }
    try SmallFile.replace(
      StoreFile.config.path(in: location.store),
      Array(StoreCreation.configuration(identity.section).utf8))
    reader.objects.adopt(identity)
  }

  /// Takes in all that the store of another document holds: this one is both from now on.
  ///
  /// The other store stays as it is. Done again, nothing changes.
  func takeAll(of other: StoreReader) throws {
    if try heads.base() != nil { try keepEdits(reader.document.copy()) }
    let groups = try other.trash.groups()
    try copyObjects(of: other, groups)
    let lost = reader.objects.lostVersions.union(other.objects.lostVersions)
    if lost != reader.objects.lostVersions {
      try SmallFile.replace(
        StoreFile.lostVersions.path(in: location.store), Array(LostVersions.text(lost).utf8))
    }
    try adopt(reader.objects.identity.joined(with: other.objects.identity))
    let plan = try chain.plan().joined(with: other.chain.plan())
    let all = try Set((heads.divergent() + other.heads.divergent()).map(\.record.id))
    let records = try reader.objects.maximalRecords(all).map(reader.record)
    try moveHeads(
      to: chain.build(plan, heads: records.sorted(by: Record.isPreferred).map(\.id)))
    let present = try Set(reader.trash.groups().flatMap(\.references.keys))
    for (name, target) in groups.flatMap(\.references) where !present.contains(name) {
      try reader.objects.repository.setReference(name, to: target, expecting: nil)
    }
    try reader.recordConflictVersions(Array(other.conflictVersions()))
    try joinUndisputed()
  }

  /// Copies what another store has and this one lacks, and what was removed from there and can be brought back.
  private func copyObjects(of other: StoreReader, _ groups: [TrashGroup]) throws {
    var contents = Array(try other.chain.contents().values)
    var heads = try other.heads.all().map(\.record.id)
    var wanted: Set<ObjectID> = []
    for group in groups {
      let removed = try other.trash.contents(of: group)
      heads += removed.heads
      contents += removed.contents.values
      wanted.formUnion(removed.contents.values.map(\.id))
    }
    let records = try other.objects.ancestry(of: heads + contents.map(\.record))
    wanted.formUnion(records.keys)
    var objects = ContentObjects()
    for record in contents.compactMap({ records[$0.record] }) {
      guard let content = record.content else { continue }
      try objects.add(content, of: other.objects.repository) {
        try reader.objects.repository.contains($0)
      }
    }
    let lacking = try wanted.filter { try !reader.objects.repository.contains($0) }.union(objects.lacking)
    try other.objects.repository.copy(
      lacking.sorted(), intoPacksOf: reader.objects.repository,
      advance: { _ in try reader.meter.advance(0) })
  }

  // MARK: The document on disk

  /// Writes the current version over a document that has no edits of its own.
  ///
  /// A document that was taken away is not brought back.
  func showCurrentVersion() throws {
    guard let head = try heads.divergent().first, !head.lacksContent else { return }
    let current = head.record
    let base = try heads.base()
    guard base?.id != current.id else { return }
    let present = try reader.document.copy()
    if base == nil, let present {
      guard let version = try version(with: present.content) else { return }
      try setBase(version)
      guard version.id != current.id else { return }
      // Nothing may be written over of which only this file is left.
      if try chain.content(of: version.id) == nil {
        try keep(present, as: .save, on: ArrivalCheck.Origin(base: version))
        try joinUndisputed()
      }
      try showCurrentVersion()
    } else if try base == nil || reader.document.shownVersion(present) != nil {
      try show(current, replacing: present)
    }
  }

  /// The latest version with some contents; nil where there is none.
  private func version(with content: DocumentContent) throws -> Record? {
    try reader.objects.ancestry(of: heads.divergent().map(\.record.id)).values
      .filter { content.isSame(as: $0.content) }.min(by: Record.isPreferred)
  }
}

extension ContentChain.Plan {
  /// The plan of a chain that holds what this one and another one hold.
  func joined(with other: ContentChain.Plan) -> ContentChain.Plan {
    let kept = kept.union(other.kept)
    return ContentChain.Plan(
      kept: kept, removed: removed.union(other.removed).subtracting(kept),
      marks: marks.merging(other.marks) { $0.union($1) },
      attached: attached.merging(other.attached) { own, others in
        own + others.filter { !own.contains($0) }
      })
  }
}
