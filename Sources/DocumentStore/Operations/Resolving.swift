internal import DocumentFiles
internal import DocumentGit
internal import Foundation

/// Resolves conflicts.
struct Resolving {
  let environment: StoreEnvironment

  init(_ environment: StoreEnvironment) {
    self.environment = environment
  }

  /// Marks conflict versions as resolved; see ``VersionStore/markResolved(_:of:)``.
  func markResolved(_ versions: [FileVersion], of document: URL) throws -> FileVersion {
    try environment.changing(document) { reader in
      let ids = Set(try versions.map { try reader.knownRecord($0).id })
      let heads = try reader.heads.divergent()
      let settled = heads.dropFirst().filter { ids.contains($0.record.id) }
      guard !settled.isEmpty else { return StorePlan(nothingBut: try reader.currentVersion()) }
      return StorePlan(preview: try reader.currentVersion()) { writer in
        let present = try reader.document.copy()
        let shown = try reader.document.shownVersion(present)
        let record = try writer.settle(
          (heads.prefix(1) + settled).map(\.record), kind: .resolve,
          content: heads[0].record.content)
        try writer.showIfClean(
          record, shown: shown, settling: settled + [heads[0]], replacing: present)
        return try reader.currentVersion()
      }
    }
  }

  // MARK: Resolving by contents

  /// Begins to resolve a conflict; unsaved edits become a version first.
  ///
  /// - Returns: the session; `nil` if the document isn't in conflict.
  func begin(_ document: URL) throws -> ConflictSession? {
    // Under its former name, a second document would appear beside the renamed one.
    let document = try MissingDocuments(among: [document]).renamed()[document] ?? document
    return try environment.changing(document) { reader in
      guard try reader.heads.divergent().count > 1 else { return StorePlan(nothingBut: nil) }
      let present = try reader.document.copy()
      return StorePlan(
        preview: ConflictSession(try ConflictState(of: reader, showing: present), reader)
      ) { writer in
        let kept = try writer.keepEdits(present)
        try writer.keepName(of: present)
        let state = try ConflictState(of: reader, showing: present, keeping: kept)
        return ConflictSession(state, try StoreReader(again: reader))
      }
    }
  }

  /// Passes a closure a reader for a document's present conflict, without unsaved edits.
  ///
  /// - Returns: the result; `nil` if the document isn't in conflict.
  func readingConflict<Result>(
    of document: URL, _ body: (ConflictState, VersionReader) throws -> Result
  ) throws -> Result? {
    try environment.reading(document) { reader in
      guard try reader.heads.divergent().count > 1 else { return nil }
      let state = try ConflictState(of: reader, showing: reader.document.copy())
      return try body(state, VersionReader(reader))
    }
  }

  /// Resolves a conflict with one version that follows all of its versions, and writes the document.
  ///
  /// - Throws: ``VersionError`` with code `changedMeanwhile` if the versions are no longer those of the
  ///   session's state, or the document was edited; ``FileError`` with code `changing` if it was moved away.
  ///   Then nothing changes.
  func settle(_ session: ConflictSession, with settlement: Settlement) throws -> FileVersion {
    let (settled, location, wanted) = try session.using { reader in
      try environment.changing(reopening: reader) { reader in
        let heads = try headsInConflict(session.state, in: reader)
        return StorePlan(
          preview: (try reader.currentVersion(), reader.location, nil as String?)
        ) { writer in
          let version = try settle(heads, session.state, with: settlement, by: writer)
          return (version, reader.location, try reader.document.wantedPath())
        }
      }
    }
    // The versions may have agreed on another name.
    guard let wanted, !wanted.hasBytes(of: location.path) else { return settled }
    let place = try environment.reportingErrors(of: location) {
      try Renaming(environment).follow(wanted, from: location)
    }
    guard place != location else { return settled }
    return try environment.reading(place.url) { try $0.version($0.knownRecord(settled).id) }
  }

  private func headsInConflict(
    _ state: ConflictState, in reader: StoreReader
  ) throws -> [Head] {
    let heads = try reader.heads.divergent()
    guard Set(heads.map { .init($0.record.id) }) == Set(state.versions.map(\.id)) else {
      throw changedMeanwhile(reader.location)
    }
    return heads
  }

  private func settle(
    _ heads: [Head], _ state: ConflictState, with settlement: Settlement,
    by writer: borrowing StoreWriter
  ) throws -> FileVersion {
    let reader = writer.reader
    let present = try reader.document.copy()
    guard present != nil || state.isMissing else {
      throw FileError(
        .changing, path: reader.location.document,
        message: """
          “\(reader.location.printable)” was moved away while its conflict was resolved; nothing was changed.
          """)
    }
    guard try present == nil || reader.document.shownVersion(present) != nil else {
      throw changedMeanwhile(reader.location)
    }
    // Only a person brings a missing document back.
    let isShown =
      try present != nil || !settlement.isAutomatic || reader.heads.base()?.content == nil
    let staged = try reader.chosenRecord(of: settlement).flatMap {
      try isShown ? writer.stage($0, replacing: present) : nil
    }
    let (content, objects) = try reader.content(
      of: settlement, settling: heads.map(\.record), replacing: present)
    let former = try writer.referenceState()
    let record = try writer.settle(
      heads.map(\.record), kind: settlement.kind, content: content, path: settlement.path,
      from: settlement.chosen, answers: settlement.answers, isAutomatic: settlement.isAutomatic,
      objects: objects)
    if isShown { try writer.show(record, replacing: present, staged: staged, orElse: former) }
    return try reader.version(record.id)
  }

  private func changedMeanwhile(_ location: DocumentLocation) -> VersionError {
    VersionError(
      .changedMeanwhile, document: location.printable,
      message: "“\(location.printable)” changed while its conflict was being resolved.",
      recovery: .tryAgain, hint: "Nothing was changed; resolve it again.")
  }
}

extension ConflictState {
  /// Creates the state of the conflict that a reader finds.
  ///
  /// - Parameters:
  ///   - present: the document on disk.
  ///   - kept: the version that was made of edits on disk before.
  fileprivate init(
    of reader: StoreReader, showing present: WorkingCopy?, keeping kept: Record? = nil
  ) throws {
    let heads = try reader.heads.divergent()
    self.init(
      document: reader.location.url,
      versions: try heads.map { try reader.version($0.record.id) },
      base: try reader.merging.conflictBase(heads).map { try reader.version($0.id) },
      keptEdits: try kept.map { try reader.version($0.id) },
      isMissing: present == nil)
  }
}

extension Settlement {
  /// The chosen version, if there is one.
  fileprivate var chosen: String? {
    guard case .version(let version) = contents else { return nil }
    return version.persistentIdentifier.description
  }
}

extension StoreReader {
  /// Returns the content for a settlement, and the objects that may not be stored yet.
  ///
  /// - Parameters:
  ///   - heads: the versions to settle.
  ///   - present: the document on disk.
  fileprivate func content(
    of settlement: Settlement, settling heads: [Record], replacing present: WorkingCopy?
  ) throws -> (content: DocumentContent?, objects: [GitObject]) {
    switch settlement.contents {
    case .version(let version):
      let record = try knownRecord(version)
      if record.content != nil { _ = try contents.item(of: record) }
      return (record.content, [])
    case .new(.deleted):
      return (nil, [])
    case .new(.file(let bytes, let isExecutable)):
      var builder = ContentBuilder()
      let node = try builder.file(FileContents(bytes), isExecutable: isExecutable)
      let name = Array(ContainerPath.name(of: settlement.path).utf8)
      return (try builder.content(of: node, named: name), builder.objects)
    case .new(.largeFile):
      return (try chosenRecord(of: settlement)?.content, [])
    case .new(.package(let entries)):
      let package = try MergedPackage(entries, of: heads, knowing: present, in: self)
      return (package.content, package.objects)
    }
  }

  /// Returns the version whose contents were chosen unchanged; `nil` if they are new.
  fileprivate func chosenRecord(of settlement: Settlement) throws -> Record? {
    switch settlement.contents {
    case .version(let version): return try knownRecord(version)
    case .new(.largeFile(let file)):
      let known = try chain.contents().keys.map(record)
      guard let chosen = known.first(where: { $0.content.flatMap(LargeFile.init) == file }) else {
        throw GitError.malformed("no version has the contents that were chosen")
      }
      return chosen
    case .new: return nil
    }
  }
}
