package import SystemPackage

/// Tests in a folder the properties of a file system on which the safety of documents depends.
package enum FileSystemCheck {
  /// Checks that a second opening of a lock's file is excluded while the first holds the lock.
  package static func excludes(in folder: FilePath) throws -> Bool {
    let path = folder.appending("lock")
    let first = try FileLock(path, waitingAtMost: 0)
    let isKeptOut: Bool
    do {
      _ = try FileLock(path, waitingAtMost: 0)
      isKeptOut = false
    } catch let error as FileError where error.code == .busy {
      isKeptOut = true
    }
    _ = consume first
    return isKeptOut
  }

  /// Checks that two items can be exchanged in one step.
  package static func exchanges(in folder: FilePath) throws -> Bool {
    let (first, second) = (folder.appending("first"), folder.appending("second"))
    try SmallFile.create(first, [1])
    try SmallFile.create(second, [2])
    return try ItemPlace.at(first).exchange(with: .at(second)) && SmallFile.read(first) == [2]
      && SmallFile.read(second) == [1]
  }

  /// Waits until a file and its folder are on disk; throws an error if the file system can't do that.
  package static func synchronizes(in folder: FilePath) throws {
    try SmallFile.create(folder.appending("synchronized"), [1])
    try Folder.synchronize(folder)
  }
}
