internal import DocumentFiles
internal import DocumentGit
package import SystemPackage

/// Writing the document on disk, and recording which version it shows.
extension StoreWriter {
  /// Replaces the document with a version, and records it as the base of the next save.
  ///
  /// - Parameters:
  ///   - record: the version to show; a deletion removes the document.
  ///   - present: the document that was read; `nil` if there is none; it must be stored already.
  ///   - staged: the version's document, if it was staged before.
  ///   - former: the references from before the version was made, which are restored if the document can't be
  ///     replaced; `nil` if the version stays.
  func show(
    _ record: Record, replacing present: WorkingCopy?, staged: StagedVersion? = nil,
    orElse former: ReferenceState? = nil
  ) throws {
    guard let content = record.content else {
      if let present {
        try rollingBack(to: former) {
          try LiveDatabase.refuseWriting(location.document)
          try StoreReadership(of: location).narrow(to: present.readership)
          try unlessMadeAnew(location) {
            try DocumentWriter.remove(
              location.document, displacing: present.listing,
              mark: reader.documentIdentifier.description)
          }
        }
      }
      return try setBase(record)
    }
    let staged = try rollingBack(to: former) {
      let staged = try staged ?? stage(record, replacing: present)
      if staged != nil { try Arrivals.record(record, in: reader) }
      // A document that wasn't here is known by its file, should an edit follow a crash.
      if present == nil, let staged {
        tidyUp { try reader.document.recordFile(staged.item.location) }
      }
      try unlessMadeAnew(location) { try staged?.item.place() }
      return staged
    }
    try setBase(record)
    if let staged { tidyUp { try staged.recordMembers(of: content.tree, in: reader) } }
  }

  /// Writes a settling version over the document, unless the document is edited.
  ///
  /// - Parameter settled: the heads that were settled; a document that shows one of them is updated.
  func showIfClean(
    _ record: Record, shown: Record?, settling settled: [Head], replacing present: WorkingCopy?
  ) throws {
    guard let shown, settled.contains(where: { $0.record.id == shown.id }) else { return }
    try show(record, replacing: present)
  }

  /// Writes a version, or the one member in which it differs, beside the document.
  ///
  /// This may take long, fail, or be canceled, but changes nothing yet.
  ///
  /// - Parameters: those of ``show(_:replacing:staged:orElse:)``.
  /// - Returns: the staged version; `nil` if there is nothing to write.
  package func stage(_ record: Record, replacing present: WorkingCopy?) throws -> StagedVersion? {
    guard let content = record.content, present?.content.isSame(as: content) != true else {
      return nil
    }
    try LiveDatabase.refuseWriting(location.document)
    let item = try reader.contents.item(of: record, replacing: present?.content)
      .recorded(
        present == nil
          ? reader.permissions(of: record, replacing: nil) : record.facts.permissions)
    if let permissions = record.facts.permissions {
      try StoreReadership(of: location).narrow(to: permissions.readership)
    }
    try Folder.create(location.document.parentFolder)
    reader.meter.expect(record.facts.bytes)
    return try StagedVersion(
      item, isPackage: content.isPackage, replacing: present,
      modified: record.facts.modifiedInNanoseconds, in: reader)
  }

  // MARK: The version that the document shows

  /// Records the version that the document on disk shows.
  ///
  /// - Parameter item: the location of the document; by default its own.
  package func setBase(_ record: Record, shownBy item: FilePath? = nil) throws {
    let isMain = try heads.all().contains { $0.name == HeadName.main && $0.record.id == record.id }
    let head = isMain ? RepositoryHead.attached(HeadName.main) : .detached(record.id)
    if try heads.repositoryHead() != head { try setHead(head) }
    let path = record.facts.path.hasBytes(of: location.path) ? location.path : nil
    // An item in the place of a deleted document is another one.
    let file = record.content == nil ? nil : item ?? location.document
    tidyUp { try reader.document.recordFile(file, path: path) }
  }

  /// Completes a change that a crash interrupted between moving a head and writing the document.
  ///
  /// In that case, a head follows the base. A document that equals the base is updated; a document that already equals
  /// the head is only recorded; any other document is an edit of the old base, and stays. So does a document whose next
  /// version isn't on this device.
  package func finishInterruptedChange() throws {
    let divergent = try heads.divergent()
    guard let base = try heads.base() else {
      // The very first save, or arrival: its version exists, and so does the document, which may be edited by now.
      let present = divergent.isEmpty ? nil : try reader.document.copy()
      if let present,
        let head = try reader.document.shown(present, among: divergent, orWritten: true)
      {
        try setBase(head.record)
      }
      return
    }
    guard !divergent.contains(where: { $0.record.id == base.id }) else { return }
    let followers = try divergent.filter {
      try reader.objects.isAncestor(base.id, of: $0.record.id)
    }
    let present = try reader.document.copy()
    let isBack = base.content == nil
    if let reached = try reader.document.shown(present, among: followers, orWritten: isBack) {
      try setBase(reached.record)
    } else if let next = followers.first, !next.lacksContent,
      try reader.document.isAsIn(base, present), try reader.contents.canBeWritten(next.record)
    {
      do {
        try show(next.record, replacing: present)
      } catch let error as FileError where error.code == .busy {
        // A program has it open for writing; the version is shown later.
      }
    }
  }

  // MARK: Stat cache

  /// Records the files of the document that was just saved, so that they are not read again.
  ///
  /// Reading a small document costs no more than reading the cache would.
  func recordMembers(of copy: WorkingCopy) throws {
    let isWorthwhile = copy.content.isPackage || copy.content.bytes > ChunkedFile.threshold
    guard isWorthwhile, !copy.isKnown else { return }
    tidyUp {
      try copy.recordMembers(in: location.store, leastAge: reader.document.leastAge())
    }
    recordChunks(copy.chunks, of: copy.content)
  }

  /// Records the chunks of large files that were read, if there are new ones.
  func recordChunks(_ chunks: CachedChunks?, of content: DocumentContent) {
    guard let chunks, chunks.hasNew else { return }
    tidyUp { try chunks.write(in: location.store, documentSize: content.bytes) }
  }
}

/// Replaces or removes a document; while it is absent, another program may create a new one.
private func unlessMadeAnew(_ location: DocumentLocation, _ body: () throws -> Void) throws {
  do {
    try body()
  } catch let error as FileError where error.code == .exists {
    throw FileError(
      .changing, path: location.document,
      message: "“\(location.printable)” was created again in the meantime; it is untouched.")
  }
}
