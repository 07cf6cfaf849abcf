internal import CFileSystem
package import SystemPackage

/// Programs that have files open for writing.
package enum FileWriters {
  /// Returns whether a program has a file open for writing, or one in a folder.
  ///
  /// - Returns: false also where the system does not say: of other users’ files, on network file systems, and on other
  ///   systems than Linux.
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
      // It has gone meanwhile, or is not this user’s.
      guard [.notFound, .notPermitted, .unsupportedKind].contains(error.code) else { throw error }
      return false
    }
  }
}

/// Keeps programs from opening files for writing as long as it is there: those that do wait.
///
/// What is read meanwhile is not half-written. Hold it only briefly: the system makes other programs wait for at most a minute.
package final class HeldWriters: Sendable {
  private final class OpenFile: Sendable {
    let descriptor: Descriptor

    init(_ descriptor: consuming Descriptor) { self.descriptor = descriptor }
  }

  private let files: [OpenFile]
  /// The files that a program has open for writing already.
  package let open: Set<FilePath>

  /// Holds writers of files; those of other items are not held.
  package init(of paths: [FilePath]) throws(FileError) {
    var (files, open): ([OpenFile], Set<FilePath>) = ([], [])
    for path in paths {
      do throws(FileError) {
        guard try FileStatus.of(path)?.kind == .file else { continue }
        let file = OpenFile(try Descriptor.open(reading: path))
        switch docversions_keep_writers_out(file.descriptor.number) {
        case 0: files.append(file)
        case 1: open.insert(path)
        // The system does not say.
        default: continue
        }
      } catch {
        guard [.notFound, .notPermitted, .unsupportedKind].contains(error.code) else { throw error }
      }
    }
    (self.files, self.open) = (files, open)
  }

  /// Keeps it until here.
  package func keep() {}
}

extension Descriptor {
  /// Whether a program has the file open for writing.
  fileprivate var isOpenForWriting: Bool { docversions_is_open_for_writing(number) > 0 }
}
