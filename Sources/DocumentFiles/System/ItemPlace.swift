internal import CFileSystem
package import SystemPackage

#if canImport(Glibc)
internal import Glibc
#else
internal import Darwin
#endif

/// The place of an item before or after a rename.
enum ItemPlace {
  case at(FilePath)
  /// A name in an open folder, which no other program can redirect.
  case member([UInt8], of: OpenFolder)

  /// The path, for messages.
  var path: FilePath {
    switch self {
    case .at(let path): path
    case .member(let name, let folder): folder.path(of: name)
    }
  }

  /// Reads the status of the item at the place; `nil` if there is none.
  func status() throws(FileError) -> FileStatus? {
    switch self {
    case .at(let path): try FileStatus.of(path)
    case .member(let name, let folder): try folder.status(of: name)
    }
  }

  /// Waits until the names in its folder are on disk.
  func synchronizeFolder() throws(FileError) {
    switch self {
    case .at(let path): try Folder.synchronize(path.parentFolder)
    case .member(_, let folder):
      try folder.withFolder { folder throws(FileError) in try folder.synchronize() }
    }
  }
}

// MARK: Renaming

extension ItemPlace {
  /// Moves the item to a place without an item.
  func move(to target: ItemPlace) throws(FileError) {
    guard let cause = try failure(of: docversions_rename_no_replace, to: target) else { return }
    guard cause.isUnknownRename else { throw .failed(to: "create", target.path, cause) }
    guard try target.status() == nil else {
      throw .failed(to: "create", target.path, .fileExists)
    }
    try move(over: target)
  }

  /// Moves the item in one step, replacing any file at the target.
  func move(over target: ItemPlace) throws(FileError) {
    if let cause = try failure(of: renameat, to: target) {
      throw .failed(to: "replace", target.path, cause)
    }
  }

  /// Exchanges two items.
  ///
  /// - Returns: false if the file system can only replace, and the other file is gone.
  func exchange(with other: ItemPlace) throws(FileError) -> Bool {
    guard let cause = try failure(of: docversions_rename_exchange, to: other) else { return true }
    // Some network and FAT file systems can't exchange items, but a file can still replace a file.
    guard cause.isUnknownRename, try status()?.kind != .folder, try other.status()?.kind != .folder
    else { throw .failed(to: "replace", other.path, cause) }
    try move(over: other)
    return false
  }

  /// A system call that renames; each path is relative to an open folder.
  private typealias Rename = (
    Int32, UnsafePointer<CChar>, Int32, UnsafePointer<CChar>
  ) -> Int32

  /// Renames an item.
  ///
  /// Some network file systems report a failure although the rename succeeded, so the item's location
  /// decides.
  ///
  /// - Returns: the reason of the failure; `nil` if it succeeded.
  private func failure(of call: Rename, to target: ItemPlace) throws(FileError) -> Errno? {
    let item = try status()
    let (from, to) = (try systemName(), try target.systemName())
    if call(from.folder, from.name, to.folder, to.name) == 0 { return nil }
    let cause = Errno.current
    guard let item, try target.status()?.isSameItem(as: item) == true else { return cause }
    // The file already had the target as a second name.
    return try status()?.isSameItem(as: item) == true ? cause : nil
  }

  /// Returns the descriptor of a folder, and the path relative to it.
  private func systemName() throws(FileError) -> (folder: Int32, name: [CChar]) {
    switch self {
    case .at(let path):
      (
        AT_FDCWD,
        path.withPlatformString { Array(UnsafeBufferPointer(start: $0, count: strlen($0) + 1)) }
      )
    case .member(let name, let folder): try folder.systemName(of: name)
    }
  }
}

extension FilePath {
  /// Moves the item in one step, replacing any file at the target.
  package func move(over target: FilePath) throws(FileError) {
    try ItemPlace.at(self).move(over: .at(target))
  }
}

extension Errno {
  /// True if the file system or the kernel lacks this rename call.
  fileprivate var isUnknownRename: Bool {
    self == .invalidArgument || self == .notSupported || self == .noFunction
  }
}
