internal import DocumentFiles
internal import DocumentGit
internal import DocumentTypes
package import Foundation
internal import SystemPackage

/// The outcome of saving a document.
public struct SaveOutcome: Sendable {
  /// The version with the document's contents.
  public let version: FileVersion
  /// True if a version was made; false if the contents were already saved.
  public let isNew: Bool
  /// A version that another operation wrote over the document and that the saved contents ignore; usually `nil`.
  ///
  /// A program that still had the previous contents open has written them back. They were saved as based on the
  /// previous version, beside this one. The resulting conflict reverts nothing, and usually merges without a question.
  public let missedVersion: FileVersion?
  /// True if the document is in conflict afterward.
  package let isInConflict: Bool
  /// The document's former location, if it was renamed or moved outside docversions since the previous
  /// version.
  package var formerPlace: URL?
}

/// Saves documents as new versions.
package struct Saving {
  let environment: StoreEnvironment

  package init(_ environment: StoreEnvironment) {
    self.environment = environment
  }

  /// Saves a document on disk; see ``VersionStore/save(_:note:base:asPackage:)``.
  ///
  /// - Parameters:
  ///   - isOwn: returns whether the contents on disk are still those of a caller that made them from what the document
  ///     showed, with all that was written over it.
  ///   - identifier: the id for a document without versions.
  package func save(
    _ document: URL, note: String? = nil, base: FileVersion? = nil, asPackage: Bool = false,
    isOwn: () throws -> Bool = { false },
    identifier: @autoclosure () -> DocumentIdentifier = .random()
  ) throws -> SaveOutcome {
    let location = try DocumentLocation(of: document)
    return try environment.reportingErrors(of: location) {
      let location = try StoreSearch(environment).followingRename(of: location, movingStore: true)
      let status = try location.status()
      if status.kind == .folder && !asPackage { try checkIsPackage(location) }
      if base == nil, let outcome = try unchanged(location, status) { return outcome }
      let firstCopy =
        try location.hasStore
        ? nil : beginStore(of: location, base: base, identifier: identifier())
      return try environment.changing(location) { reader in
        let isStillFirst = try firstCopy?.isCurrent(at: reader.location) ?? false
        guard let present = try isStillFirst ? firstCopy : reader.document.copy(asPackage: true)
        else {
          throw hasGone(location)
        }
        return try plan(present, note: note, base: base, isOwn: isOwn, in: reader)
      }
    }
  }

  /// Returns the outcome for a resting document whose file is unchanged; `nil` for any other.
  ///
  /// There is nothing to save, so the document needs no store.
  private func unchanged(
    _ location: DocumentLocation, _ status: FileStatus
  ) throws -> SaveOutcome? {
    guard let resting = try RestingDocuments.document(of: location), resting.isUnchanged(status)
    else { return nil }
    return SaveOutcome(
      version: try StoreReader(location, in: environment).currentVersion(), isNew: false,
      missedVersion: nil, isInConflict: false)
  }

  /// Creates the empty store of a document without versions.
  ///
  /// - Parameter contents: the future contents; by default those of the document.
  /// - Returns: the document; no store is created for an unreadable one.
  func beginStore(
    of location: DocumentLocation, base: FileVersion?, identifier: DocumentIdentifier,
    holding contents: WorkingCopy? = nil
  ) throws -> WorkingCopy {
    try location.checkSpelling(knowing: environment.listings)
    // Another document that is being saved at the same time has no store yet.
    if let other = environment.listings?.claim(location.path, in: location.container) {
      throw location.refusal(of: other)
    }
    try location.refuseMember(knowing: environment.listings)
    try location.refuseContainer()
    try refuseDocuments(inside: location)
    try LiveDatabase.refusePart(location.document)
    guard
      let copy = try contents
        ?? WorkingCopy.read(
          location, support: environment.permissionSupport, clock: environment.fileClock,
          meter: environment.meter)
    else {
      throw hasGone(location)
    }
    // The version belongs to another document, or to a store that is gone.
    if let base { throw location.lacks(base) }
    if environment.isDryRun { throw location.dryRunOfFirstSave }
    try unlessShelved(location) {
      try StoreCreation.create(
        location.store, identity: DocumentIdentity(identifier), for: copy.listing.readership,
        tidyingFirst: environment.listings?.shouldTidy(location.store.parentFolder) ?? true,
        clock: environment.fileClock)
    }
    environment.listings?.add(location.path, in: location.container)
    return copy
  }

  /// Creates a store, unless another process has just put the document on the shelf.
  private func unlessShelved(_ location: DocumentLocation, _ create: () throws -> Void) throws {
    guard try Shelf.isThere(in: location.container) else { return try create() }
    try RestingDocuments.changing(in: location.container) {
      if try RestingDocuments.entry(of: location) == nil { try create() }
    }
  }

  private func hasGone(_ location: DocumentLocation) -> FileError {
    FileError(
      .changing, path: location.document,
      message: "“\(location.printable)” disappeared in the meantime.")
  }

  /// Saves a package in which only some members changed; see ``VersionStore/save(_:changed:note:asPackage:)``.
  ///
  /// - Parameters:
  ///   - members: the changed members; `nil` to read all of the document.
  ///   - isOwn: returns whether the contents on disk are still those of a caller that made them from what the document
  ///     showed, with all that was written over it.
  package func save(
    _ document: URL, changed members: [String]?, note: String? = nil, asPackage: Bool = false,
    isOwn: () throws -> Bool = { false }
  ) throws -> SaveOutcome {
    let location = try DocumentLocation(of: document)
    let outcome: SaveOutcome? = try environment.reportingErrors(of: location) {
      let location = try StoreSearch(environment).followingRename(of: location, movingStore: true)
      guard let members, try location.status().kind == .folder, try location.hasStore else {
        return nil
      }
      return try environment.changing(location) { reader in
        guard let copy = try PartialCopy(changed: members, in: reader) else {
          return StorePlan(nothingBut: nil)
        }
        let plan = try plan(copy, note: note, base: nil, isOwn: isOwn, in: reader)
        return StorePlan(preview: try plan.preview()) { try plan.carryOut($0) }
      }
    }
    return try outcome ?? save(document, note: note, asPackage: asPackage, isOwn: isOwn)
  }

  /// Plans the version for a document on disk.
  private func plan(
    _ present: some SavedCopy, note: String?, base: FileVersion?, isOwn: () throws -> Bool,
    in reader: StoreReader
  ) throws -> StorePlan<SaveOutcome> {
    let shown = try reader.heads.base()
    let isConfirmed = base != nil
    let named = try base.map { try reader.knownRecord($0) } ?? (isOwn() ? shown : nil)
    let origin =
      try named.map { ArrivalCheck.Origin(base: $0, hasArrivals: true) }
      ?? ArrivalCheck.origin(of: present, on: shown, in: reader)
    let base = origin.base
    let path = try reader.document.path(following: origin.missed ?? base)
    let isSame = origin.missed == nil && present.content.isSame(as: base?.content)
    if let base, isSame, base.facts.path.hasBytes(of: path) {
      func outcome() throws -> SaveOutcome {
        SaveOutcome(
          version: try reader.version(base.id), isNew: false, missedVersion: nil,
          isInConflict: try reader.heads.divergent().count > 1)
      }
      return StorePlan(preview: try outcome()) { writer in
        try StoreReadership(of: writer.location).narrow(to: present.readership)
        // A program may still have the contents open that this version replaced on disk.
        if base.id != shown?.id { try Arrivals.record(base, in: reader) }
        try writer.setBase(base)
        try present.recordMembers(with: writer)
        return try outcome()
      }
    }
    if !isConfirmed { try refuseEmptied(present, since: shown, at: reader.location) }
    var facts = try reader.facts(
      base != nil && isSame ? .rename : .save, following: origin.missed ?? base,
      content: present.content, modified: present.modified, note: note)
    facts.missed = origin.missed?.id.description
    if let permissions = present.permissions { facts.permissions = permissions }
    let container = reader.location.container
    let formerPlace = base.flatMap { base in
      base.facts.path.hasBytes(of: path)
        ? nil : DocumentLocation(container: container, path: base.facts.path).url
    }
    func outcome(_ record: Record?) throws -> SaveOutcome {
      SaveOutcome(
        version: try record.map { try reader.version($0.id) } ?? reader.currentVersion(),
        isNew: true, missedVersion: try origin.missed.map { try reader.version($0.id) },
        isInConflict: try reader.heads.divergent().count > 1, formerPlace: formerPlace)
    }
    return StorePlan(preview: try outcome(base)) { [facts] writer in
      let record = try writer.append(
        facts, to: base, of: present, isShown: true, isInCharge: true)
      try writer.setBase(record)
      origin.forgetArrivals(in: writer.location.store)
      try present.recordMembers(with: writer)
      return try outcome(record)
    }
  }

  /// Throws an error for a file that lost all its bytes and kept its time, because a program that empties a
  /// document gives it a new time.
  private func refuseEmptied(
    _ present: some SavedCopy, since shown: Record?, at location: DocumentLocation
  ) throws {
    guard let shown, let former = shown.content, former.bytes > 0, !former.isPackage,
      !present.content.isPackage, present.modified == shown.facts.modified,
      try EmptiedFile.isAt(location.document)
    else { return }
    throw VersionError(
      .emptied, document: location.printable,
      message: """
        “\(location.printable)” holds nothing any more, and has the time of its last version, as after a crash. It was \
        not saved.
        """,
      recovery: .restoreEmptied)
  }

  // MARK: Several documents

  /// Saves several documents at the same time; see ``VersionStore/saveEach(_:note:asPackage:)``.
  ///
  /// - Parameter take: receives the outcomes in the order of the documents, some before all documents are
  ///   saved.
  func saveEach(
    _ documents: some Collection<URL>, note: String? = nil, asPackage: Bool = false,
    _ take: (Result<SaveOutcome, any Error>) -> Void
  ) {
    let saveOne = { @Sendable (document: URL, environment: StoreEnvironment) in
      try Saving(environment).save(document, note: note, asPackage: asPackage)
    }
    guard documents.count > 1, let first = documents.first else {
      StoreSearch(environment).followRenames(of: documents)
      for document in documents { take(Result { try saveOne(document, environment) }) }
      return
    }
    let many = ManyDocuments(documents.count, near: first, in: environment)
    // The first document of a folder makes the folder a container for the documents in it and below it.
    var firsts: [Int: Result<SaveOutcome, any Error>] = [:]
    let apart = documents.enumerated().filter { Self.isWithoutContainer($0.element) }
      .sorted { $0.element.pathComponents.count < $1.element.pathComponents.count }
    for (number, document) in apart where Self.isWithoutContainer(document) {
      firsts[number] = many.perform { try saveOne(document, $0) }
    }
    var (start, rest) = (0, documents[...])
    let most = min(FirstSaves.most, environment.transferStep.documents)
    while !rest.isEmpty {
      let part = Array(rest.prefix(most))
      var outcomes = part.indices.map { firsts[start + $0] }
      let new = part.indices.filter { outcomes[$0] == nil }.map { (number: $0, url: part[$0]) }
      // The very files come before those with the same contents or names.
      StoreSearch(environment).followRenames(of: new.map(\.url))
      for (number, outcome) in FirstSaves(many, note: note).save(new) {
        outcomes[number] = .success(outcome)
      }
      let others = part.indices.filter { outcomes[$0] == nil }
      if !environment.isDryRun { RestingActivation.runEdited(among: others.map { part[$0] }) }
      let saved = many.perform(others.count) { try saveOne(part[others[$0]], $1) }
      for (number, outcome) in zip(others, saved) { outcomes[number] = outcome }
      outcomes.forEach { $0.map(take) }
      start += part.count
      rest = rest.dropFirst(part.count)
      if !rest.isEmpty { FreedMemory.giveBack() }
    }
  }

  /// Returns whether no folder above a document is a container.
  private static func isWithoutContainer(_ document: URL) -> Bool {
    do {
      let folder = try DocumentLocation.normalized(document.filePath).parentFolder
      return try ContainerFolder.nearest(from: folder) == nil
    } catch {
      // Saving the document reports the error.
      return false
    }
  }

  // MARK: Packages

  /// Throws an error for a folder that isn't one document; see ``SynchronousStore/refuseFolder(_:)``.
  func refuseFolder(_ location: DocumentLocation) throws {
    guard try FileStatus.of(location.document)?.kind == .folder else { return }
    try checkIsPackage(location)
    try location.refuseContainer()
    try refuseDocuments(inside: location)
  }

  /// Throws an error for a folder that is probably not meant as one document.
  private func checkIsPackage(_ location: DocumentLocation) throws {
    guard try !isPackage(location) else { return }
    throw FileError(
      .unsupportedKind, path: location.document,
      message: """
        “\(location.printable)” is a folder, not a file.
        """, recovery: .saveAsPackage)
  }

  /// Throws an error for a folder in which documents have versions: each would be two documents, one of them
  /// as a member.
  private func refuseDocuments(inside location: DocumentLocation) throws {
    let path = location.path, container = location.container
    // Their stores are in a folder of that name, which most folders don't have.
    guard try FileStatus.of(location.document)?.kind == .folder,
      try FileStatus.of(Layout.documents(of: container).appending(path)) != nil
        || !RestingDocuments.readable(in: container).names(in: path).isEmpty,
      let inside = try Layout.documentPaths(in: container).first(where: {
        try $0.utf8.starts(with: (path + "/").utf8)
          && FileStatus.of(container.appending($0)) != nil
      })
    else { return }
    throw VersionError(
      .invalidArgument, document: location.printable,
      message: """
        “\(location.printable)” can’t be one document: it contains documents with versions of their own, such as \
        “\(Printable.text(ContainerPath.name(of: inside)))”.
        """,
      recovery: .saveDocumentsInside)
  }

  /// Returns whether the folder that a path leads to is saved as a package; see ``SynchronousStore/isPackage(_:)``.
  func isPackage(_ document: URL) throws -> Bool {
    let path = try document.filePath
    return try isPackage(
      DocumentLocation(of: FileStatus.of(path) == nil ? path : path.resolvingLinks()))
  }

  /// Returns whether a folder is saved as a package, because of its name or because its last version is one.
  func isPackage(_ location: DocumentLocation) throws -> Bool {
    // A version gives the answer without the declarations, which may be damaged, and they without a damaged store.
    do {
      if try location.hasStore,
        try environment.reading(location.url, { try $0.heads.base()?.facts.package == true })
      {
        return true
      }
    } catch let error as VersionError where error.code == .damaged {}
    return try DeclaredTypes(environment).types(in: location.container)
      .isSavedAsPackage(named: ContainerPath.name(of: location.path))
  }
}

extension PartialCopy {
  /// Reads some members of a package that changed since the version that it shows; `nil` if that version
  /// isn't a package, or isn't on this device.
  fileprivate init?(changed members: [String], in reader: StoreReader) throws {
    guard let base = try reader.heads.base(), let content = base.content, content.isPackage,
      try reader.chain.content(of: base.id) != nil
    else { return nil }
    try self.init(
      members, of: base, content: content, knowing: reader.document.statCache(),
      reader.document.freshness(), in: reader)
  }
}

extension DocumentLocation {
  /// The error that reports a dry run on a document without versions, because there is nothing to return yet.
  var dryRunOfFirstSave: VersionError {
    VersionError(
      .noVersions, document: printable,
      message: "“\(printable)” has no versions yet; saving would make the first.")
  }
}
