internal import CFileSystem
package import SystemPackage

#if canImport(Glibc)
internal import Glibc
#else
internal import Darwin
#endif

/// One wait for the disk in the place of very many: of all that is written meanwhile to the file system of a folder.
///
/// For items that have no name yet by which anything would find them, and for those that may be lost: until the wait is
/// over, a power cut may leave anything of them.
package struct DeferredWait: ~Copyable {
  /// Fewer items wait each by itself: to wait for all that was written is also to wait for other programs.
  package static let fewest = 8
  private let folder: Descriptor

  /// Begins to defer.
  ///
  /// - Parameter path: a folder on the file system.
  /// - Returns: `nil` if the file system may not report what did not reach the disk: then each item is waited for.
  package init?(onFileSystemOf path: FilePath) throws(FileError) {
    let folder = try Descriptor.open(folder: path)
    guard docversions_can_synchronize_all(folder.number) != 0 else { return nil }
    self.folder = folder
  }

  /// Does something to items, with one wait for the disk if they are many, and the file system can do that.
  package static func once<Result>(
    for count: Int, onFileSystemOf path: FilePath, _ body: () throws -> Result
  ) throws -> Result {
    guard count >= fewest, let disk = try DeferredWait(onFileSystemOf: path) else {
      return try body()
    }
    let result = try disk.withoutWaiting(body)
    try disk.wait()
    return result
  }

  /// Does something that does not wait for the disk, as far as it writes on this thread.
  package borrowing func withoutWaiting<Result>(_ body: () throws -> Result) rethrows -> Result {
    try Self.deferring(body)
  }

  /// Does something with each of many items, on all cores, that does not wait for the disk.
  ///
  /// - Returns: the results in the order of the items.
  package borrowing func map<Success: Sendable>(
    _ count: Int, _ body: @escaping @Sendable (Int) throws -> Success
  ) -> [Result<Success, any Error>] {
    ForkJoin.mapRanges(of: count, upTo: min(64, max(1, count / 16))) { range in
      Self.deferring { range.map { number in Result { try body(number) } } }
    }.flatMap { $0 }
  }

  private static func deferring<Result>(_ body: () throws -> Result) rethrows -> Result {
    let before = docversions_defer_waits(1)
    defer { _ = docversions_defer_waits(before) }
    return try body()
  }

  /// Waits until all that was written so far is on the disk.
  package borrowing func wait() throws(FileError) {
    guard docversions_synchronize_all(folder.number) == 0 else {
      throw .failed(to: "write to disk", folder.path, .current)
    }
  }
}
