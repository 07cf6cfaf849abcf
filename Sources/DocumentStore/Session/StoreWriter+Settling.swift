internal import DocumentFiles
package import DocumentGit

/// Settling conflicts, keeping edits, and rewriting the content chain.
extension StoreWriter {
  // MARK: Edits on disk

  /// Saves the contents on disk that are in no version yet.
  ///
  /// - Parameters:
  ///   - change: the change to undo next; the version names it, so undoing continues after a crash in between.
  ///   - isWrittenOver: whether the document is written over next, in which case contents that were written
  ///     back and are already in a version need no other one.
  /// - Returns: the version that was made of the edits; `nil` if there was nothing to save.
  @discardableResult
  package func keepEdits(
    _ present: WorkingCopy?, toUndo change: Record? = nil, isWrittenOver: Bool = false
  ) throws -> Record? {
    guard let present, try reader.document.shownVersion(present) == nil else { return nil }
    let origin = try ArrivalCheck.origin(of: present, on: heads.base(), in: reader)
    if try isWrittenOver && origin.isKept(present, in: chain) { return nil }
    if let base = origin.base, origin.missed == nil, present.content.isSame(as: base.content) {
      try setBase(base)
      return nil
    }
    return try keep(present, as: .save, on: origin, toUndo: change)
  }

  /// Makes a version of the name that the document got outside docversions since its last save, so that later
  /// operations consider the name.
  package func keepName(of present: WorkingCopy?) throws {
    guard let present, try reader.document.isRenamed else { return }
    try keep(present, as: .rename, on: ArrivalCheck.Origin(base: heads.base()))
  }

  /// Makes a version of the contents on disk.
  @discardableResult
  func keep(
    _ present: WorkingCopy, as kind: VersionKind, on origin: ArrivalCheck.Origin,
    toUndo change: Record? = nil
  ) throws -> Record {
    var facts = try reader.facts(
      kind, following: origin.missed ?? origin.base, content: present.content,
      modified: present.modified)
    facts.from = change?.id.description
    facts.missed = origin.missed?.id.description
    if let permissions = present.permissions { facts.permissions = permissions }
    let record = try append(facts, to: origin.base, of: present, isShown: true)
    try setBase(record)
    origin.forgetArrivals(in: location.store)
    return record
  }

  // MARK: Conflicts

  /// Makes a version that follows several heads and so resolves their conflict.
  ///
  /// - Parameters:
  ///   - heads: the versions in conflict; the line of the first one continues.
  ///   - kind: the way in which they are resolved.
  ///   - content: the contents; `nil` for a deletion.
  ///   - path: the document's path; that of the first version by default.
  ///   - from: the chosen version, if there is one.
  ///   - answers: the answers that were given.
  ///   - isAutomatic: whether no person resolves it, so that every device makes the same version.
  ///   - removingOthers: whether to remove all other contents from this device.
  ///   - objects: the content's unwritten objects.
  package func settle(
    _ heads: [Record], kind: VersionKind, content: DocumentContent?, path: String? = nil,
    from: String? = nil, answers: [GivenAnswer] = [], isAutomatic: Bool = false,
    removingOthers: Bool = false, objects: [GitObject] = []
  ) throws -> Record {
    var facts = try reader.facts(
      kind, following: heads[0], content: content, modified: heads[0].facts.modified)
    if isAutomatic { facts.takeOrigin(from: heads[0].facts) }
    facts.from = from
    facts.answers = answers.isEmpty ? nil : Array(answers.prefix(GivenAnswer.most))
    facts.path = path ?? heads[0].facts.path
    if content != heads[0].content { facts.modified = facts.date }
    facts.permissions = RecordedPermissions.allowed(by: heads)
    return try settle(
      with: facts.later(than: heads), parents: heads, removingOthers: removingOthers,
      objects: objects)
  }

  /// Writes a record that joins several heads, and makes it the head that replaces them.
  @discardableResult
  package func settle(
    with facts: Record.Facts, parents: [Record], removingOthers: Bool = false,
    objects: [GitObject] = []
  ) throws -> Record {
    let (record, recordObject) = try Record.make(facts, parents: parents.map(\.id))
    let predecessors = removingOthers ? [] : try chain.contents(upTo: parents).map(\.id)
    var marks = ContentCommit.Marks()
    marks.isAllRemoved = removingOthers
    var (newContent, contentObject) = try ContentCommit.make(
      for: record, predecessors: predecessors, marks: marks)
    contentObject.likeness = predecessors.first
    reader.objects.remember(record)
    if removingOthers { try keepInTrash() }
    let others = try heads.divergent().filter { !parents.map(\.id).contains($0.record.id) }
    var targets = Dictionary(others.map { ($0.record.id, $0.target) }, uniquingKeysWith: { $1 })
    targets[record.id] = newContent.id
    try moveHeads(
      to: [record.id] + others.map(\.record.id), targets: targets,
      objects: NewObjects(in: reader).among(
        objects, of: record.content?.tree, following: parents.first)
        + [recordObject, contentObject])
    return record
  }

  // MARK: The content chain

  /// Rewrites the content chain to a plan; its former contents stay in the trash until they are collected.
  ///
  /// - Parameters:
  ///   - keepingTrash: false if the new chain holds everything that the old one held.
  ///   - objects: the objects that the new chain needs in addition to its own commits.
  func rewriteChain(
    _ plan: ContentChain.Plan, keepingTrash: Bool = true, objects: [GitObject] = []
  ) throws {
    let built = try chain.build(plan, heads: heads.all().map(\.record.id))
    if keepingTrash { try keepInTrash() }
    try moveHeads(to: built, objects: objects)
  }

  /// Keeps the present chain reachable, as a removal that is later than all others.
  func keepInTrash() throws {
    let date = try reader.trash.nextDate(at: reader.milliseconds)
    for target in try Set(heads.all().map(\.target)) {
      try reader.objects.repository.setReference(
        "\(TrashGroup.prefix)\(date)-\(target)", to: target, expecting: nil)
    }
  }

  /// Keeps contents beside the current version, as a version outside the history.
  ///
  /// - Parameters:
  ///   - modified: the modification time of the contents, in milliseconds since 1970.
  ///   - objects: the objects that store them.
  @discardableResult
  func attach(
    _ content: DocumentContent, modified: Int64, objects: [GitObject]
  ) throws -> Record {
    let current = try heads.current()
    let (record, object) = try Record.make(
      reader.facts(.add, following: current, content: content, modified: modified), parents: [])
    reader.objects.remember(record)
    var plan = try chain.plan()
    plan.kept.insert(record.id)
    plan.attached[current.id, default: []].append(record.id)
    try rewriteChain(plan, keepingTrash: false, objects: objects + [object])
    return record
  }

  /// Drops the contents of all versions except one.
  func removeAll(but current: Record) throws {
    guard let present = try chain.content(of: current.id) else { return }
    var marks = present.marks
    // Versions whose contents are elsewhere have no predecessor here, but are listed as well.
    let isAlone = present.predecessors.isEmpty && (marks.isAllRemoved || current.parents.isEmpty)
    guard !isAlone else { return }
    marks.isAllRemoved = true
    marks.removed = []
    let (content, object) = try ContentCommit.make(for: current, predecessors: [], marks: marks)
    try keepInTrash()
    try moveHeads(to: [current.id], targets: [current.id: content.id], objects: [object])
  }
}
