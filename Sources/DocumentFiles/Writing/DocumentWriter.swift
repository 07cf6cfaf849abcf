package import SystemPackage

#if canImport(Glibc)
internal import Glibc
#else
internal import Darwin
#endif

/// Puts documents in place, completely or not at all.
///
/// The new item is built beside the old one, made durable, and exchanged with it in one step, so a crash at
/// any moment leaves the old or the new document, never a part. Before the displaced item is removed, it is
/// compared with the listing: an edit from the last instant is put back, not lost.
package enum DocumentWriter {
  /// The item whose attributes and unchanged members a new one takes over.
  package enum Model {
    case displaced, nothing
    case item(FilePath)
  }

  /// Replaces the document at a path, or creates it.
  ///
  /// Permissions, extended attributes and ownership come from the old item; unchanged members of a package
  /// stay the same files, and so do the ignored items in its folders.
  ///
  /// - Parameters:
  ///   - path: the document's destination, whose folder must exist.
  ///   - item: the new document.
  ///   - displacing: the listing that was read from the path, or `nil` if there must be no item.
  ///   - model: the item whose attributes and unchanged members are taken over.
  ///   - mark: the mark of the temporary items, in letters and digits; see ``TemporaryItems``.
  ///   - modified: the modification time of the written items, in nanoseconds since 1970; `nil` for the
  ///     present time.
  ///   - progress: called with the number of bytes just read and being written; an error that it throws ends
  ///     the writing.
  /// - Throws: ``FileError`` with code `changing` if the item at the path is no longer the displaced one; it
  ///   stays unchanged.
  package static func replace(
    _ path: FilePath, with item: DocumentItem, displacing old: ItemListing?,
    like model: Model = .displaced, mark: String? = nil, modified: Int64? = nil,
    progress: @escaping (Int) throws -> Void = { _ in }
  ) throws {
    try stage(
      path, item, displacing: old, like: model, mark: mark, modified: modified, progress: progress
    ).place()
  }

  /// Replaces an item that isn't a document with a store, or creates it.
  ///
  /// This removes the temporary items of killed processes in the folder, unless another process is writing
  /// there.
  ///
  /// - Parameters: those of ``replace(_:with:displacing:like:mark:modified:progress:)``.
  package static func replaceElsewhere(
    _ path: FilePath, with item: DocumentItem, displacing old: ItemListing?,
    modified: Int64? = nil, progress: @escaping (Int) throws -> Void = { _ in }
  ) throws {
    let writers = try FolderWriters(path.parentFolder)
    // The item is replaced as a whole, whatever is unchanged, because no recovery would put a single member
    // back.
    try replace(
      path, with: item, displacing: old, like: old == nil ? .nothing : .item(path),
      mark: writers.mark, modified: modified, progress: progress)
    writers.finish()
  }

  /// Replaces an item that isn't a document with a store by an item that a closure writes, or creates it.
  ///
  /// - Parameters:
  ///   - path: the destination, whose folder must exist.
  ///   - old: the listing that was read from the path, or `nil` if there must be no item.
  ///   - attributes: the attributes that are not taken over from the old item.
  ///   - write: writes a file or a folder at the path that it receives, which is in a separate folder that
  ///     only the user can read, and has the final name.
  /// - Throws: the errors of ``replace(_:with:displacing:like:mark:modified:progress:)``, and those of the
  ///   closure; then nothing has changed.
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

  /// Builds a new document beside the one to replace, without replacing it.
  ///
  /// If only one file of a package differs, and its ``TemporaryItems`` have a mark, this builds only that
  /// file.
  ///
  /// - Parameters: those of ``replace(_:with:displacing:like:mark:modified:progress:)``, and:
  ///   - onFile: called for each written file, except large ones.
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

  /// Builds items in a folder that has none of these names yet; everything is durable on return.
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

  /// Removes the document at a path if it is still the one that was read.
  ///
  /// - Parameter mark: the mark of the temporary items.
  package static func remove(
    _ path: FilePath, displacing old: ItemListing, mark: String? = nil
  ) throws {
    try StagedItem(removing: path, old, mark: mark).place()
  }

  /// Removes an item that isn't a document with a store, if it is still the one that was read.
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

  /// Moves an item to a path without an item.
  ///
  /// The move is durable on return; if that fails, the item is moved back.
  package static func move(_ path: FilePath, to target: FilePath) throws {
    try ItemPlace.at(path).move(to: .at(target))
    do {
      try Folder.synchronize(target.parentFolder)
      if target.parentFolder != path.parentFolder { try Folder.synchronize(path.parentFolder) }
    } catch {
      // This failure would only hide the original one.
      do { try ItemPlace.at(target).move(to: .at(path)) } catch {}
      throw error
    }
  }

  /// Exchanges two folders in one step.
  ///
  /// The exchange is durable on return.
  ///
  /// - Throws: ``FileError`` if the file system can't exchange folders.
  package static func exchange(_ folder: FilePath, with other: FilePath) throws {
    _ = try ItemPlace.at(folder).exchange(with: .at(other))
    try Folder.synchronize(folder.parentFolder)
    if other.parentFolder != folder.parentFolder { try Folder.synchronize(other.parentFolder) }
  }

  /// Removes the permission to write from an item and everything in it.
  package static func makeReadOnly(_ path: FilePath) throws {
    guard let status = try FileStatus.of(path), status.kind != .symbolicLink else { return }
    if status.kind == .folder {
      for name in try Folder.names(in: path) { try makeReadOnly(path.appending(bytes: name)) }
    }
    let result = path.withPlatformString { chmod($0, mode_t(status.permissions & ~0o222)) }
    guard result == 0 else { throw FileError.failed(to: "set the permissions of", path, .current) }
  }
}
