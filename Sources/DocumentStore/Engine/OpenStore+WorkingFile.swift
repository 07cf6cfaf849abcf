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
  func show(_ record: Record, replacing present: WorkingCopy?) throws {
    if record.content == nil {
      if let present { try DocumentWriter.remove(location.document, displacing: present.facts) }
    } else if !(present.map { $0.content.isSame(as: record.content) } ?? false) {
      try Folder.create(location.document.parentFolder)
      try DocumentWriter.replace(
        location.document, with: item(of: record, replacing: present?.content),
        displacing: present?.facts)
    }
    try setBase(record)
  }

  /// Notes the version that the document on disk shows.
  func setBase(_ record: Record) throws {
    if try repository.head() != record.id { try repository.setHead(record.id) }
    try rememberWorkingFile()
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
  /// that equals the head already needs only be noted; any other is an edit on the old base, and stays.
  func finishInterruptedChange() throws {
    guard let base = try base() else { return }
    let heads = try divergentHeads()
    guard !heads.contains(where: { $0.record.id == base.id }) else { return }
    let followers = try heads.map(\.record).filter { try isAncestor(base.id, of: $0.id) }
    let present = try WorkingCopy.read(location)
    if let reached = followers.first(where: { isShown($0, present) }) {
      try setBase(reached)
    } else if let next = followers.first, isShown(base, present) {
      try show(next, replacing: present)
    }
  }

  private func isShown(_ record: Record, _ present: WorkingCopy?) -> Bool {
    guard let present else { return record.content == nil }
    return present.content.isSame(as: record.content)
  }

  // MARK: Recognising the document after a rename

  private var workingFilePath: FilePath { location.store.appending("working-file") }

  /// Notes which file the document is, so that it is known again under another name.
  private func rememberWorkingFile() throws {
    guard let mark = try WorkingFileMark(of: location.document) else { return }
    try SmallFile.replaceCache(workingFilePath, Array(mark.text.utf8))
  }
}

/// Which file a document is: what stays the same when it is renamed.
struct WorkingFileMark: Equatable {
  /// One line of text.
  let text: String

  /// The mark of the item at a path; nil when nothing is there.
  init?(of path: FilePath) throws {
    guard let status = try FileStatus.of(path) else { return nil }
    text = "\(status.device) \(status.inode) \(FileStatus.birthTime(of: path))\n"
  }

  /// The mark that a store noted last; nil when it noted none.
  init?(notedIn store: FilePath) throws {
    guard let bytes = try SmallFile.read(store.appending("working-file")) else { return nil }
    text = String(decoding: bytes, as: UTF8.self)
  }
}
