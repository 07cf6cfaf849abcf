internal import DocumentFiles
internal import DocumentGit
internal import SystemPackage

/// The files that hold objects: whole to the last byte, whether a version needs it or not.
extension StoreExamination {
  func checkObjectFiles() throws {
    var others: Set<ObjectID> = []
    for (name, size) in try repository.packFiles().sorted(by: { $0.key < $1.key }) {
      let check = try repository.check(pack: name, advance: meter.advance)
      note(check, of: name)
      count(check.objects, bytes: size)
      others.formUnion(check.objects)
    }
    let loose = try repository.looseObjects()
    for id in loose.ids { try checkLoose(id) }
    for file in loose.others { noteForeignFile(file) }
    for id in others.union(loose.ids).subtracting(read) { try checkUnneeded(id) }
    noteStrayRecords()
  }

  private func note(_ check: PackCheck, of name: String) {
    guard !check.damage.isEmpty else { return }
    let file = "objects/pack/\(name).pack"
    if check.isHalf, check.objects.isEmpty {
      // A save gives a pack its name an instant before its index gets one.
      notice(
        .leftover, "A pack has no index: an interrupted process left it, or the index is lost.",
        file: file)
    } else {
      damage(.pack, "A pack is damaged: it \(check.damage.joined(separator: ", ")).", file: file)
    }
  }

  private func checkLoose(_ id: ObjectID) throws {
    let name = "\(id)"
    let file = "objects/\(name.prefix(2))/\(name.dropFirst(2))"
    count([id], bytes: try FileStatus.of(location.store.pushing(FilePath(file)))?.size ?? 0)
    do {
      try repository.checkLoose(id)
    } catch {
      if error.isFromSystem { throw error }
      damage(.looseObject, "The file of object \(id) is damaged.", file: file)
    }
  }

  private func noteForeignFile(_ file: String) {
    notice(.leftover, "The file “\(Printable.text(file))” is none of a store.", file: file)
  }

  /// An object that no version needs: damaged all the same, and perhaps a version that was lost.
  private func checkUnneeded(_ id: ObjectID) throws {
    guard unreadable[id] == nil else { return }
    try meter.check()
    do {
      let object = try repository.read(id)
      read.insert(id)
      guard object.kind == .commit else { return }
      let commit = try Commit(decoding: object.bytes)
      if Record.isRecord(commit) {
        strayRecords[id] = try Record(id: id, decoding: commit)
      } else if let content = try contentCommit(id, commit), strayContents[content.record] == nil {
        strayContents[content.record] = id
      }
    } catch let error as GitError {
      if error.isFromSystem { throw error }
      unreadable[id] = error.message
      damage(.pack, "An object that no version needs is damaged: \(id)\(reason(id)).")
    }
  }

  /// A content; nil for what somebody else has put into the store, such as git's notes.
  func contentCommit(_ id: ObjectID, _ commit: Commit) throws -> ContentCommit? {
    do {
      return try ContentCommit(id: id, decoding: commit)
    } catch {
      if error.isFromSystem { throw error }
      return nil
    }
  }

  /// Contents that nothing leads to, of records that are known, by these.
  ///
  /// What was rewritten when others were removed or brought back is kept, only by another commit.
  var forgottenContents: [ObjectID: ObjectID] {
    let kept = Set(contents.values.map(\.record))
    return strayContents.filter { record, _ in
      strayRecords[record] == nil && records[record] != nil && !kept.contains(record)
    }
  }

  private func noteStrayRecords() {
    let forgotten = forgottenContents.keys
    if !forgotten.isEmpty {
      let names = forgotten.sorted().map(\.versionName).joined(separator: ", ")
      notice(
        .unreachable,
        "Nothing leads to contents of \(names) that are still stored: they were removed, or are lost.",
        versions: forgotten)
    }
    guard !strayRecords.isEmpty else { return }
    let names = strayRecords.keys.sorted().map(\.versionName).joined(separator: ", ")
    // An interrupted first save leaves no version that follows another.
    hasLostAllHeads =
      heads.isEmpty && !findings.contains { $0.code == .lostReference }
      && strayRecords.values.contains { !$0.parents.isEmpty }
    guard !hasLostAllHeads else {
      return damage(
        .lostReference, "Nothing leads to any version; these are still stored: \(names).",
        versions: strayRecords.keys)
    }
    notice(
      .unreachable,
      "Nothing leads to \(names): left by an interrupted save, or lost.",
      versions: strayRecords.keys)
  }
}
