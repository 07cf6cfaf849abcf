#if canImport(Glibc)
internal import Glibc
#else
internal import Darwin
#endif

/// The folder of a repository, with paths in it and operations that write its files and names to disk.
struct RepositoryFolder: Sendable {
  /// The path, as a C string.
  let path: [CChar]
  /// The group of operations that share waits for the disk.
  private let group: SyncGroup?

  /// - Parameter group: a group, which is used only if it is on the folder's device.
  init(_ path: [CChar], on device: dev_t? = nil, waitingWith group: SyncGroup? = nil) {
    self.path = path
    self.group = device != nil && group?.device == device ? group : nil
  }

  /// Returns the C string of a path in the repository.
  func cPath(_ path: String) -> [CChar] {
    self.path.appending("/\(path)")
  }

  /// The files of the repository's top folder.
  var files: FileFolder { FileFolder(path) }

  /// Returns the files of a folder in the repository.
  func files(in folder: String) -> FileFolder {
    FileFolder(cPath(folder))
  }

  /// The permission bits of the user classes that can list and enter the folder, which always include its owner.
  ///
  /// New items in the folder get only these bits. They are read each time, because the folder's access may have been
  /// restricted.
  var readers: mode_t {
    get throws(GitError) {
      var status = stat()
      guard unsafe lstat(path, &status) == 0 else { throw .fromSystem("open repository", errno) }
      let group: mode_t = status.st_mode & 0o050 == 0o050 ? 0o070 : 0
      let others: mode_t = status.st_mode & 0o005 == 0o005 ? 0o007 : 0
      return 0o700 | group | others
    }
  }

  /// The group that can write in the folder, if several users share it; `nil` if only its owner can.
  var sharingGroup: gid_t? {
    get throws(GitError) {
      var status = stat()
      guard unsafe lstat(path, &status) == 0 else { throw .fromSystem("open repository", errno) }
      return status.st_mode & 0o070 == 0o070 ? status.st_gid : nil
    }
  }

  /// Waits until writes are on disk.
  func wait(for pending: [PendingWrite]) throws(GitError) {
    if let group, !pending.isEmpty { try group.wait() } else { try PendingWrite.wait(for: pending) }
  }

  /// Waits until the names in a folder of the repository are on disk.
  func synchronize(_ folder: String) throws(GitError) {
    let descriptor = unsafe open(cPath(folder), O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard descriptor >= 0 else { throw .fromSystem("open folder \(folder)", errno) }
    defer { close(descriptor) }
    try wait(for: [PendingWrite(descriptor: descriptor, name: "folder \(folder)")])
  }

  /// Creates missing folders above a path in the repository; on return, new names are on disk.
  func createFolders(above path: String) throws(GitError) {
    var folder = ""
    let permissions = try readers
    for component in path.split(separator: "/").dropLast() {
      let parent = folder
      folder += folder.isEmpty ? component : "/" + component
      if unsafe mkdir(cPath(folder), permissions) == 0 {
        // In a folder of a group, the whole group can write new folders, regardless of the umask.
        if let group = try sharingGroup {
          unsafe chown(cPath(folder), uid_t.max, group)
          unsafe chmod(cPath(folder), permissions & ~0o002 | S_ISGID)
        }
        try synchronize(parent)
      } else if errno != EEXIST {
        throw .fromSystem("create folder \(folder)", errno)
      }
    }
  }
}
