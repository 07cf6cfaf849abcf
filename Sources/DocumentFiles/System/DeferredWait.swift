internal import CFileSystem
package import SystemPackage

#if canImport(Glibc)
internal import Glibc
#else
internal import Darwin
#endif

/// A single wait for the disk in place of many, which covers everything written in the meantime to the file
/// system of a folder.
///
/// It is for items that have no final name yet, and for those that may be lost: until the wait is over, a
/// power cut may leave them in any state.
package struct DeferredWait: ~Copyable, Sendable {
  /// The fewest items for a common wait; with fewer, each waits separately, because the common wait includes
  /// other programs' data.
  package static let fewest = 8
  private let folder: Descriptor

  /// Starts deferring.
  ///
  /// - Parameter path: a folder on the file system.
  /// - Returns: `nil` if the file system may not report failures to reach the disk; then each item must be
  ///   waited for.
  package init?(onFileSystemOf path: FilePath) throws(FileError) {
    let folder = try Descriptor.open(folder: path)
    guard docversions_can_synchronize_all(folder.number) != 0 else { return nil }
    self.folder = folder
  }

  /// Runs a closure on items, with a single wait for the disk if there are many and the file system supports
  /// it.
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

  /// Runs a closure whose writes on this thread don't wait for the disk.
  package borrowing func withoutWaiting<Result>(_ body: () throws -> Result) rethrows -> Result {
    try Self.deferring(body)
  }

  /// Runs a closure for each of many items, on all cores, without waiting for the disk.
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

  /// Waits until everything written so far is on disk.
  package borrowing func wait() throws(FileError) {
    guard docversions_synchronize_all(folder.number) == 0 else {
      throw .failed(to: "write to disk", folder.path, .current)
    }
  }
}
