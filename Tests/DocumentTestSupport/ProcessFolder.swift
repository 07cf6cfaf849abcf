internal import Foundation
internal import Synchronization

#if canImport(Glibc)
internal import Glibc
#else
internal import Darwin
#endif

/// The folder in which a process keeps all its ``ScratchFolder``s, removed when the process ends.
///
/// A process that is killed removes nothing. It holds a lock on its folder for as long as it runs, so the next one
/// finds the folders that nobody uses any more, and removes them.
final class ProcessFolder: Sendable {
  /// The one in memory; nil where the system has no such place, or too little room for all tests at once.
  static let inMemory: Result<ProcessFolder, any Error>? = {
    let memory = "/dev/shm"
    var status = statvfs()
    // Programs are run there, too.
    guard access(memory, W_OK) == 0, statvfs(memory, &status) == 0,
      UInt(status.f_flag) & noExecution == 0,
      UInt64(status.f_bavail) * UInt64(status.f_frsize) >= leastRoom
    else { return nil }
    return Result { try ProcessFolder(in: URL(filePath: memory)) }
  }()

  /// The one on the disk.
  static let onDisk = Result {
    try ProcessFolder(in: FileManager.default.temporaryDirectory.resolvingSymlinksInPath())
  }

  /// The room that tests in memory need, in bytes: several times what a run was seen to take.
  private static let leastRoom: UInt64 = 2 << 30
  /// `ST_NOEXEC`, which Swift does not see.
  private static let noExecution: UInt = 8
  private static let prefix = "docversions-test-run-"
  /// The paths of the folders that this process has made.
  private static let made = Mutex<[String]>([])
  /// A child that was forked must not remove what its parent uses.
  private static let process = getpid()

  private let url: URL
  private let count = Atomic(0)

  private init(in parent: URL) throws {
    try Self.removeAbandoned(in: parent)
    var template = Array("\(parent.path)/\(Self.prefix)XXXXXX".utf8CString)
    guard mkdtemp(&template) != nil else { throw POSIXError(.init(rawValue: errno) ?? .EIO) }
    let path = String(decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
    url = URL(filePath: path, directoryHint: .isDirectory)
    // The descriptor stays open until the process ends, and with it the lock.
    guard chmod(path, 0o755) == 0, Self.lock(path) != nil else {
      throw POSIXError(.init(rawValue: errno) ?? .EIO)
    }
    let isFirst = Self.made.withLock { made in
      made.append(path)
      return made.count == 1
    }
    if isFirst { atexit { ProcessFolder.removeMade() } }
  }

  /// Makes a new, empty folder in it.
  func makeFolder() throws -> URL {
    let number = count.add(1, ordering: .relaxed).newValue
    let folder = url.appending(path: "t\(number)", directoryHint: .isDirectory)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
    return folder
  }

  /// Locks a folder.
  ///
  /// - Returns: its descriptor; nil where another process has the lock, or the folder cannot be opened.
  private static func lock(_ path: String) -> Int32? {
    let descriptor = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
    guard descriptor >= 0 else { return nil }
    if flock(descriptor, LOCK_EX | LOCK_NB) == 0 { return descriptor }
    close(descriptor)
    return nil
  }

  /// Removes the folders of processes that were killed.
  private static func removeAbandoned(in parent: URL) throws {
    for name in try FileManager.default.contentsOfDirectory(atPath: parent.path)
    where name.hasPrefix(prefix) {
      let path = "\(parent.path)/\(name)"
      var status = stat()
      // A process that has just made its folder may not have locked it yet.
      guard lstat(path, &status) == 0, time(nil) - status.st_ctim.tv_sec > 60,
        let descriptor = lock(path)
      else { continue }
      remove(path)
      close(descriptor)
    }
  }

  private static func removeMade() {
    guard getpid() == process else { return }
    for path in made.withLock({ $0 }) { remove(path) }
  }

  private static func remove(_ path: String) {
    // What cannot be removed now is tried again by the next process.
    do { try FileManager.default.removeItem(atPath: path) } catch {}
  }
}
