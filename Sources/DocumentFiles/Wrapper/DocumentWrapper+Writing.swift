public import Foundation
internal import SystemPackage

extension DocumentWrapper {
  /// Writes the tree, whole or not at all (FW17).
  ///
  /// It is built beside what is there, waited for until it is on the disk, and put in place in one step; a crash
  /// leaves the old or the new document. Files that are as in the original, in bytes and attributes, are not
  /// written again: they get a second name there (a hard link), or are copied where the file system has none. Saving in place
  /// (FW18) is `write(to: url, options: [.atomic, .withNameUpdating], originalContentsURL: url)`.
  ///
  /// With an original, nothing of another program is lost: where a member of what is there was changed or removed
  /// since this was read or written last, or one was added, nothing is written. Then the app reads it again; or
  /// writes without an original, which replaces whatever is there. What was changed here, in memory, does not count; and
  /// of a wrapper that was neither read nor written before, as some apps make one for each save, nothing is known.
  ///
  /// - Parameters:
  ///   - url: where it goes; its folder must exist.
  ///   - options: whether it may replace what is there, and whether the names are noted.
  ///   - originalContentsURL: the revision that this one was read from or written as; nil to write all.
  /// - Throws: ``FileError``: `exists` where something is and `atomic` is not among the options; `changing` where
  ///   that changes meanwhile, or is the original and not as it was, or bytes that are only on disk are not there
  ///   any more; `unsupported-kind` where a folder with versions of documents would be replaced; `too-large` for what could not be read again.
  public func write(
    to url: URL, options: WritingOptions = [], originalContentsURL: URL? = nil
  ) throws {
    let path = try url.filePath
    try checkLimits(at: .at(path))
    var model = DocumentWriter.Model.nothing
    var original: FileStatus?
    if let place = try originalContentsURL?.filePath, let status = try FileStatus.of(place) {
      (model, original) = (.item(place), status)
    }
    let displaced = try listingToReplace(path, options, original: original)
    let writers = try FolderWriters(path.parentFolder)
    let staged = try DocumentWriter.stage(
      path, item(), displacing: displaced, like: model, mark: writers.mark)
    let written = try ItemListing(staged.location, limits: nil)
    try staged.place()
    if let displaced { revisions.remove(displaced.revision) }
    revisions.insert(written.revision)
    if options.contains(.withNameUpdating) {
      let known = revisions
      try adopt(written, at: .at(path), takingContents: false)
      storedName = path.lastName
      revisions = known
    }
    writers.finish()
  }

  /// What is at a path and may be replaced; nil where nothing is.
  ///
  /// - Parameter original: the item that this claims to be made of.
  private func listingToReplace(
    _ path: FilePath, _ options: WritingOptions, original: FileStatus?
  ) throws(FileError) -> ItemListing? {
    guard let status = try FileStatus.of(path) else { return nil }
    guard options.contains(.atomic) else {
      throw FileError(
        .exists, path: path,
        message: "“\(path.printable)” exists already; it is replaced with the option atomic.")
    }
    try StoresFolder.refuseReplacing(path)
    let present = try ItemListing(path, limits: nil)
    if let original, original.isSameItem(as: status), !revisions.isEmpty,
      !revisions.contains(present.revision)
    {
      throw FileError(
        .changing, path: path,
        message: """
          “\(path.printable)” is not what was read or written last; it is untouched. Read it again, or write without \
          an original to replace it.
          """)
    }
    return present
  }

  /// The tree as the writer wants it.
  private func item() throws(FileError) -> DocumentItem {
    switch content {
    case .symbolicLink(let target): return .symbolicLink(target: target)
    case .file:
      let contents = try contents()
      let new = DocumentItem.attributed(
        attributes,
        .file(isExecutable: permissions.map { $0 & 0o100 != 0 } ?? false, contents: contents))
      guard let stored, attributes.isAll(of: stored.status) else { return new }
      return .unchangedIf(stored.status, otherwise: new)
    case .folder:
      var folder = ItemAttributes()
      folder.permissions = permissions
      return .attributed(folder, .folder { try self.memberItems() })
    }
  }

  /// The members as the writer wants them, once it has come to this folder.
  private func memberItems() throws(FileError) -> [(name: [UInt8], item: DocumentItem)] {
    guard case .folder(let members) = content else { return [] }
    var items: [(name: [UInt8], item: DocumentItem)] = []
    for (key, member) in members {
      let name = nameToWrite(of: member, as: key)
      let item = try member.item()
      items.append((name, member.storedName.map { .replacing($0, item) } ?? item))
    }
    items.sort { $0.name.lexicographicallyPrecedes($1.name) }
    return items
  }

  /// A member's key; or the very bytes of the name on disk that the key stands for, or shows.
  func nameToWrite(of member: DocumentWrapper, as key: String) -> [UInt8] {
    if let name = namesOnDisk[key] { return name }
    let shown = Array(key.utf8)
    guard let name = member.storedName, name != shown,
      Array(String(decoding: name, as: UTF8.self).utf8) == shown,
      !namesOnDisk.values.contains(name)
    else { return shown }
    return name
  }

  // MARK: Attributes

  var attributes: ItemAttributes {
    var attributes = ItemAttributes()
    attributes.permissions = permissions
    if let date = fileAttributes[.modificationDate] as? Date {
      // A date is kept as it was read, to the nanosecond, unless somebody set another one.
      let seconds = date.timeIntervalSince1970
      if let modified, abs(Double(modified) / 1e9 - seconds) < 1e-6 {
        attributes.modified = modified
      } else if abs(seconds) < 9e9 {
        attributes.modified = Int64((seconds * 1e9).rounded())
      }
    }
    return attributes
  }

  private var permissions: UInt32? {
    let value = fileAttributes[.posixPermissions]
    // What FileManager tells is an object, which only a cast to a definite type takes for a number. Naming its class
    // would link the older half of Foundation.
    let number: (any BinaryInteger)? = (value as? any BinaryInteger) ?? (value as? Int)
    return number.map { UInt32(truncatingIfNeeded: $0) & 0o7777 }
  }
}
