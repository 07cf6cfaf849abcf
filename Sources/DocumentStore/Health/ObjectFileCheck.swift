internal import DocumentFiles
internal import DocumentGit
internal import SystemPackage

/// Checks the files that hold objects, to the last byte, needed by a version or not.
struct ObjectFileCheck {
  let store: FilePath
  let objects: StoredObjects
  let findings: FindingList

  /// The stored objects, and their size in bytes.
  struct Summary {
    private(set) var objects: Set<ObjectID> = []
    private(set) var bytes = 0

    fileprivate mutating func add(_ objects: some Sequence<ObjectID>, bytes: Int) {
      self.objects.formUnion(objects)
      self.bytes += bytes
    }
  }

  /// - Parameter history: receives the versions that no head leads to.
  func run(_ history: inout StoredHistory) throws -> Summary {
    var summary = Summary()
    for (name, size) in try objects.repository.packFiles().sorted(by: { $0.key < $1.key }) {
      let check = try objects.repository.check(pack: name, advance: objects.meter.advance)
      report(check, of: name)
      summary.add(check.objects, bytes: size)
    }
    let loose = try objects.repository.looseObjects()
    for id in loose.ids { try summary.add([id], bytes: checkLoose(id)) }
    for file in loose.others {
      findings.notice(
        .leftover, "The file “\(Printable.text(file))” doesn’t belong in a store.", file: file)
    }
    for id in summary.objects.subtracting(objects.read) { try checkUnneeded(id, &history) }
    return summary
  }

  private func report(_ check: PackCheck, of name: String) {
    guard !check.damage.isEmpty else { return }
    let file = StoreFile.packs.prefix + name + ".pack"
    if check.isHalf, check.objects.isEmpty {
      // A save gives a pack its name an instant before it names the index.
      findings.notice(
        .leftover, "A pack has no index: an interrupted process left it, or the index is lost.",
        file: file)
    } else {
      findings.damage(
        .pack, "A pack is damaged: it \(check.damage.joined(separator: ", ")).", file: file)
    }
  }

  /// - Returns: the file's size in bytes.
  private func checkLoose(_ id: ObjectID) throws -> Int {
    let name = "\(id)"
    let file = StoreFile.objects.prefix + "\(name.prefix(2))/\(name.dropFirst(2))"
    do {
      try objects.repository.checkLoose(id)
    } catch {
      if error.isFromSystem { throw error }
      findings.damage(.looseObject, "The file of object \(id) is damaged.", file: file)
    }
    return try FileStatus.of(store.pushing(FilePath(file)))?.size ?? 0
  }

  /// Checks an object that no version needs; it may be damaged, or may be a lost version.
  private func checkUnneeded(_ id: ObjectID, _ history: inout StoredHistory) throws {
    guard objects.unreadable[id] == nil else { return }
    let isRead = try objects.object(id).map { object in
      try object.kind != .commit
        || objects.reading(id) { try add(id, Commit(decoding: object.bytes), &history) } != nil
    }
    if isRead != true {
      findings.damage(
        .pack, "An object that no version needs is damaged: \(id)\(objects.reason(id)).")
    }
  }

  private func add(_ id: ObjectID, _ commit: Commit, _ history: inout StoredHistory) throws {
    if Record.isRecord(commit) {
      history.unreached.records[id] = try Record(id: id, decoding: commit)
    } else if let content = try objects.content(id, from: commit),
      history.unreached.contents[content.record] == nil
    {
      history.unreached.contents[content.record] = id
    }
  }

  // MARK: Unreachable objects

  /// Reports the versions and contents that no head leads to.
  ///
  /// - Returns: whether all heads are lost and the ledger doesn't name them.
  func reportUnreached(_ history: StoredHistory) -> Bool {
    let forgotten = history.forgottenContents.keys
    if !forgotten.isEmpty {
      let names = forgotten.sorted().map(\.versionName).joined(separator: ", ")
      findings.notice(
        .unreachable,
        "Nothing leads to contents of \(names) that are still stored: they were removed, or are lost.",
        versions: forgotten)
    }
    let records = history.unreached.records
    guard !records.isEmpty else { return false }
    let names = records.keys.sorted().map(\.versionName).joined(separator: ", ")
    // An interrupted first save leaves no version that follows another.
    let hasLostAllHeads =
      history.heads.isEmpty && !findings.all.contains { $0.code == .lostReference }
      && records.values.contains { !$0.parents.isEmpty }
    if hasLostAllHeads {
      findings.damage(
        .lostReference, "Nothing leads to any version; these are still stored: \(names).",
        versions: records.keys)
    } else {
      findings.notice(
        .unreachable, "Nothing leads to \(names): left by an interrupted save, or lost.",
        versions: records.keys)
    }
    return hasLostAllHeads
  }
}
