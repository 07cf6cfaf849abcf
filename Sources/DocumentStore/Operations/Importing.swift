internal import DocumentFiles
internal import DocumentGit
internal import Foundation
internal import SystemPackage

/// Adds contents from elsewhere as versions.
struct Importing {
  let environment: StoreEnvironment

  init(_ environment: StoreEnvironment) {
    self.environment = environment
  }

  // MARK: Conflicted copies

  /// Imports a conflicted copy; see ``SynchronousStore/importCopy(_:into:base:)``.
  func importCopy(
    _ copy: URL, into document: URL, base: FileVersion? = nil
  ) throws -> FileVersion? {
    let location = try DocumentLocation(of: document)
    let status = try location.status()
    let source = try copy.filePath
    guard try source.resolvingLinks() != location.document else {
      throw VersionError(
        .invalidArgument, document: location.printable,
        message: "“\(location.printable)” can’t be a copy of itself.")
    }
    if let kind = try FileStatus.of(source)?.kind, (kind == .folder) != (status.kind == .folder) {
      throw VersionError(
        .invalidArgument, document: location.printable,
        message: """
          “\(source.printable)” is \(kind == .folder ? "a folder" : "a file"), and so no copy of \
          “\(location.printable)”.
          """)
    }
    try DocumentLocation.refuseContainer(at: source)
    try refuseDocument(source, besides: location)
    let contents = try WorkingCopy.read(
      source, named: ContainerPath.name(of: location.path),
      leavingOut: IgnoreRules(forMembersOf: location), clock: environment.fileClock)
    if try !location.hasVersions(by: environment.fileClock) {
      if environment.isDryRun {
        let present = try WorkingCopy.read(location, clock: environment.fileClock)
        if let present, contents.content.isSame(as: present.content) { return nil }
        throw location.dryRunOfFirstSave
      }
      _ = try Saving(environment).save(document, asPackage: status.kind == .folder)
    }
    let name =
      ConflictedCopyName(copy.lastPathComponent)
      ?? ConflictedCopyName.possible(copy.lastPathComponent).first {
        $0.documentName.hasBytes(of: document.lastPathComponent)
      }
    return try environment.changing(document) { reader in
      let present = try reader.document.copy()
      let known = try reader.chain.contents().keys.map { try reader.record($0).content }
      let isKnown = (known + [present?.content]).contains { contents.content.isSame(as: $0) }
      func checkedBase() throws -> Record? { try base.map { try importBase($0, in: reader) } }
      func preview() throws -> FileVersion? {
        if isKnown { return nil }
        _ = try checkedBase()
        return try reader.currentVersion()
      }
      return StorePlan(preview: try preview()) { writer in
        try writer.keepEdits(present)
        guard !isKnown else { return nil }
        let base = try checkedBase()
        let record = try writer.append(
          facts(of: contents, from: name, in: reader), to: base, of: contents)
        return try reader.version(record.id)
      }
    }
  }

  private func facts(
    of copy: WorkingCopy, from name: ConflictedCopyName?, in reader: StoreReader
  ) throws -> Record.Facts {
    var facts = try reader.facts(
      .importCopy, following: reader.heads.divergent().first?.record, content: copy.content,
      modified: copy.modified)
    if let permissions = copy.permissions { facts.permissions = permissions }
    facts.author = name?.author ?? Identity.unknown
    facts.device = name?.device ?? Identity.unknown
    return facts
  }

  /// Throws an error for a copy with versions: it is another document, and its versions say more than its
  /// name.
  private func refuseDocument(_ copy: FilePath, besides document: DocumentLocation) throws {
    let location: DocumentLocation
    do {
      location = try DocumentLocation(of: copy)
    } catch let error as FileError where [.invalidName, .unsupportedKind].contains(error.code) {
      // An item that can't be a document has no versions.
      return
    }
    guard try location.hasVersions(by: environment.fileClock) else { return }
    throw VersionError(
      .invalidArgument, document: location.printable,
      message: """
        “\(location.printable)” has versions of its own, so it is no copy of “\(document.printable)”.
        """)
  }

  /// Returns a base for an imported copy: a version with a successor, because otherwise there is no conflict.
  private func importBase(_ version: FileVersion, in reader: StoreReader) throws -> Record {
    let record = try reader.knownRecord(version)
    guard try !reader.heads.divergent().contains(where: { $0.record.id == record.id }) else {
      throw VersionError(
        .invalidArgument, document: reader.location.printable,
        message: """
          Nothing has followed \(record.shortName) of “\(reader.location.printable)”, so a copy that was made from \
          it is in no conflict.
          """,
        hint: "To take its contents over, replace the document by the copy and save it.")
    }
    return record
  }

  // MARK: Other versions

  /// Adds a version; see ``FileVersion/add(to:contentsOf:options:store:)``.
  func add(to document: URL, contentsOf contents: URL, moving: Bool) throws -> FileVersion {
    let location = try DocumentLocation(of: document)
    let source = try contents.filePath
    guard try source.resolvingLinks() != location.document else {
      return try Saving(environment).save(document, asPackage: true).version
    }
    if moving { try checkRemovable(source, besides: location) }
    if try !location.hasVersions(by: environment.fileClock) {
      _ = try Saving(environment).save(document, asPackage: true)
    }
    return try environment.changing(document) { reader in
      let copy = try WorkingCopy.read(
        source, named: ContainerPath.name(of: location.path),
        after: reader.document.formerMembers(), leavingOut: IgnoreRules(forMembersOf: location),
        clock: environment.fileClock, meter: reader.meter)
      return StorePlan(preview: try reader.currentVersion()) { writer in
        try StoreReadership(of: writer.location).narrow(to: copy.readership)
        let added = try reader.version(
          writer.attach(
            copy.content, modified: copy.modified, objects: copy.objects
          ).id)
        if moving { try DocumentWriter.removeElsewhere(source, displacing: copy.listing) }
        return added
      }
    }
  }

  /// Throws an error for contents that can't be moved because something else needs them: the document itself,
  /// one of its members, the folder that contains it, or stores.
  private func checkRemovable(_ source: FilePath, besides document: DocumentLocation) throws {
    let place = try DocumentLocation.normalized(source)
    let temporary = ContainerFile.temporary.path(in: document.container)
    if place.starts(with: temporary), place != temporary { return }
    try document.checkPlace(place)
    if place.starts(with: document.document) {
      throw VersionError(
        .invalidArgument, document: document.printable,
        message: "“\(place.printable)” is part of the document, which would lose it.",
        hint: "Add it without moving it.")
    }
  }

  /// Creates a folder for contents; see ``FileVersion/temporaryDirectoryForNewVersion(of:store:)``.
  func temporaryDirectory(for document: URL) throws -> URL {
    let location = try DocumentLocation(of: document)
    _ = try location.status()
    // On the document's own file system, so that moving from it is cheap.
    let folder = ContainerFile.temporary.path(in: location.container)
      .appending(DocumentIdentifier.random().description)
    try Folder.create(folder, permissions: 0o700)
    return URL(filePath: folder.string, directoryHint: .isDirectory)
  }
}
