internal import CGit2

#if canImport(Glibc)
internal import Glibc
#else
internal import Darwin
#endif

extension Repository {
  /// Creates the folders above references that are missing; new names are on the disk on return.
  func createFolders(forReferences names: [String]) throws(GitError) {
    for name in names {
      var folder = ""
      for component in name.split(separator: "/").dropLast() {
        let parent = folder
        folder += folder.isEmpty ? component : "/" + component
        if unsafe mkdir(cPath(folder), 0o777) == 0 {
          try synchronize(parent)
        } else if errno != EEXIST {
          throw .fromSystem("create folder \(folder)", errno)
        }
      }
    }
  }

  /// The C string of a path in the repository.
  func cPath(_ path: String) -> [CChar] {
    self.path.appending("/\(path)")
  }
}

extension GitError {
  /// The error for a system call that has failed.
  static func fromSystem(_ operation: String, _ number: Int32) -> GitError {
    GitError(
      code: number == EEXIST ? GIT_ELOCKED.rawValue : GIT_ERROR.rawValue,
      category: Int32(GIT_ERROR_OS.rawValue), operation: operation,
      message: unsafe String(cString: strerror(number)), systemError: number)
  }
}
