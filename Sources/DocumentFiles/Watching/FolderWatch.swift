internal import CFileSystem
internal import Synchronization
package import SystemPackage

#if canImport(Glibc)
internal import Glibc
#else
internal import Darwin
#endif

/// Reports the folders in which something has happened since they were watched (by inotify on Linux).
///
/// Only where the system reports every change: not on other systems, and not on file systems that other machines write
/// too. Writes through mapped memory, or through a hard link in a folder that is not watched, are not reported.
package final class FolderWatch: Sendable {
  /// A folder that is watched, whatever its path is by now.
  package struct Mark: Hashable, Sendable {
    fileprivate let number: Int32
  }

  let number: Int32
  private let root: [UInt8]
  /// The folders that are watched, and how many may be.
  private let watched: Mutex<(marks: Set<Mark>, most: Int)>

  /// Makes a watch on no folder yet.
  ///
  /// - Parameters:
  ///   - folder: the folder to which paths are relative.
  ///   - limit: how many folders it watches, at most; nor more than a quarter of those that the system allows the user.
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
  ///   - path: how its path begins.
  ///   - rest: how it goes on.
  /// - Returns: its mark, which is the same if it is watched already; nil if it cannot be.
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

  /// Ends watching a folder.
  package func remove(_ mark: Mark) {
    docversions_watch_remove(number, mark.number)
    _ = watched.withLock { $0.marks.remove(mark) }
  }

  /// Reads the folders in which something has happened since the last call; nil if the system lost reports.
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
