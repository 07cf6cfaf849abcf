internal import CFileSystem
internal import Synchronization
package import SystemPackage

#if canImport(Glibc)
internal import Glibc
#else
internal import Darwin
#endif

/// Reports the folders that have changed since they were watched (by inotify on Linux).
///
/// It works only if the system reports every change: not on other systems, and not on file systems that other
/// machines also write to. Writes through mapped memory, or through a hard link in an unwatched folder,
/// aren't reported.
package final class FolderWatch: Sendable {
  /// A watched folder, regardless of its present path.
  package struct Mark: Hashable, Sendable {
    fileprivate let number: Int32
  }

  let number: Int32
  private let root: [UInt8]
  /// The watched folders, and their greatest number.
  private let watched: Mutex<(marks: Set<Mark>, most: Int)>

  /// Creates an instance that watches no folder yet.
  ///
  /// - Parameters:
  ///   - folder: the folder to which paths are relative.
  ///   - limit: the greatest number of folders to watch, which is also limited to a quarter of those that the
  ///     system allows the user.
  /// - Returns: nil if not every change is reported.
  package init?(from folder: FilePath, atMost limit: Int = .max) {
    var most = 0
    let opened = folder.withPlatformString { open($0, O_RDONLY | O_DIRECTORY | O_CLOEXEC) }
    guard opened >= 0 else { return nil }
    number = docversions_watch_open(opened, &most)
    close(opened)
    watched = Mutex((marks: [], most: min(most, limit)))
    root = Array(folder.string.utf8) + [UInt8(ascii: "/")]
    guard number >= 0 else { return nil }
  }

  deinit {
    if number >= 0 { close(number) }
  }

  /// Watches a folder.
  ///
  /// - Parameters:
  ///   - path: the beginning of the folder's path.
  ///   - rest: the rest of the path.
  /// - Returns: its mark, which is the same if it is already watched; nil if it can't be watched.
  package func add(_ path: [UInt8], _ rest: [UInt8] = []) -> Mark? {
    watched.withLock { watched in
      guard watched.marks.count < watched.most else { return nil }
      let mark = withPath(root + path, rest) { docversions_watch_add(number, $0) }
      guard mark >= 0 else {
        if errno == ENOSPC { watched.most = 0 }
        return nil
      }
      watched.marks.insert(Mark(number: mark))
      return Mark(number: mark)
    }
  }

  /// Stops watching a folder.
  package func remove(_ mark: Mark) {
    docversions_watch_remove(number, mark.number)
    _ = watched.withLock { $0.marks.remove(mark) }
  }

  /// Returns the folders that have changed since the last call; nil if the system lost reports.
  package func changes() -> Set<Mark>? {
    var changed: Set<Mark> = []
    return withUnsafeTemporaryAllocation(
      of: docversions_watch_report.self, capacity: Int(DOCVERSIONS_WATCH_REPORTS)
    ) {
      reports in
      while true {
        let count = docversions_watch_read(number, reports.baseAddress)
        guard count >= 0 else { return nil }
        guard count > 0 else { return changed }
        for report in reports.prefix(Int(count)) { changed.insert(Mark(number: report.mark)) }
      }
    }
  }
}
