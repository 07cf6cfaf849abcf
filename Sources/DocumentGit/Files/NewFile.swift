internal import CFileSystem

#if canImport(Glibc)
internal import Glibc
#else
internal import Darwin
#endif

/// A new file of a repository with a temporary name, which gets its final name once its bytes are on disk, and is
/// removed otherwise.
@safe
final class NewFile {
  /// The temporary path.
  let path: [CChar]
  private let descriptor: Int32
  private var buffer: [UInt8] = []
  private var isPlaced = false

  /// Creates the file.
  ///
  /// - Parameters:
  ///   - path: the temporary path.
  ///   - folder: the repository of the file; users who can't read the repository can't read the file.
  /// - Throws: ``GitError`` with ``GitError/isChangedMeanwhile`` if a file of that name exists.
  init(_ path: [CChar], in folder: RepositoryFolder) throws(GitError) {
    let permissions = 0o644 & (try folder.readers)
    let number = unsafe open(
      path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, permissions)
    // Thrown before this process owns the file, because an existing file belongs to another process and must stay.
    guard number >= 0 else { throw .fromSystem("create \(Self.name(path))", errno) }
    // The whole group can read shared files, regardless of the umask.
    if let group = try folder.sharingGroup {
      fchown(number, uid_t.max, group)
      fchmod(number, permissions)
    }
    self.path = path
    descriptor = number
  }

  deinit {
    close(descriptor)
    if !isPlaced { unsafe unlink(path) }
  }

  /// Appends bytes, which may be buffered until ``flush()``.
  func append(_ bytes: [UInt8]) throws(GitError) {
    buffer += bytes
    if buffer.count >= Self.bufferSize { try flush() }
  }

  /// Writes all buffered bytes.
  func flush() throws(GitError) {
    var start = 0
    while start < buffer.count {
      let step = unsafe buffer.withUnsafeBytes {
        unsafe write(descriptor, $0.baseAddress.map { unsafe $0 + start }, buffer.count - start)
      }
      if step >= 0 {
        start += step
      } else if errno != EINTR {
        throw .fromSystem("write \(Self.name(path))", errno)
      }
    }
    buffer.removeAll(keepingCapacity: true)
  }

  /// The write to wait for before the file gets its final name.
  var pendingWrite: PendingWrite { PendingWrite(descriptor: descriptor, name: Self.name(path)) }

  /// Gives the file its final name, replacing an existing file.
  ///
  /// Some file systems report a failure for a completed rename, so the resulting state decides.
  func place(at target: [CChar]) throws(GitError) {
    isPlaced = true
    if unsafe rename(path, target) == 0 { return }
    let cause = errno
    var own = stat()
    var placed = stat()
    let isDone =
      unsafe fstat(descriptor, &own) == 0 && lstat(target, &placed) == 0
      && own.st_ino == placed.st_ino && own.st_dev == placed.st_dev
    if isDone { return }
    isPlaced = false
    throw .fromSystem("write \(Self.name(target))", cause)
  }

  /// Locks the file as long as it is open, so that others see that it is in use; see ``FileFolder/isHeld(_:)``.
  ///
  /// On a file system without such locks, the file may be removed, and then placing it fails.
  func hold() {
    flock(descriptor, LOCK_EX | LOCK_NB)
  }

  /// Keeps the file under its temporary name.
  func leave() {
    isPlaced = true
  }

  private static var bufferSize: Int { 1 << 18 }

  /// Returns the file's name, for messages.
  private static func name(_ path: [CChar]) -> String {
    let bytes = path.dropLast().map(UInt8.init(bitPattern:))
    return String(decoding: bytes.split(separator: UInt8(ascii: "/")).last ?? [], as: UTF8.self)
  }
}

/// A file or folder that must be written to disk.
struct PendingWrite: Sendable {
  let descriptor: Int32
  /// The name, for messages.
  let name: String

  /// Waits for several writes.
  ///
  /// On Linux, all writes are started before the first wait, so that it takes little longer than one.
  ///
  /// - Throws: ``GitError`` if any of them fails; then none counts as written.
  static func wait(for pending: [PendingWrite]) throws(GitError) {
    if pending.count > 1 {
      for write in pending where docversions_begin_synchronizing(write.descriptor) != 0 {
        throw .fromSystem("write \(write.name) to disk", errno)
      }
    }
    for write in pending {
      guard docversions_synchronize(write.descriptor) == 0 else {
        throw .fromSystem("write \(write.name) to disk", errno)
      }
    }
  }
}
