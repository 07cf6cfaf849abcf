internal import DocumentFiles
internal import SystemPackage

#if canImport(Glibc)
internal import Glibc
#else
internal import Darwin
#endif

/// A new file of a repository with a temporary name, which gets its final name once its bytes are on disk, and is
/// removed otherwise.
final class UnplacedFile {
  private let path: FilePath
  private let descriptor: Descriptor
  private var buffer: [UInt8] = []
  private var isPlaced = false

  /// Creates the file.
  ///
  /// - Parameters:
  ///   - path: the temporary path.
  ///   - folder: the repository of the file; users who can't read the repository can't read the file.
  /// - Throws: ``GitError`` with ``GitError/isChangedMeanwhile`` if a file of that name exists.
  init(_ path: FilePath, in folder: RepositoryFolder) throws(GitError) {
    let permissions = 0o644 & (try folder.readers)
    // Thrown before this process owns the file, because an existing file belongs to another process and must stay.
    do { descriptor = try .create(path, permissions: permissions) } catch {
      throw .fromSystem("create \(path.name)", error)
    }
    self.path = path
    // The whole group can read shared files, regardless of the umask.
    if let group = try folder.sharingGroup {
      fchown(descriptor.number, uid_t.max, group)
      fchmod(descriptor.number, mode_t(permissions))
    }
  }

  deinit {
    // The next cleanup removes a file that can't be removed now.
    if !isPlaced { do { try Folder.removeFile(path) } catch {} }
  }

  /// Appends bytes, which may be buffered until ``flush()``.
  func append(_ bytes: [UInt8]) throws(GitError) {
    buffer += bytes
    if buffer.count >= Self.bufferSize { try flush() }
  }

  /// Writes all buffered bytes.
  func flush() throws(GitError) {
    do { try descriptor.writeAll(buffer[...]) } catch {
      throw .fromSystem("write \(path.name)", error)
    }
    buffer.removeAll(keepingCapacity: true)
  }

  /// Waits until the bytes of several files are on disk.
  ///
  /// On Linux, all writes are started before the first wait, so that it takes little longer than one.
  ///
  /// - Throws: ``GitError`` if any of them fails; then none counts as written.
  static func wait(for files: [UnplacedFile]) throws(GitError) {
    if files.count > 1 {
      for file in files {
        try file.reach { file throws(FileError) in try file.beginSynchronizing() }
      }
    }
    for file in files { try file.reach { file throws(FileError) in try file.synchronize() } }
  }

  /// Performs a step on the way of the bytes to the disk.
  private func reach(
    _ step: (borrowing Descriptor) throws(FileError) -> Void
  ) throws(GitError) {
    do { try step(descriptor) } catch {
      throw .fromSystem("write \(path.name) to disk", error)
    }
  }

  /// Gives the file its final name, replacing an existing file.
  func place(at target: FilePath) throws(GitError) {
    do { try path.move(over: target) } catch { throw .fromSystem("write \(target.name)", error) }
    isPlaced = true
  }

  /// Locks the file as long as it is open, so that others see that it is in use; see ``FileFolder/isHeld(_:)``.
  ///
  /// On a file system without such locks, the file may be removed, and then placing it fails.
  func hold() {
    _ = descriptor.lock(LOCK_EX, waitingAtMost: 0)
  }

  /// Keeps the file under its temporary name.
  func leave() {
    isPlaced = true
  }

  private static var bufferSize: Int { 1 << 18 }
}
