internal import DocumentFiles
internal import DocumentGit
public import Foundation

extension VersionStore {
  /// Takes a conflicted copy, as tools that sync folders leave them, in as a conflict version of its document.
  ///
  /// The document keeps its contents and stays current; edits that were not saved become a version first.
  /// The copy's file stays where it is.
  ///
  /// - Parameters:
  ///   - copy: the conflicted copy. What its name tells of a person or device goes into the version.
  ///   - document: the document that it is a copy of; it must be on disk.
  ///   - base: the version that the copy was made from, where one is sure of it: a wrong one could take
  ///     later edits back in a merge. Without it, whatever differs is left to be decided.
  /// - Returns: the conflict version; nil if the document, or one of its versions, has these contents already.
  public func importCopy(
    _ copy: URL, into document: URL, base: FileVersion? = nil
  ) throws -> FileVersion? {
    let location = try DocumentLocation(of: document)
    let status = try existing(location)
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
    let contents = try WorkingCopy.read(source, named: ContainerPath.name(of: location.path))
    if try !location.followingRename().hasStore {
      if isDryRun {
        let present = try WorkingCopy.read(location)
        if let present, contents.content.isSame(as: present.content) { return nil }
        throw try dryRunOfFirstSave(location)
      }
      _ = try save(document, asPackage: status.kind == .folder)
    }
    return try changing(document) { store in
      let present = try store.workingCopy()
      if !isDryRun { try store.keepEdits(present) }
      let known =
        try store.rail().keys.map { try store.record($0).content } + [present?.content]
      guard !known.contains(where: { contents.content.isSame(as: $0) }) else { return nil }
      let base = try base.map { try store.importBase($0) }
      if isDryRun { return try store.currentVersion(for: self) }
      let name = ConflictedCopyName(copy.lastPathComponent)
      let record = try store.append(
        store.facts(importing: contents, from: name), to: base, of: contents)
      return try store.version(record.id, for: self)
    }
  }
}

extension OpenStore {
  fileprivate func facts(
    importing copy: WorkingCopy, from name: ConflictedCopyName
  ) throws -> Record.Facts {
    var facts = try facts(
      .importCopy, following: divergentHeads().first?.record, content: copy.content,
      modified: copy.modified)
    facts.author = name.author ?? facts.author
    facts.device = name.device ?? facts.device
    return facts
  }

  /// A base for an imported copy: a version that something has followed since, or there is no conflict.
  fileprivate func importBase(_ version: FileVersion) throws -> Record {
    let record = try knownRecord(version)
    guard try !divergentHeads().contains(where: { $0.record.id == record.id }) else {
      throw VersionError(
        .invalidArgument, document: location.printable,
        message: """
          Nothing has followed \(record.shortName) of “\(location.printable)”, so a copy that was made from \
          it is in no conflict.
          """,
        hint: "To take its contents over, replace the document by the copy and save it.")
    }
    return record
  }
}
