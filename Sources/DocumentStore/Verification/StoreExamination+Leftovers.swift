internal import DocumentFiles
internal import DocumentGit
internal import SystemPackage

/// What lies beside the versions: copies that were handed out, notes, and what interrupted processes left.
extension StoreExamination {
  /// Every copy in `checkouts/<record>/` must be what its version is.
  func checkCheckouts() throws {
    let folder = location.store.appending("checkouts")
    guard try FileStatus.of(folder)?.kind == .folder else { return }
    for name in try Folder.names(in: folder) {
      let place = "checkouts/" + String(decoding: name, as: UTF8.self)
      let path = folder.appending(bytes: name)
      guard let id = ObjectID(hexadecimal: name), let record = records[id],
        try FileStatus.of(path)?.kind == .folder
      else {
        notice(.checkout, "A copy of a version is kept that is not known.", file: place)
        continue
      }
      for copy in try Folder.names(in: path) where !Self.isTemporary(copy) {
        try check(path.appending(bytes: copy), against: record, place: place)
      }
    }
  }

  private func check(_ copy: FilePath, against record: Record, place: String) throws {
    try meter.check()
    var isSame = false
    do {
      isSame = try WorkingCopy.read(copy, named: "copy").content.isSame(as: record.content)
    } catch let error as FileError where error.code != .notPermitted && error.code != .system {}
    if !isSame {
      damage(
        .checkout,
        "The copy of \(record.shortName) that was handed out is not what the version is.",
        file: place, versions: [record.id])
    }
  }

  /// Locks, passing files, stores that were begun, and an unreadable note.
  func checkLeftovers() throws {
    for name in references.locks { noteLeftover(name, in: "The store") }
    for name in try names(in: location.store)
    where name.hasSuffix(".lock") || name.hasSuffix(".new") {
      noteLeftover(name, in: "The store")
    }
    for name in try names(in: location.store.pushing("objects/pack"))
    where repository.isLeftover(pack: name) {
      noteLeftover("objects/pack/\(name)", in: "The store")
    }
    for name in try names(in: location.store.parentFolder) where Layout.isTemporary(name) {
      noteLeftover(name, in: "The folder of stores")
    }
    for name in try names(in: location.document.parentFolder)
    where Self.isTemporary(Array(name.utf8)) {
      noteLeftover(name, in: "The document’s folder")
    }
    let note = location.store.appending("working-file")
    if try FileStatus.of(note) != nil, try isUnreadableNote() {
      notice(
        .workingFile, "The note about the document’s file can’t be read; it is made again.",
        file: "working-file")
    }
  }

  private func isUnreadableNote() throws -> Bool {
    do {
      return try WorkingFileNote(in: location.store) == nil
    } catch let error as FileError where error.code == .tooLarge {
      damage(.workingFile, "The note about the document’s file is too large.", file: "working-file")
      return false
    } catch let error as FileError where error.code == .unsupportedKind {
      // That is told already.
      return false
    }
  }

  private func noteLeftover(_ name: String, in place: String) {
    notice(
      .leftover, "\(place) has a “\(Printable.text(name))”: a process is at work, or left it.",
      file: name)
  }

  /// Whether a name is that of a document that was being put in place.
  private static func isTemporary(_ name: [UInt8]) -> Bool {
    name.starts(with: ".docversions-".utf8) && name.suffix(4) == Array(".tmp".utf8)[...]
  }

  private func names(in folder: FilePath) throws -> [String] {
    guard try FileStatus.of(folder)?.kind == .folder else { return [] }
    return try Folder.names(in: folder).map { String(decoding: $0, as: UTF8.self) }
  }
}
