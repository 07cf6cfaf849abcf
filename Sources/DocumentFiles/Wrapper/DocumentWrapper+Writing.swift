public import Foundation
internal import SystemPackage

extension DocumentWrapper {
  /// Writes the tree atomically.
  ///
  /// The new tree is built beside the destination, written to disk, and put in place in one step; a crash leaves either
  /// the old document or the new one. Files whose bytes and attributes are those of the original aren't written again:
  /// they are hard-linked, or copied if the file system doesn't support that. To save in place, call `write(to: url,
  /// options: [.atomic, .withNameUpdating], originalContentsURL: url)`.
  ///
  /// With an original, no change of another program is lost: if a member was changed, removed or added on disk since
  /// the last read or write, nothing is written. The app can then read the document again, or write without an
  /// original, which replaces any existing item. Changes in memory don't count. A wrapper that was neither read nor
  /// written before has no known state, for example if an app creates one for each save.
  ///
  /// - Parameters:
  ///   - url: the destination, whose folder must exist.
  ///   - options: whether to replace an existing item, and whether to record the names.
  ///   - originalContentsURL: the document as it was last read or written; `nil` to write all files.
  /// - Throws: ``FileError``: `exists` if an item exists and the options don't contain `atomic`; `changing` if the item
  ///   changes during the write, the original has changed, or bytes that are only on disk are no longer there;
  ///   `unsupported-kind` if a container would be replaced; `too-large` for a tree that couldn't be read again.
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

  /// Lists the item at a path that is to be replaced; `nil` if there is none.
  ///
  /// - Parameter original: the item on which this is expected to be based.
  private func listingToReplace(
    _ path: FilePath, _ options: WritingOptions, original: FileStatus?
  ) throws(FileError) -> ItemListing? {
    guard let status = try FileStatus.of(path) else { return nil }
    guard options.contains(.atomic) else {
      throw FileError(
        .exists, path: path,
        message: "“\(path.printable)” already exists; the option “atomic” replaces it.")
    }
    try StoresFolder.refuseReplacing(path)
    let present = try ItemListing(path, limits: nil)
    if let original, original.isSameItem(as: status) { try revisions.check(present, at: path) }
    return present
  }
}
