internal import SystemPackage

#if canImport(Glibc)
internal import Glibc
#else
internal import Darwin
#endif

/// A folder for temporary files that only this user can read; removed with the last reference.
///
/// It is locked while it is used; creating the next one beside it removes those of killed processes.
final class TemporaryRoom: Sendable {
  let path: FilePath
  private let number: Int32

  private init(_ path: FilePath, _ number: Int32) {
    (self.path, self.number) = (path, number)
  }

  /// Creates a folder.
  ///
  /// - Parameter mark: the mark of its purpose, in letters and digits.
  static func make(in folder: FilePath, mark: String) throws(FileError) -> TemporaryRoom {
    do throws(FileError) { try removeLeft(in: folder, mark: mark) } catch {
      // One that can't be removed doesn't affect others.
    }
    let path = folder.appending(TemporaryName(mark: mark).new)
    try Folder.create(path, permissions: 0o700, isDurable: false)
    return TemporaryRoom(path, try lock(path))
  }

  deinit {
    // The next one removes a folder that can't be removed now.
    do { try Folder.removeTree(path) } catch {}
    if number >= 0 { close(number) }
  }

  private static func removeLeft(in folder: FilePath, mark: String) throws(FileError) {
    let stem = Array(TemporaryName.stem(mark).utf8)
    for name in try Folder.names(in: folder, beginningWith: stem)
    where name.suffix(TemporaryName.newSuffix.utf8.count)
      == Array(TemporaryName.newSuffix.utf8)[...]
    {
      let path = folder.appending(bytes: name)
      // A more recent one may not be locked yet.
      guard let status = try FileStatus.of(path), FileClock.system.age(of: status) > 60 else {
        continue
      }
      let number = try lock(path)
      guard number >= 0 else { continue }
      defer { close(number) }
      try Folder.removeTree(path)
    }
  }

  /// Opens and locks a folder; -1 if it is in use.
  private static func lock(_ path: FilePath) throws(FileError) -> Int32 {
    let number = path.withPlatformString {
      open($0, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
    }
    guard number >= 0 else { throw .failed(to: "open", path, .current) }
    guard flock(number, LOCK_EX | LOCK_NB) != 0 else { return number }
    close(number)
    return -1
  }
}
