internal import CFileSystem
package import SystemPackage

#if canImport(Glibc)
internal import Glibc
#else
internal import Darwin
#endif

/// Puts documents in place, whole or not at all.
///
/// The new item is built beside the old one, made durable, and exchanged with it in one step; so a crash
/// at any moment leaves the old or the new document, never a part. What is displaced is looked at
/// once more before it goes: an edit made in the last instant is put back, not lost.
package enum DocumentWriter {
  /// Whose attributes and unchanged members a new item takes over.
  package enum Model {
    case displaced, nothing
    case item(FilePath)
  }

  /// Replaces the document at a path, or creates it.
  ///
  /// Permissions, extended attributes and ownership come from the old item; members of a package that
  /// did not change stay the same files.
  ///
  /// - Parameters:
  ///   - path: where the document goes; its folder must exist.
  ///   - item: the new document.
  ///   - displacing: what was read from the path, or nil where nothing may be there.
  ///   - model: whose attributes and unchanged members are taken over.
  ///   - mark: for ``Leftovers``; letters and digits.
  ///   - progress: called with the number of bytes just read and being written; what it throws ends the writing.
  /// - Throws: ``FileError`` with code `changing` when the item at the path is not the displaced one
  ///   any more; it is left as it is.
  package static func replace(
    _ path: FilePath, with item: DocumentItem, displacing old: ItemListing?,
    like model: Model = .displaced, mark: String? = nil,
    progress: @escaping (Int) throws -> Void = { _ in }
  ) throws {
    try stage(path, item, displacing: old, like: model, mark: mark, progress: progress).place()
  }

  /// Builds a new document beside the one that it shall replace; nothing is replaced yet.
  ///
  /// - Parameters: as of ``replace(_:with:displacing:like:mark:progress:)``, and:
  ///   - note: told of each file that was written, but for large ones.
  /// - Returns: the new document, which goes unless it is placed.
  package static func stage(
    _ path: FilePath, _ item: DocumentItem, displacing old: ItemListing?,
    like model: Model = .displaced, mark: String? = nil, noting note: WrittenFileNote? = nil,
    progress: @escaping (Int) throws -> Void = { _ in }
  ) throws -> StagedItem {
    let parent = path.parentFolder
    let staged = StagedItem(path, displacing: old, mark: mark)
    let builder = try ItemBuilder(in: OpenFolder(parent), noting: note, progress: progress)
    let former: FilePath? =
      switch model {
      case .displaced: old == nil ? nil : path
      case .nothing: nil
      case .item(let path): path
      }
    do {
      try builder.build(
        item, named: staged.location.lastName,
        like: former.flatMap { try ItemBuilder.Old(OpenFolder($0.parentFolder), $0.lastName) })
      try builder.unfinished.finish()
    } catch {
      // Before what was built is removed.
      builder.unfinished.abandon()
      throw error
    }
    return staged
  }

  /// Builds items in a folder that holds none of these names yet; all of it is durable on return.
  package static func build(
    _ items: [(name: String, item: DocumentItem)], in path: FilePath
  ) throws {
    let folder = try OpenFolder(path)
    let builder = try ItemBuilder(in: folder)
    for (name, item) in items { try builder.build(item, named: Array(name.utf8), like: nil) }
    try builder.unfinished.add(UnfinishedFolder(folder.duplicate(), permissions: nil))
    try builder.unfinished.finish()
  }

  /// A document that is built, durable, and waits beside its place.
  package final class StagedItem {
    /// Where it is.
    package let location: FilePath
    private let path: FilePath
    private let displaced: ItemListing?
    /// Where what it displaces goes.
    private let displacedPlace: FilePath
    private let mark: String?

    fileprivate init(_ path: FilePath, displacing displaced: ItemListing?, mark: String?) {
      let name = TemporaryName(mark: mark)
      location = path.parentFolder.appending(name.new)
      displacedPlace = path.parentFolder.appending(name.old)
      self.path = path
      self.displaced = displaced
      self.mark = mark
    }

    deinit {
      // Once placed, nothing is there. What cannot be removed is for whoever comes for the leftovers.
      do { try Folder.removeTree(location) } catch {}
    }

    /// Puts it in its place; durable on return.
    ///
    /// - Throws: ``FileError`` with code `changing` when the item there is not the displaced one any more; it is
    ///   left as it is.
    package func place() throws {
      if let displaced {
        try exchange(location, as: displacedPlace, with: path, displacing: displaced)
      } else {
        try renameNew(location, to: path)
      }
      try Folder.synchronize(path.parentFolder)
      if displaced != nil { try discard(displacedPlace, as: location, mark: mark) }
    }
  }

  /// Removes the document at a path if it still is the one that was read.
  ///
  /// - Parameter mark: for ``Leftovers``.
  package static func remove(
    _ path: FilePath, displacing old: ItemListing, mark: String? = nil
  ) throws {
    let parent = path.parentFolder
    let name = TemporaryName(mark: mark)
    let temporary = parent.appending(name.old)
    try renameNew(path, to: temporary)
    guard try old.isUnchanged(at: temporary) else {
      try renameNew(temporary, to: path)
      throw changedMeanwhile(path)
    }
    try Folder.synchronize(parent)
    try discard(temporary, as: parent.appending(name.new), mark: mark)
  }

  /// Moves an item to a place where nothing is.
  ///
  /// Durable on return.
  package static func move(_ path: FilePath, to target: FilePath) throws {
    try renameNew(path, to: target)
    try Folder.synchronize(target.parentFolder)
    if target.parentFolder != path.parentFolder { try Folder.synchronize(path.parentFolder) }
  }

  /// Takes the permission to write from an item and all it holds.
  package static func makeReadOnly(_ path: FilePath) throws {
    guard let status = try FileStatus.of(path), status.kind != .symbolicLink else { return }
    if status.kind == .folder {
      for name in try Folder.names(in: path) { try makeReadOnly(path.appending(bytes: name)) }
    }
    let result = path.withPlatformString { chmod($0, mode_t(status.permissions & ~0o222)) }
    guard result == 0 else { throw FileError.failed(to: "set the permissions of", path, .current) }
  }

  /// Removes what was displaced and is nobody's last edit, now that the change is made.
  ///
  /// Should that fail, the change stands all the same, and whoever comes for ``Leftovers`` tries again.
  ///
  /// - Parameter unfinished: a name that tells them so.
  private static func discard(
    _ item: FilePath, as unfinished: FilePath, mark: String?
  ) throws {
    do {
      try renameNew(item, to: unfinished)
      try Folder.removeTree(unfinished)
    } catch  where mark != nil {}
  }

  /// Removes what was built when a step fails; a failure of that would only hide the one that matters.
  private static func discarding<Result>(
    _ temporary: FilePath, unless step: () throws -> Result
  ) throws -> Result {
    do {
      return try step()
    } catch {
      do { try Folder.removeTree(temporary) } catch {}
      throw error
    }
  }

  private static func exchange(
    _ new: FilePath, as temporary: FilePath, with path: FilePath, displacing old: ItemListing
  ) throws {
    guard try old.isUnchanged(at: path) else {
      throw changedMeanwhile(path)
    }
    try renameNew(new, to: temporary)
    let isExchanged = try discarding(temporary) { try swap(temporary, path) }
    guard isExchanged, try !old.isUnchanged(at: temporary) else {
      return
    }
    // What was displaced is somebody’s last edit: should it not go back, it stays where it is.
    _ = try swap(temporary, path)
    try discarding(temporary) { throw changedMeanwhile(path) }
  }

  /// - Returns: false where the file system can only replace, and the displaced file is gone.
  private static func swap(_ first: FilePath, _ second: FilePath) throws(FileError) -> Bool {
    guard let cause = try failure(of: docversions_rename_exchange, first, second) else {
      return true
    }
    // Some network and FAT file systems cannot exchange. A file can still replace a file.
    guard cause.isUnknownRename,
      try FileStatus.of(first)?.kind != .folder, try FileStatus.of(second)?.kind != .folder
    else { throw .failed(to: "replace", second, cause) }
    try renameOver(first, second)
    return false
  }

  /// Renames in one step over whatever file is there.
  static func renameOver(_ path: FilePath, _ target: FilePath) throws(FileError) {
    if let cause = try failure(of: rename, path, target) {
      throw .failed(to: "replace", target, cause)
    }
  }

  private static func renameNew(_ path: FilePath, to target: FilePath) throws(FileError) {
    guard let cause = try failure(of: docversions_rename_no_replace, path, target) else { return }
    guard cause.isUnknownRename else {
      throw .failed(to: "create", target, cause)
    }
    guard try FileStatus.of(target) == nil else { throw .failed(to: "create", target, .fileExists) }
    try renameOver(path, target)
  }

  /// Gives an item another name.
  ///
  /// Some network file systems report a failure for what was done: where the item is then decides.
  ///
  /// - Parameter call: one of the system's ways to rename.
  /// - Returns: why it was not done; nil when it was.
  private static func failure(
    of call: (UnsafePointer<CChar>, UnsafePointer<CChar>) -> Int32, _ path: FilePath,
    _ target: FilePath
  ) throws(FileError) -> Errno? {
    let item = try FileStatus.of(path)
    let result = path.withPlatformString { path in target.withPlatformString { call(path, $0) } }
    if result == 0 { return nil }
    let cause = Errno.current
    guard let item, try FileStatus.of(target)?.isSameItem(as: item) == true else { return cause }
    // A second name of the same file was there before.
    return try FileStatus.of(path)?.isSameItem(as: item) == true ? cause : nil
  }

  private static func changedMeanwhile(_ path: FilePath) -> FileError {
    FileError(
      .changing, path: path, message: "“\(path.printable)” was changed meanwhile; it is untouched.")
  }
}

extension Errno {
  /// Whether the file system, or the kernel, does not know this way to rename.
  fileprivate var isUnknownRename: Bool {
    self == .invalidArgument || self == .notSupported || self == .noFunction
  }
}

extension FilePath {
  /// The folder that holds the item; "." for a bare name.
  package var parentFolder: FilePath {
    let parent = removingLastComponent()
    return parent.isEmpty ? "." : parent
  }
}
