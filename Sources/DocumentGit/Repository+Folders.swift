internal import CGit2

#if canImport(Glibc)
internal import Glibc
#else
internal import Darwin
#endif

/// libgit2 1.5.1 makes the folders that a new file needs, and waits for the file and for the folder it is
/// in, but not for that folder's own name: a power cut could take the folder with all in it. So folders
/// are made here first, durably, and libgit2 finds them.
extension Repository {
  /// Creates the folders `objects/xx` that loose objects will be in: one wait for all that are new.
  func createFolders(for pending: [GitObject]) throws(GitError) {
    try createFolders(Set(pending.map { String($0.id.description.prefix(2)) }), in: "objects")
  }

  /// Creates the folders above a reference.
  func createFolders(forReference name: String) throws(GitError) {
    var folder = ""
    for component in name.split(separator: "/").dropLast() {
      try createFolders([String(component)], in: folder)
      folder += folder.isEmpty ? component : "/" + component
    }
  }

  /// Creates folders that are missing in a folder of the repository; new names are on the disk on return.
  private func createFolders(_ names: Set<String>, in parent: String) throws(GitError) {
    var isNew = false
    for name in names {
      if unsafe mkdir(cPath("\(parent)/\(name)"), 0o777) == 0 {
        isNew = true
      } else if errno != EEXIST {
        throw .fromSystem("create folder \(parent)/\(name)", errno)
      }
    }
    if isNew { try synchronize(parent) }
  }

  private func synchronize(_ folder: String) throws(GitError) {
    let descriptor = unsafe open(cPath(folder), O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard descriptor >= 0 else { throw .fromSystem("open folder \(folder)", errno) }
    defer { close(descriptor) }
    guard fsync(descriptor) == 0 else { throw .fromSystem("write folder \(folder)", errno) }
  }

  /// The C string of a path in the repository.
  func cPath(_ path: String) -> [CChar] {
    self.path.dropLast() + "/\(path)".utf8CString
  }
}

extension GitError {
  /// The error for a system call that has failed.
  static func fromSystem(_ operation: String, _ number: Int32) -> GitError {
    GitError(
      code: GIT_ERROR.rawValue, category: Int32(GIT_ERROR_OS.rawValue), operation: operation,
      message: unsafe String(cString: strerror(number)))
  }
}
