public import Foundation
internal import SystemPackage

extension DocumentWrapper {
  /// Writes the tree, whole or not at all.
  ///
  /// It is built beside what is there, waited for until it is on the disk, and put in place in one step; a crash
  /// leaves the old or the new document. Files that are as in the original, in bytes and attributes, are not written
  /// again: they get a second name there (a hard link), or are copied where the file system has none. Saving in place is `write(to: url, options: [.atomic, .withNameUpdating], originalContentsURL: url)`.
  ///
  /// With an original, no change of another program is lost: where a member of what is there was changed or removed
  /// since this was read or written last, or one was added, nothing is written. Then the app reads it again; or writes
  /// without an original, which replaces whatever is there. What was changed here, in memory, does not count; and of a
  /// wrapper that was neither read nor written before, as some apps make one for each save, no state is known.
  ///
  /// - Parameters:
  ///   - url: where it goes; its folder must exist.
  ///   - options: whether it may replace what is there, and whether the names are recorded.
  ///   - originalContentsURL: the revision that this one was read from or written as; nil to write all.
  /// - Throws: ``FileError``: `exists` where something is and `atomic` is not among the options; `changing` where that
  ///   changes meanwhile, or is the original and not as it was, or bytes that are only on disk are not there any more;
  ///   `unsupported-kind` where a folder with versions of documents would be replaced; `too-large` for what could not
  ///   be read again.
  public func write(
    to url: URL, options: WritingOptions = [], originalContentsURL: URL? = nil
  ) throws {
    let path = try url.filePath
    let tree = WrapperTree(self)
    try tree.checkLimits(at: .at(path))
    var model = DocumentWriter.Model.nothing
    var original: FileStatus?
    if let place = try originalContentsURL?.filePath, let status = try FileStatus.of(place) {
      (model, original) = (.item(place), status)
    }
    let displaced = try listingToReplace(path, options, original: original)
    let writers = try FolderWriters(path.parentFolder)
    let staged = try DocumentWriter.stage(
      path, tree.item(), displacing: displaced, like: model, mark: writers.mark)
    let written = try ItemListing(staged.location, limits: nil)
    try staged.place()
    var known = revisions
    known.add(written, replacing: displaced)
    if options.contains(.withNameUpdating) {
      recordWritten(written, at: .at(path))
      storedName = path.lastName
    }
    revisions = known
    writers.finish()
  }

  /// Lists the item at a path that may be replaced; nil where nothing is.
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
    if let original, original.isSameItem(as: status) { try revisions.check(present, at: path) }
    return present
  }
}
