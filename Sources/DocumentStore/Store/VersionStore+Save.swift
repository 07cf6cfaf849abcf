internal import DocumentFiles
internal import DocumentGit
internal import DocumentTypes
public import Foundation
internal import Synchronization
internal import SystemPackage

extension VersionStore {
  /// What saving did.
  public struct SaveOutcome: Sendable {
    /// The version that stands for the document's contents now.
    public let version: FileVersion
    /// False when the contents were saved already, and nothing was written.
    public let isNew: Bool
  }

  /// Saves the document as it is on disk as a new version.
  ///
  /// The version follows the one that the document shows. If another one has followed that meanwhile, or if
  /// `base` names an older one, both stay: that is a conflict, never a loss. The version is on the disk
  /// when this returns.
  ///
  /// - Parameters:
  ///   - document: a file, or a folder that is a package.
  ///   - note: what to say about the version.
  ///   - base: the version that the contents were made from, for an editor that knows; by default the
  ///     version that the document on disk was last saved as or written from.
  ///   - asPackage: takes any folder as a package. Without it a folder needs an extension: one of a type that is
  ///     a package by ``types`` or by what its container declares, or one that no type has.
  /// - Throws: ``FileError`` for what cannot be read, ``VersionError`` for what cannot be stored; with code
  ///   `noSuchVersion` for a `base` that is none of the document's.
  @discardableResult
  public func save(
    _ document: URL, note: String? = nil, base: FileVersion? = nil, asPackage: Bool = false
  ) throws -> SaveOutcome {
    let location = try DocumentLocation(of: document)
    return try translatingErrors(location) {
      let location = try followingRename(location, movingStore: true)
      let status = try existing(location)
      if status.kind == .folder && !asPackage { try checkIsPackage(location) }
      var firstCopy: WorkingCopy?
      if try !location.hasStore {
        try location.checkSpelling()
        try location.refuseMember()
        try location.refuseContainer()
        // Nothing is created for a document that cannot be read.
        firstCopy = try WorkingCopy.read(location, meter: ProgressMeter(progress))
        guard firstCopy != nil else { throw hasGone(location) }
        // Another document's version, or one of a store that is gone.
        if let base { throw location.lacks(base) }
        if isDryRun { throw try dryRunOfFirstSave(location) }
        try StoreCreation.create(
          location.store, documentIdentifier: StoreCreation.randomIdentifier())
      }
      return try changing(location) { store in
        let isStillFirst = try firstCopy?.isCurrent(at: store.location) ?? false
        guard
          let present = try isStillFirst
            ? firstCopy : store.workingCopy()
        else { throw hasGone(location) }
        return try save(present, note: note, base: base, in: store)
      }
    }
  }

  private func hasGone(_ location: DocumentLocation) -> FileError {
    FileError(
      .changing, path: location.document,
      message: "“\(location.printable)” has gone meanwhile.")
  }

  /// Saves a package of which the caller knows what changed since it was last saved or written: only that is read, so a
  /// save takes about as long as what changed is large.
  ///
  /// What else changed stays as it is on disk, is told of as edited, and is in the next version that is saved without
  /// such knowledge. Where there is no version of the package yet, all of it is saved.
  ///
  /// - Parameters:
  ///   - document: a package.
  ///   - members: what changed, as paths in the package with "/" between folders: files, links and folders, also those
  ///     that are new or gone. A folder stands for all it holds.
  ///   - note: what to say about the version.
  ///   - asPackage: takes any folder as a package, where there is no version yet.
  /// - Throws: the same as ``save(_:note:base:asPackage:)``; ``VersionError`` with code `invalidArgument` for a path that
  ///   leads out of the package, `noSuchMember` for what neither is there nor was.
  @discardableResult
  public func save(
    _ document: URL, changed members: [String], note: String? = nil, asPackage: Bool = false
  ) throws -> SaveOutcome {
    let location = try DocumentLocation(of: document)
    let outcome: SaveOutcome? = try translatingErrors(location) {
      let location = try followingRename(location, movingStore: true)
      guard try existing(location).kind == .folder, try location.hasStore else { return nil }
      return try changing(location) { store in
        guard let copy = try store.partialCopy(changed: members) else { return nil }
        return try save(copy, note: note, base: nil, in: store)
      }
    }
    return try outcome ?? save(document, note: note, asPackage: asPackage)
  }

  /// Saves several documents, some of them at the same time: most of a save is waiting for the disk, and one wait
  /// serves all that go on.
  ///
  /// - Returns: what saving came to, in the order of the documents; one that fails stops no other.
  public func saveEach(
    _ documents: [URL], note: String? = nil, asPackage: Bool = false
  ) -> [Result<SaveOutcome, any Error>] {
    guard documents.count > 1 else {
      return documents.map { document in
        Result { try save(document, note: note, asPackage: asPackage) }
      }
    }
    var store = self
    store.leftovers = TemporaryItems.Listings()
    if documents.count >= Self.fewestWaitingTogether {
      store.syncGroup = documents.first.flatMap(Self.syncGroup)
    }
    let results = Mutex<[Int: Result<SaveOutcome, any Error>]>([:])
    let perform = { @Sendable [store] (number: Int) in
      let result = Result {
        let save = { try store.save(documents[number], note: note, asPackage: asPackage) }
        return try store.syncGroup?.join(save) ?? save()
      }
      results.withLock { $0[number] = result }
    }
    // The first document of a folder makes it a container, for those in it and below it.
    let firsts = documents.indices.filter { Self.isWithoutContainer(documents[$0]) }
      .sorted { documents[$0].pathComponents.count < documents[$1].pathComponents.count }
    for number in firsts where Self.isWithoutContainer(documents[number]) { perform(number) }
    let rest = results.withLock { results in documents.indices.filter { results[$0] == nil } }
    ForkJoin.perform(rest.count, atMost: Self.mostSavedAtOnce) { perform(rest[$0]) }
    return results.withLock { results in documents.indices.compactMap { results[$0] } }
  }

  /// Whether no folder above a document is a container.
  private static func isWithoutContainer(_ document: URL) -> Bool {
    do {
      let folder = try DocumentLocation.normalized(document.filePath).parentFolder
      return try ContainerFolder.nearest(from: folder) == nil
    } catch {
      // What is wrong with the document, saving it tells.
      return false
    }
  }

  /// Those that wait for the disk that a document is on.
  private static func syncGroup(of document: URL) -> SyncGroup? {
    do {
      return try document.deletingLastPathComponent().filePath.withPlatformString {
        SyncGroup(onFileSystemOf: $0.nullTerminated)
      }
    } catch {
      // What is wrong with the document, saving it tells.
      return nil
    }
  }

  private static let mostSavedAtOnce = 16
  /// Fewer wait on their own: who waits for the whole file system also waits for what others wrote.
  private static let fewestWaitingTogether = 8

  private func save(
    _ present: some SavedCopy, note: String?, base: FileVersion?, in store: OpenStore
  ) throws -> SaveOutcome {
    let base = try base.map { try store.knownRecord($0) } ?? store.base()
    let path = try store.documentPath(following: base)
    let isNamedSo = base?.facts.path.hasBytes(of: path) == true
    let isKnown = isNamedSo && present.content.isSame(as: base?.content)
    if let base, isKnown || isDryRun {
      if !isDryRun {
        try store.setBase(base)
        try present.noteMembers(in: store)
      }
      return SaveOutcome(version: try store.version(base.id, for: self), isNew: !isKnown)
    }
    let isRenamed = base.map { present.content.isSame(as: $0.content) } ?? false
    let record = try store.append(
      store.facts(
        isRenamed ? .rename : .save, following: base, content: present.content,
        modified: present.modified, note: note),
      to: base, of: present, isShown: true)
    try store.setBase(record)
    try present.noteMembers(in: store)
    return SaveOutcome(version: try store.version(record.id, for: self), isNew: true)
  }

  /// What a dry run says of a document without versions: there is nothing to return yet.
  func dryRunOfFirstSave(_ location: DocumentLocation) throws -> any Error {
    VersionError(
      .noVersions, document: location.printable,
      message: "“\(location.printable)” has no versions yet; saving would make the first.")
  }

  /// Refuses a folder that is probably not meant as one document.
  private func checkIsPackage(_ location: DocumentLocation) throws {
    let isKnownPackage =
      try location.hasStore
      && reading(location.url) { try $0.base()?.facts.package == true }
    guard !isKnownPackage, try !isPackageName(location) else { return }
    throw FileError(
      .unsupportedKind, path: location.document,
      message: """
        “\(location.printable)” is a folder, not a file.
        """, suggestion: SuggestedCommand("To keep it as one document", "save --package"))
  }

  /// Whether a folder of that name is a package.
  ///
  /// On Apple's systems a folder is a package only if its type is declared as one. Here few types are, and nobody
  /// names an ordinary folder as a document to save; so a folder whose extension no type has is taken as a
  /// package too. One without an extension, with a number for one (`v1.2`), or with that of a plain file is not.
  private func isPackageName(_ location: DocumentLocation) throws -> Bool {
    let name = ContainerPath.name(of: location.path).unicodeScalars
    let types = try types(in: location.container)
    if let type = types.type(for: location.url) { return types.isPackage(type) }
    guard let dot = name.lastIndex(of: "."), dot != name.startIndex else { return false }
    let filenameExtension = name[name.index(after: dot)...]
    return !filenameExtension.isEmpty && !Substring(filenameExtension).allSatisfy(\.isNumber)
  }
}
