internal import DocumentFiles
internal import DocumentGit
internal import SystemPackage

/// The document on disk and the version that it shows.
extension OpenStore {
  /// Puts a version in the document's place, and notes it as the base of the next save.
  ///
  /// - Parameters:
  ///   - record: the version to show; a deletion removes the document.
  ///   - present: the document as it was read, or nil where there is none; it must be stored already.
  ///   - staged: the document that the version is, where it was staged before.
  ///   - former: what the references were at before the version was made that is shown, to be taken back should the
  ///     document not be replaceable; nil where the version stays.
  func show(
    _ record: Record, replacing present: WorkingCopy?, staged: StagedVersion? = nil,
    orElse former: ReferenceState? = nil
  ) throws {
    guard let content = record.content else {
      if let present {
        try orTakingBack(to: former) {
          try unlessMadeAnew {
            try DocumentWriter.remove(
              location.document, displacing: present.listing, mark: documentIdentifier)
          }
        }
      }
      return try setBase(record)
    }
    let staged = try orTakingBack(to: former) {
      let staged = try staged ?? stage(record, replacing: present)
      try unlessMadeAnew { try staged?.item.place() }
      return staged
    }
    try setBase(record)
    if let staged { tidyUp { try staged.noteMembers(of: content.tree, in: self) } }
  }

  /// Replaces or removes the document; where nothing is for a moment, somebody else may make one.
  private func unlessMadeAnew(_ body: () throws -> Void) throws {
    do {
      try body()
    } catch let error as FileError where error.code == .exists {
      throw FileError(
        .changing, path: location.document,
        message: "“\(location.printable)” was made anew meanwhile; it is untouched.")
    }
  }

  /// Writes a version beside the document's place, or the one member in which it differs: what takes long, and may
  /// fail or be stopped, while nothing is changed yet.
  ///
  /// - Parameters: as of ``show(_:replacing:staged:orElse:)``.
  /// - Returns: nil where there is nothing to write.
  func stage(_ record: Record, replacing present: WorkingCopy?) throws -> StagedVersion? {
    guard let content = record.content, present?.content.isSame(as: content) != true else {
      return nil
    }
    let item = try item(of: record, replacing: present?.content)
    try Folder.create(location.document.parentFolder)
    meter.expect(record.facts.bytes)
    return try StagedVersion(item, isPackage: content.isPackage, replacing: present, in: self)
  }

  /// Notes the version that the document on disk shows.
  func setBase(_ record: Record) throws {
    let isMain = try allHeads().contains { $0.name == Head.main && $0.record.id == record.id }
    let head = isMain ? RepositoryHead.attached(Head.main) : .detached(record.id)
    if try repositoryHead() != head { try setHead(head) }
    tidyUp { try noteWorkingFile(showing: record) }
  }

  /// The version that the document on disk shows, unchanged; nil when it has edits of its own.
  func shownVersion(_ present: WorkingCopy?) throws -> Record? {
    guard let base = try base() else { return nil }
    guard let present else { return base.content == nil ? base : nil }
    return present.content.isSame(as: base.content) ? base : nil
  }

  /// Finishes what a crash between moving a head and writing the document left undone.
  ///
  /// The base is then a version that a head follows. A document that equals the base is brought forward; one
  /// that equals the head already needs only be noted; any other is an edit on the old base, and stays. So does
  /// a document whose next version is not on this device.
  func finishInterruptedChange() throws {
    let heads = try divergentHeads()
    guard let base = try base() else {
      // The first save of all: its version is there, and the document that it was made from.
      let present = heads.isEmpty ? nil : try workingCopy()
      if let present, let saved = heads.first(where: { isShown($0.record, present) }) {
        try setBase(saved.record)
      }
      return
    }
    guard !heads.contains(where: { $0.record.id == base.id }) else { return }
    let followers = try heads.filter { try isAncestor(base.id, of: $0.record.id) }
    let present = try workingCopy()
    if let reached = followers.first(where: { isShown($0.record, present) }) {
      try setBase(reached.record)
    } else if let next = followers.first, !next.isBare, isShown(base, present) {
      try show(next.record, replacing: present)
    }
  }

  private func isShown(_ record: Record, _ present: WorkingCopy?) -> Bool {
    guard let present else { return record.content == nil }
    return present.content.isSame(as: record.content)
  }

  // MARK: Reading it

  /// The document as it is on disk, of which only what changed since the last save is read; nil when there is none.
  func workingCopy() throws -> WorkingCopy? {
    try WorkingCopy.read(location, knowing: knownMembers(), meter: meter)
  }

  /// How the document on disk relates to its versions.
  ///
  /// - Throws: ``VersionError`` with code `noVersions` where the first save did not come to its end.
  func documentState() throws -> DocumentState {
    let present = try workingCopy()
    let base = try base()
    guard try base != nil || !divergentHeads().isEmpty else { throw location.noVersionsHere }
    guard let present else {
      return base.map { $0.content == nil } == true ? .deleted : .missing
    }
    return present.content.isSame(as: base?.content) ? .unchanged : .edited
  }

  /// The document where only some members changed since the version that it shows; nil where that is no package, or is
  /// not on this device.
  func partialCopy(changed members: [String]) throws -> PartialCopy? {
    guard let base = try base(), let content = base.content, content.isPackage,
      try self.content(of: base.id) != nil
    else { return nil }
    return try PartialCopy(
      members, of: base, content: content, knowing: knownMembers(),
      unchangedSince: FileClock.system.now &- leastAge(), in: self)
  }

  /// Files that the version which the document shows was made of.
  private func knownMembers() throws -> KnownMembers? {
    guard let base = try base(), let tree = base.content?.tree, try content(of: base.id) != nil
    else { return nil }
    return KnownMembers(in: location.store, of: tree)
  }

  /// Notes the files of the document that was just saved, so that they are not read again.
  ///
  /// Reading a small document costs no more than reading the note would.
  func noteKnownMembers(_ copy: WorkingCopy) throws {
    let isWorthwhile = copy.content.isPackage || copy.content.bytes > ChunkedFile.threshold
    guard isWorthwhile, !copy.isKnown else { return }
    tidyUp { try copy.noteMembers(in: location.store, leastAge: leastAge()) }
    noteChunks(copy.chunks, of: copy.content)
  }

  /// How long the document's files must have been left alone to be noted, in nanoseconds.
  private func leastAge() throws -> Int64 {
    let isPackage = try FileStatus.of(location.document)?.kind == .folder
    let folder = isPackage ? location.document : location.document.parentFolder
    return try Folder.stampsEachChange(folder) ? 0 : KnownMembers.leastAge
  }

  /// Notes the chunks of large files that were read, where there are new ones.
  func noteChunks(_ chunks: KnownChunks?, of content: DocumentContent) {
    guard let chunks, chunks.hasNew else { return }
    tidyUp { try chunks.write(in: location.store, documentSize: content.bytes) }
  }

  // MARK: Which file the document is, and where it was put

  /// Notes which file the document is, so that it is known again under another name.
  ///
  /// The place is noted where the version has it as its own. Otherwise the document is where an exchange
  /// put it, or where somebody moved it to; the note tells these apart, so it stays.
  private func noteWorkingFile(showing record: Record) throws {
    let former = try workingFileNote()
    let isOwnName = record.facts.path.hasBytes(of: location.path)
    let path = isOwnName ? location.path : former?.path ?? location.path
    let mark = try WorkingFileNote.mark(of: location.document) ?? former?.mark ?? ""
    try setWorkingFileNote(WorkingFileNote(mark: mark, path: path))
  }

  /// The path that a version made from another one has: where the document is, if somebody moved it
  /// there.
  ///
  /// A document that is merely shown under another name, because its own is taken, keeps its name.
  func documentPath(following base: Record?) throws -> String {
    guard let base, try workingFileNote()?.path.hasBytes(of: location.path) == true else {
      return location.path
    }
    return base.facts.path
  }

  /// Whether somebody moved the document since the version that it shows.
  var isRenamed: Bool {
    get throws {
      try base().map { try !documentPath(following: $0).hasBytes(of: $0.facts.path) } ?? false
    }
  }
}
