package import SystemPackage

#if canImport(Glibc)
internal import Glibc
#else
internal import Darwin
#endif

/// An exclusive lock on a file, held until the value is destroyed, and released by the kernel if the process dies.
///
/// `flock` belongs to the open file, so even two openings in one process exclude each other. The lock file is
/// never removed or replaced, because a second file of that name would be a second lock.
package struct FileLock: ~Copyable {
  private let file: Descriptor
  /// True if the last process that held the lock ended without releasing it, most likely because it was
  /// killed.
  package let isLeftBehind: Bool
  private var staysLeftBehind = false

  /// Makes the next holder treat this process as killed, because it leaves incomplete changes.
  package mutating func leaveBehind() { staysLeftBehind = true }

  /// Waits for the lock.
  ///
  /// - Parameters:
  ///   - path: the lock file; created if it is missing.
  ///   - seconds: the longest time to wait.
  ///   - use: what the holder of the lock does, for the message.
  ///   - check: called repeatedly during the wait; an error that it throws ends the wait.
  /// - Throws: ``FileError`` with code `busy` after that time, naming the process that holds the lock; with
  ///   code `changing` if the file was moved away with its folder in the meantime; the errors of `check`.
  package init(
    _ path: FilePath, waitingAtMost seconds: Double = 10,
    heldFor use: String = "using this document’s versions", check: () throws -> Void = {}
  ) throws {
    let file: Descriptor
    do throws(FileError) {
      file = try Descriptor.open(
        path, flags: O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK,
        permissions: 0o666 & (try Readership.inside(path.parentFolder).mask), action: "lock")
    } catch {
      throw error.code == .notFound ? Self.movedAway(path) : error
    }
    if let cause = try file.lock(LOCK_EX, waitingAtMost: seconds, check: check) {
      guard cause == .wouldBlock || cause == .interrupted else {
        throw FileError.failed(to: "lock", path, cause)
      }
      let holder = Printable.text(try file.readAll(expecting: 32))
      let other = holder == Self.holder ? "Another operation of this process" : "Another process"
      throw FileError(
        .busy, path: path,
        message: """
          \(other) (\(holder)) is \(use); waited \(Int(seconds)) s.
          """)
    }
    let status = try file.status()
    // A lock file that was moved away no longer excludes processes at this place.
    guard try FileStatus.of(path)?.isSameItem(as: status) == true else {
      throw Self.movedAway(path)
    }
    // A FIFO or a device in its place could also be locked, and would be written to.
    guard status.kind == .file else {
      throw FileError(.unsupportedKind, path: path, message: "“\(path.printable)” is not a file.")
    }
    isLeftBehind = status.size > 0
    // The text is only for the message above; the kernel keeps the lock itself.
    let holder = Array(Self.holder.utf8)
    if ftruncate(file.number, 0) == 0 { pwrite(file.number, holder, holder.count, 0) }
    self.file = file
  }

  /// The text of the file while this process holds the lock.
  private static var holder: String { "pid \(getpid())" }

  private static func movedAway(_ path: FilePath) -> FileError {
    let folder = path.parentFolder
    return FileError(
      .changing, path: folder, message: "“\(folder.printable)” was moved away in the meantime.")
  }

  /// Returns whether the lock is currently held; false if there is no lock file that can be opened.
  package static func isHeld(_ path: FilePath) throws(FileError) -> Bool {
    let file: Descriptor
    do throws(FileError) {
      file = try Descriptor.open(
        path, flags: O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, action: "lock")
    } catch {
      guard error.code == .system else { return false }
      throw error
    }
    let cause = file.lock(LOCK_SH, waitingAtMost: 0)
    file.unlock()
    return cause == .wouldBlock
  }

  /// Keeps the lock until this call, and releases it.
  package consuming func release() {}

  /// Releases the lock, so that the next holder still finds that a process was killed.
  package consuming func releaseAsFound() {
    staysLeftBehind = staysLeftBehind || isLeftBehind
  }

  deinit {
    if !staysLeftBehind { ftruncate(file.number, 0) }
    file.unlock()
  }
}

extension Folder {
  /// Runs a closure while no other thread or process does so for the same folder.
  ///
  /// - Parameter seconds: the longest time to wait for another one.
  /// - Throws: ``FileError`` with code `busy` after that time.
  package static func alone<Result>(
    in path: FilePath, waitingAtMost seconds: Double, _ body: () throws -> Result
  ) throws -> Result {
    let folder = try Descriptor.open(folder: path)
    if let cause = folder.lock(LOCK_EX, waitingAtMost: seconds) {
      guard cause == .wouldBlock || cause == .interrupted else {
        throw FileError.failed(to: "lock", path, cause)
      }
      throw FileError(
        .busy, path: path,
        message: "Another process is using “\(path.printable)”; waited \(Int(seconds)) s.")
    }
    defer { folder.unlock() }
    return try body()
  }
}
