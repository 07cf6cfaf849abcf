internal import DocumentFiles
internal import DocumentGit
internal import Foundation

/// Joins two documents into one.
package struct Joining {
  let environment: StoreEnvironment

  package init(_ environment: StoreEnvironment) {
    self.environment = environment
  }

  /// Joins two documents into one; see ``VersionStore/join(_:with:)``.
  func join(_ document: URL, with other: URL) throws -> FileVersion {
    let (location, added) = (try place(of: document), try place(of: other, links: .refused))
    try check(location, added)
    guard !environment.isDryRun else {
      return try environment.reading(document) { try $0.currentVersion() }
    }
    let path = try environment.reportingErrors(of: location) {
      try environment.withWriter(at: location) { try $0.heads.current().facts.path }
    }
    let joined = try environment.reportingErrors(of: added) {
      try fold(added, into: location, named: path)
    }
    return try environment.reading(joined.url) { try $0.currentVersion() }
  }

  private func place(of document: URL, links: LinkUse = .followed) throws -> DocumentLocation {
    let location = try StoreSearch(environment).followingRename(
      of: DocumentLocation(of: document, links: links), movingStore: true)
    guard try location.hasStore else { throw location.noVersions }
    return location
  }

  private func check(_ location: DocumentLocation, _ other: DocumentLocation) throws {
    func refuse(_ message: String, _ hint: String) -> VersionError {
      VersionError(
        .invalidArgument, document: other.printable, message: message, hint: hint)
    }
    guard location != other else {
      throw refuse(
        "“\(location.printable)” is a single document already.", "Name two documents.")
    }
    guard location.container == other.container else {
      throw refuse(
        """
        “\(location.printable)” and “\(other.printable)” are not in one container, and each keeps its own \
        versions.
        """, "Move one of them to the container of the other one.")
    }
    let kinds = try [location, other].compactMap { try FileStatus.of($0.document)?.kind }
    guard Set(kinds.map { $0 == .folder }).count < 2 else {
      throw refuse(
        "One of “\(location.printable)” and “\(other.printable)” is a folder, and the other one a file.",
        "Name two files, or two packages.")
    }
  }

  /// Adds all versions of another document to a document, and removes the other one.
  ///
  /// After an interruption, a repeated call continues: the other document's file is removed when its versions
  /// are safe, and its store last.
  ///
  /// - Parameter path: the path for the other document's versions, so that both sides agree on it; `nil` to
  ///   keep their paths.
  /// - Returns: the location of the joined document.
  @discardableResult
  package func fold(
    _ other: DocumentLocation, into location: DocumentLocation, named path: String? = nil
  ) throws -> DocumentLocation {
    try LiveDatabase.refuseWriting(other.document)
    try environment.withWriter(at: other) { source in
      let reader = source.reader
      let present = try reader.document.copy()
      try source.keepName(of: present)
      try source.keepEdits(present)
      if let path { try rename(to: path, by: source) }
      try environment.withWriter(at: location) { try takeAll(of: reader, by: $0) }
      // Without its file, the other document would look like one that was removed.
      tidyUp {
        try OtherPlace(record: reader.heads.current().id, document: location.document)
          .write(in: other.store)
      }
      if let present {
        // The joined document may show the contents of either.
        try Folder.narrow(location.document, to: present.readership)
      }
      if let present = try reader.document.copy() {
        guard try reader.document.shownVersion(present) != nil else {
          throw FileError(
            .changing, path: other.document,
            message: "“\(other.printable)” changed in the meantime; it is untouched.")
        }
        try DocumentWriter.remove(
          other.document, displacing: present.listing,
          mark: reader.documentIdentifier.description)
      }
      tidyUp { try ChangeJournal(of: other.container).record(other.path) }
      try StoreCreation.remove(other.store)
    }
    try environment.withWriter(at: location) {
      try $0.reader.document.showCurrentVersion(by: $0)
    }
    // If the name isn't available yet, the document gets it later.
    return try Renaming(environment).followCurrentName(of: location) { _ in }
  }

  /// Adds a version with another name to each diverging head whose contents are here.
  private func rename(to path: String, by writer: borrowing StoreWriter) throws {
    let (reader, heads) = (writer.reader, writer.heads)
    for head in try heads.divergent() where head.record.content != nil && !head.lacksContent {
      guard !head.record.facts.path.hasBytes(of: path) else { continue }
      var facts = try reader.facts(
        .rename, following: head.record, content: head.record.content,
        modified: head.record.facts.modified)
      facts.path = path
      let isShown = try heads.base()?.id == head.record.id
      let record = try writer.append(facts, to: head.record, isShown: isShown)
      if isShown { try writer.setBase(record) }
    }
  }

  // MARK: Versions of another document

  /// Adds everything in another document's store to a document, which from then on represents both.
  ///
  /// The other store stays unchanged. A repeated call changes nothing.
  ///
  /// - Parameter isConflict: whether several heads then form a conflict, which the caller doesn't settle.
  func takeAll(
    of other: StoreReader, by writer: borrowing StoreWriter, isConflict: Bool = true
  ) throws {
    let reader = writer.reader
    try StoreReadership(of: writer.location).narrow(to: .inside(other.location.store))
    if try reader.heads.base() != nil { try writer.keepEdits(reader.document.copy()) }
    let groups = try other.trash.groups()
    try copyObjects(of: other, groups, by: reader)
    let lost = reader.objects.lostVersions.union(other.objects.lostVersions)
    if lost != reader.objects.lostVersions {
      try SmallFile.replace(
        StoreFile.lostVersions.path(in: reader.location.store), Array(LostVersions.text(lost).utf8))
    }
    try reader.objects.adopt(reader.objects.identity.joined(with: other.objects.identity))
    let plan = try reader.chain.plan().joined(with: other.chain.plan())
    let all = try Set((reader.heads.divergent() + other.heads.divergent()).map(\.record.id))
    let records = try reader.objects.maximalRecords(all).map(reader.record)
    // A new store doesn't have the common tree of all records yet.
    let isFirst = try reader.heads.all().isEmpty
    let built = try reader.chain.build(
      plan, heads: records.sorted(by: Record.isPreferred).map(\.id))
    try writer.moveHeads(
      to: built.heads, targets: built.targets,
      objects: (isFirst ? [GitObject(.tree, [])] : []) + built.objects, isConflict: isConflict)
    let present = try Set(reader.trash.groups().flatMap(\.references.keys))
    for (name, target) in groups.flatMap(\.references) where !present.contains(name) {
      try reader.objects.repository.setReference(name, to: target, expecting: nil)
    }
    try reader.recordConflictVersions(Array(other.conflictVersions()))
    try UndisputedJoin.joinAll(by: writer)
  }

  /// Copies the objects that this store lacks, including removed ones that can be restored.
  private func copyObjects(
    of other: StoreReader, _ groups: [TrashGroup], by reader: StoreReader
  ) throws {
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
    let lacking = try objects.lacking.union(
      wanted.filter { try !reader.objects.repository.contains($0) })
    try other.objects.repository.copy(
      lacking.sorted(), intoPacksOf: reader.objects.repository,
      advance: { _ in try reader.meter.advance(0) })
  }
}

extension ContentChain.Plan {
  /// Returns the plan of a chain with the contents of this one and another one.
  fileprivate func joined(with other: ContentChain.Plan) -> ContentChain.Plan {
    let kept = kept.union(other.kept)
    return ContentChain.Plan(
      kept: kept, removed: removed.union(other.removed).subtracting(kept),
      marks: marks.merging(other.marks) { $0.union($1) },
      attached: attached.merging(other.attached) { own, others in
        own + others.filter { !own.contains($0) }
      })
  }
}
