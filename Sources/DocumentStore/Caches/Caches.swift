internal import DocumentFiles
package import SystemPackage

// The three caches of this folder. Deleting any of their files changes no answer; only the next one takes longer.
//
// | cache             | files                          | key                         | stale when                       |
// |-------------------|--------------------------------|-----------------------------|----------------------------------|
// | StatCache         | `known-members` in the store   | tree of the version shown   | a file's stamp or mode differs   |
// |   CachedChunks    | `known-chunks` in the store    | SHA-256 of a chunk          | never: a hash names its bytes    |
// | VersionIndex      | `version-index` in the store   | state of the references     | a reference has moved            |
// |   CountedChanges  | `change-counts` in the store   | two versions' ids           | never: a version does not change |
// | ContainerIndex    | `quiet-documents` in the       | inode of a document's       | a stamp of the store, its heads, |
// |                   | container's `.docversions`     | folder of references        | its reference or its file differs|
//
// | cache             | written by                                 | when it is gone                      | mode      |
// |-------------------|--------------------------------------------|--------------------------------------|-----------|
// | StatCache         | a save, a restore, a merge; under the lock | the next save reads every member     | store's   |
// |   CachedChunks    | a save; under the lock                     | ids of chunks are computed again     | store's   |
// | VersionIndex      | a save, a list; under the lock             | a list walks over all records        | store's   |
// |   CountedChanges  | a list; under the lock                     | a list compares the versions again   | store's   |
// | ContainerIndex    | a search for conflicts, a list of states;  | the search reads three files of each,| user only |
// |                   | renamed into place                         | the list opens each document         |           |
//
// Lists and searches for conflicts are the only readers that write, and they write only caches. A cache that describes
// several documents belongs to one user: only that user can read its file, and another user's file is ignored.
// ``ConflictWatch`` is the container index in memory: the findings of the last search, while the system reports every
// change.
//
// The file names are those of earlier programs, so their caches stay in use, and older programs can use these.
//
// The same rules of freshness apply to all three:
// 1. An entry is valid only for its key.
// 2. Hashes and ids of versions never become stale. Entries about files on disk are compared with the files' stamps
//    (``FileStamp``), and a stamp counts only if ``Freshness`` has accepted it.
// 3. A check covers the bytes, and changes with the format of entries. Bytes that don't match it are ignored.

/// The rule of freshness: a stamp counts only if its file had been left alone for some time before it was read.
///
/// A file system's clock advances in steps. A file that changes twice within one step has the same stamp
/// after both changes, so the second change would never be noticed.
package struct Freshness: Sendable {
  /// The time, in nanoseconds, for which a file must have been left alone if its stamp may not reflect a
  /// change at once.
  package static let leastAge: Int64 = 2_000_000_000

  /// The time, in nanoseconds since 1970, after which a changed file may change again without a new stamp.
  private let latest: Int64

  /// - Parameters:
  ///   - start: when reading began, in nanoseconds since 1970.
  ///   - leastAge: the time for which a file must have been left alone by then, in nanoseconds.
  init(readSince start: Int64, leastAge: Int64 = Self.leastAge) {
    latest = start &- leastAge
  }

  /// Returns whether a file had been left alone for long enough.
  func covers(_ stamp: FileStamp) -> Bool {
    stamp.latest < latest
  }

  /// Returns the time for which files in a folder must be left alone, in nanoseconds; 0 if the system stamps
  /// each change.
  package static func leastAge(in folder: FilePath) throws -> Int64 {
    try Folder.stampsEachChange(folder) ? 0 : leastAge
  }
}
