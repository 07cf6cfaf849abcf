internal import DocumentFiles
internal import SystemPackage

#if canImport(Glibc)
internal import Glibc
#else
internal import Darwin
#endif

/// The folder of a repository, with paths in it and operations that write its files and names to disk.
struct RepositoryFolder: Sendable {
  let path: FilePath
  /// The group of operations that share waits for the disk.
  private let group: SyncGroup?

  /// - Parameter group: a group, which is used only if it is on the folder's device.
  init(_ path: FilePath, on device: UInt64? = nil, waitingWith group: SyncGroup? = nil) {
    self.path = path
    self.group = device != nil && group?.device == device ? group : nil
  }

  /// Returns a path in the repository.
  func path(_ path: String) -> FilePath {
    self.path.appending(path)
  }

  /// The files of the repository's top folder, and of folders in it.
  var files: FileFolder { FileFolder(path) }

  /// Returns the files of a folder in the repository.
  func files(in folder: String) -> FileFolder {
    FileFolder(path(folder))
  }

  private var status: FileStatus {
    get throws(GitError) {
      do { if let status = try FileStatus.of(path) { return status } } catch {
        throw .fromSystem("open repository", error)
      }
      throw .fromSystem("open repository", ENOENT)
    }
  }

  /// The permission bits of the user classes that can list and enter the folder, which always include its owner.
  ///
  /// New items in the folder get only these bits. They are read each time, because the folder's access may have been
  /// restricted.
  var readers: UInt32 {
    get throws(GitError) { Readership(of: try status).mask }
  }

  /// The group that can write in the folder, if several users share it; `nil` if only its owner can.
  var sharingGroup: UInt32? {
    get throws(GitError) {
      let status = try status
      return status.permissions & 0o070 == 0o070 ? status.group : nil
    }
  }

  /// Waits until the bytes of new files are on disk.
  func wait(for files: [UnplacedFile]) throws(GitError) {
    if let group, !files.isEmpty { try group.wait() } else { try UnplacedFile.wait(for: files) }
  }

  /// Waits until the names in a folder of the repository are on disk.
  func synchronize(_ folder: String) throws(GitError) {
    let open: Descriptor
    do { open = try .open(folder: path(folder)) } catch {
      throw .fromSystem("open folder \(folder)", error)
    }
    if let group { return try group.wait() }
    do { try open.synchronize() } catch {
      throw .fromSystem("write folder \(folder) to disk", error)
    }
  }

  /// Creates missing folders above a path in the repository; on return, new names are on disk.
  func createFolders(above path: String) throws(GitError) {
    var folder = ""
    let permissions = mode_t(try readers)
    for component in path.split(separator: "/").dropLast() {
      let parent = folder
      folder += folder.isEmpty ? component : "/" + component
      let place = self.path(folder)
      if unsafe place.withPlatformString({ unsafe mkdir($0, permissions) }) == 0 {
        // In a folder of a group, the whole group can write new folders, regardless of the umask.
        if let group = try sharingGroup {
          unsafe place.withPlatformString {
            unsafe chown($0, uid_t.max, group)
            unsafe chmod($0, permissions & ~0o002 | S_ISGID)
          }
        }
        try synchronize(parent)
      } else if errno != EEXIST {
        throw .fromSystem("create folder \(folder)", errno)
      }
    }
  }
}
