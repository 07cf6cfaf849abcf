internal import SystemPackage

#if canImport(Glibc)
internal import Glibc
#else
internal import Darwin
#endif

/// A folder for temporary files that only this user can read; removed with the last reference.
///
/// It is locked as long as it is used: the rooms of killed processes go when the next one is made beside them.
final class TemporaryRoom: Sendable {
  let path: FilePath
  private let number: Int32

  private init(_ path: FilePath, _ number: Int32) {
    (self.path, self.number) = (path, number)
  }

  /// Makes one.
  ///
  /// - Parameter mark: the mark of its kind, in letters and digits.
  static func make(in folder: FilePath, mark: String) throws(FileError) -> TemporaryRoom {
    do throws(FileError) { try removeLeft(in: folder, mark: mark) } catch {
      // One that can't be removed hinders no other.
    }
    let path = folder.appending(TemporaryName(mark: mark).new)
    try Folder.create(path, permissions: 0o700, isDurable: false)
    return TemporaryRoom(path, try lock(path))
  }

  deinit {
    // A room that can't be removed goes with the next one.
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
      // A younger one may not be locked yet.
      guard let status = try FileStatus.of(path), FileClock.system.age(of: status) > 60 else {
        continue
      }
      let number = try lock(path)
      guard number >= 0 else { continue }
      defer { close(number) }
      try Folder.removeTree(path)
    }
  }

  /// Opens and locks a room; -1 for one that is in use.
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
