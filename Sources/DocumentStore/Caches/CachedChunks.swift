internal import DocumentFiles
internal import DocumentGit
internal import SystemPackage

/// The part of the stat cache for chunks of large files: the git ids of chunks that were read before.
///
/// A chunk's id is a SHA-1, and checking whether its bytes were made to collide takes several times as long as all else
/// that is done with a large document. Bytes with the SHA-256 of a chunk that was checked once are that chunk, and have
/// its id. Whether the chunk is stored is asked of the store, as of every object.
struct CachedChunks {
  /// The digests and ids as they stand in the file: a document of 2 GB has a hundred thousand.
  private var entries: [UInt8] = []
  /// The number of the entry whose digest begins with these eight bytes.
  private var numbers: [UInt64: Int32] = [:]
  /// Whether the document has the chunk of an entry now.
  private var isSeen: [Bool] = []
  /// Whether a chunk was added.
  private(set) var hasNew = false

  /// Has no chunks.
  init() {}

  /// The id of the chunk with a digest, which the document has now; `nil` if it is not cached.
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

  /// Adds a chunk that the document has now.
  mutating func add(_ id: ObjectID, for digest: ContentDigest) {
    guard isSeen.count < Self.most else { return }
    numbers[digest.prefix] = Int32(isSeen.count)
    entries.append(digest)
    entries.append(id)
    isSeen.append(true)
    hasNew = true
  }

  // MARK: On disk

  // For each chunk its digest (32 bytes) and its id (20).
  private static let entrySize = 52
  /// Chunks of some 16 GB.
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

  /// Writes them for the next time: those that were seen, then others, which are of members that were not read, or
  /// which the document may have again.
  ///
  /// - Parameter size: the document's; chunks of no more than twice as much are written.
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
