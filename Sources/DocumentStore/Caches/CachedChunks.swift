internal import DocumentFiles
internal import DocumentGit
internal import SystemPackage

/// The part of the stat cache for chunks of large files: the git ids of chunks that were already read.
///
/// A chunk's id is a SHA-1, and checking its bytes for a deliberate collision takes several times as long as
/// everything else that a save does with a large document. Bytes with the SHA-256 of a chunk that was checked
/// before are the same chunk, and have the same id. The cache doesn't say whether the chunk is stored; as for
/// every object, the store does.
package struct CachedChunks {
  /// The digests and ids, as in the file; a document of 2 GB has a hundred thousand.
  private var entries: [UInt8] = []
  /// The indices of entries by the first eight bytes of their digests.
  private var numbers: [UInt64: Int32] = [:]
  /// For each entry, true if the document now has its chunk.
  private var isSeen: [Bool] = []
  /// True if a chunk was added.
  private(set) var hasNew = false

  /// Creates an empty cache.
  init() {}

  /// Returns the id of the chunk with a digest, and records that the document now has it; `nil` if it is not
  /// cached.
  mutating func see(_ digest: ContentDigest) -> ObjectID? {
    guard let number = numbers[digest.prefix].map(Int.init) else { return nil }
    let (known, id) = entries.withUnsafeBytes { entries in
      let place = number * Self.entrySize
      return (entries.digest(at: place), entries.identifier(at: place + 32))
    }
    guard known == digest else { return nil }
    isSeen[number] = true
    return id
  }

  /// Adds a chunk that the document now has.
  mutating func add(_ id: ObjectID, for digest: ContentDigest) {
    guard isSeen.count < Self.most else { return }
    numbers[digest.prefix] = Int32(isSeen.count)
    entries.append(digest)
    entries.append(id)
    isSeen.append(true)
    hasNew = true
  }

  // MARK: On disk

  // For each chunk, its digest (32 bytes) and its id (20).
  private static let entrySize = 52
  /// Enough for about 16 GB.
  private static let most = 1 << 20

  /// Reads the chunks of a store.
  init(in store: FilePath) {
    guard let bytes = Self.file(in: store).read(limit: Self.most * Self.entrySize),
      bytes.count.isMultiple(of: Self.entrySize)
    else { return }
    entries = bytes
    let count = bytes.count / Self.entrySize
    isSeen = Array(repeating: false, count: count)
    numbers.reserveCapacity(count)
    bytes.withUnsafeBytes { bytes in
      for number in 0..<count {
        numbers[bytes.digest(at: number * Self.entrySize).prefix] = Int32(number)
      }
    }
  }

  /// Writes the chunks for the next save: first those that the document has, then others.
  ///
  /// The others belong to members that were not read, or may return to the document.
  ///
  /// - Parameter size: the document's size; the written chunks cover at most twice as much.
  func write(in store: FilePath, documentSize size: Int) throws {
    let seen = isSeen.indices.filter { isSeen[$0] }
    let room = min(2 * (size / Chunker.average + 1), Self.most) - seen.count
    let others = isSeen.indices.lazy.filter { !isSeen[$0] }.prefix(max(0, room))
    try Self.file(in: store).write(
      reserving: min(isSeen.count, seen.count + max(0, room)) * Self.entrySize
    ) { bytes in
      for number in seen + others {
        bytes += entries[number * Self.entrySize..<(number + 1) * Self.entrySize]
      }
    }
  }

  private static func file(in store: FilePath) -> CacheFile {
    CacheFile(StoreFile.cachedChunks.path(in: store), title: "docversions known chunks 1")
  }
}
