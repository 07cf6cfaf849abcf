package import SystemPackage

#if canImport(Glibc)
internal import Glibc
#else
internal import Darwin
#endif

/// Puts documents in place, whole or not at all.
///
/// The new item is built beside the old one, made durable, and exchanged with it in one step; so a crash
/// at any moment leaves the old or the new document, never a part. The displaced item is compared with what was read
/// before it goes: an edit made in the last instant is put back, not lost.
package enum DocumentWriter {
  /// The item whose attributes and unchanged members a new one takes over.
  package enum Model {
    case displaced, nothing
    case item(FilePath)
  }

  /// Replaces the document at a path, or creates it.
  ///
  /// Permissions, extended attributes and ownership come from the old item; members of a package that
  /// did not change stay the same files, and so does what is in its folders and no member.
  ///
  /// - Parameters:
  ///   - path: where the document goes; its folder must exist.
  ///   - item: the new document.
  ///   - displacing: the listing that was read from the path, or `nil` if nothing may be there.
  ///   - model: the item whose attributes and unchanged members are taken over.
  ///   - mark: the mark of the temporary items, in letters and digits; see ``TemporaryItems``.
  ///   - modified: the modification time of what is written, in nanoseconds since 1970; `nil` for the present.
  ///   - progress: called with the number of bytes just read and being written; what it throws ends the writing.
  /// - Throws: ``FileError`` with code `changing` when the item at the path is not the displaced one
  ///   any more; it is left as it is.
  package static func replace(
    _ path: FilePath, with item: DocumentItem, displacing old: ItemListing?,
    like model: Model = .displaced, mark: String? = nil, modified: Int64? = nil,
    progress: @escaping (Int) throws -> Void = { _ in }
  ) throws {
    try stage(
      path, item, displacing: old, like: model, mark: mark, modified: modified, progress: progress
    ).place()
  }

  /// Replaces an item that no store knows as its document, or creates it.
  ///
  /// The temporary items of killed processes in the folder go, unless another one writes there just now.
  ///
  /// - Parameters: as of ``replace(_:with:displacing:like:mark:modified:progress:)``.
  package static func replaceElsewhere(
    _ path: FilePath, with item: DocumentItem, displacing old: ItemListing?,
    modified: Int64? = nil, progress: @escaping (Int) throws -> Void = { _ in }
  ) throws {
    let writers = try FolderWriters(path.parentFolder)
    // As a whole, whatever it has in common with what is there: no recovery puts one member of it back.
    try replace(
      path, with: item, displacing: old, like: old == nil ? .nothing : .item(path),
      mark: writers.mark, modified: modified, progress: progress)
    writers.finish()
  }

  /// Replaces an item that no store knows as its document with what a closure writes, or creates it.
  ///
  /// - Parameters:
  ///   - path: where it goes; its folder must exist.
  ///   - old: the listing that was read from the path, or `nil` if nothing may be there.
  ///   - attributes: those that it does not take over from the old item.
  ///   - write: writes a file or a folder at the path that it gets: in a folder of its own that only the user can read,
  ///     under the name that it will have.
  /// - Throws: as ``replace(_:with:displacing:like:mark:modified:progress:)``, and what the closure throws; then nothing
  ///   was changed.
  package static func replaceElsewhere(
    _ path: FilePath, displacing old: ItemListing?, attributes: ItemAttributes = ItemAttributes(),
    writtenBy write: (FilePath) throws -> Void
  ) throws {
    let writers = try FolderWriters(path.parentFolder)
    let staged = StagedItem(path, displacing: old, mark: writers.mark)
    let model = try old.flatMap { _ in
      try ItemBuilder.Old(OpenFolder(path.parentFolder), path.lastName)
    }
    try staged.take(named: path.lastName, like: model, attributes: attributes, writtenBy: write)
    try staged.place()
    writers.finish()
  }

  /// Builds a new document beside the one that it shall replace; nothing is replaced yet.
  ///
  /// Of a package in which one file differs, and whose ``TemporaryItems`` have a mark, builds only that file.
  ///
  /// - Parameters: as of ``replace(_:with:displacing:like:mark:modified:progress:)``, and:
  ///   - onFile: called for each file that was written, but for large ones.
  /// - Returns: the new document, which is removed unless it is placed.
  package static func stage(
    _ path: FilePath, _ item: DocumentItem, displacing old: ItemListing?,
    like model: Model = .displaced, mark: String? = nil, modified: Int64? = nil,
    onFile: WrittenFileHandler? = nil, progress: @escaping (Int) throws -> Void = { _ in }
  ) throws -> StagedItem {
    let item = old.map { item.keepingIgnored(of: $0) } ?? item
    func whole() throws -> StagedItem {
      let staged = StagedItem(path, displacing: old, mark: mark)
      let former: FilePath? =
        switch model {
        case .displaced: old == nil ? nil : path
        case .nothing: nil
        case .item(let path): path
        }
      let model = try former.flatMap {
        try ItemBuilder.Old(OpenFolder($0.parentFolder), $0.lastName)
      }
      try staged.build(
        item, like: model, onFile: onFile, modified: modified, progress: progress)
      return staged
    }
    guard case .displaced = model, let old, let mark,
      let member = try ChangedMember(of: path, item, replacing: old),
      let staged = StagedItem(member, of: path, displacing: old, mark: mark, otherwise: whole)
    else { return try whole() }
    if let item = member.item {
      let model = try ItemBuilder.Old(member.folder, member.name)
      try staged.build(
        item, like: model, onFile: onFile, modified: modified, progress: progress)
    }
    return staged
  }

  /// Builds items in a folder that holds none of these names yet; all of it is durable on return.
  ///
  /// Users who can't read the folder can't read the items.
  package static func build(
    _ items: [(name: String, item: DocumentItem)], in path: FilePath
  ) throws {
    let folder = try OpenFolder(path)
    let builder = try ItemBuilder(in: folder, for: .inside(path))
    for (name, item) in items { try builder.build(item, named: Array(name.utf8), like: nil) }
    try builder.unfinished.add(UnfinishedFolder(folder.duplicate(), permissions: nil))
    try builder.unfinished.finish()
  }

  /// Removes the document at a path if it still is the one that was read.
  ///
  /// - Parameter mark: the mark of the temporary items.
  package static func remove(
    _ path: FilePath, displacing old: ItemListing, mark: String? = nil
  ) throws {
    try StagedItem(removing: path, old, mark: mark).place()
  }

  /// Removes an item that no store knows as its document, if it still is the one that was read.
  package static func removeElsewhere(_ path: FilePath, displacing old: ItemListing) throws {
    let writers = try FolderWriters(path.parentFolder)
    try remove(path, displacing: old, mark: writers.mark)
    writers.finish()
  }

  /// Checks that items beside a document can be created and removed.
  ///
  /// - Parameter mark: the mark of the temporary items.
  package static func checkNames(around path: FilePath, mark: String) throws {
    let probe = path.parentFolder.appending(TemporaryName(mark: mark).new)
    _ = try Descriptor.create(probe, permissions: 0o600)
    try Folder.removeTree(probe)
  }

  /// Moves an item to a place where nothing is.
  ///
  /// Durable on return; if that fails, it is moved back.
  package static func move(_ path: FilePath, to target: FilePath) throws {
    try ItemPlace.at(path).move(to: .at(target))
    do {
      try Folder.synchronize(target.parentFolder)
      if target.parentFolder != path.parentFolder { try Folder.synchronize(path.parentFolder) }
    } catch {
      // Its own failure would only hide the one that matters.
      do { try ItemPlace.at(target).move(to: .at(path)) } catch {}
      throw error
    }
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
}
