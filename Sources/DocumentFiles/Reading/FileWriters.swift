internal import CFileSystem
package import SystemPackage

/// Programs that have files open for writing.
package enum FileWriters {
  /// Returns whether a program has a file, or a file in a folder, open for writing.
  ///
  /// - Returns: false also if the system doesn't know: for other users’ files, on network file systems, and
  ///   on systems other than Linux.
  package static func have(open path: FilePath) throws(FileError) -> Bool {
    do throws(FileError) {
      switch try FileStatus.of(path)?.kind {
      case .file: return try Descriptor.open(reading: path).isOpenForWriting
      case .folder:
        for name in try Folder.names(in: path) {
          if try have(open: path.appending(bytes: name)) { return true }
        }
        return false
      case .symbolicLink, .other, nil: return false
      }
    } catch {
      // It is gone in the meantime, belongs to another user, or is too deep for a path.
      guard [.notFound, .notPermitted, .unsupportedKind, .invalidName].contains(error.code) else {
        throw error
      }
      return false
    }
  }
}

extension Descriptor {
  /// True if a program has the file open for writing.
  fileprivate var isOpenForWriting: Bool {
    defer { letWritersIn() }
    return !keepWritersOut()
  }

  /// Makes programs that open the file for writing wait until it is closed or they are let in.
  ///
  /// They wait at most for the time that the system grants, by default 45 seconds.
  ///
  /// - Returns: false if a program already has it open; true also if the system doesn't know.
  func keepWritersOut() -> Bool { docversions_keep_writers_out(number) != 1 }

  func letWritersIn() { docversions_let_writers_in(number) }
}
