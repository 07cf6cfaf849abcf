internal import DocumentFiles
internal import DocumentGit
internal import SystemPackage

/// The git ids of chunks that were seen before: a file `known-chunks` beside the versions.
///
/// A cache. A chunk's id is a SHA-1, and whether its bytes were made to collide with others takes several times as long
/// to tell as everything else that is done with a large document. What has the SHA-256 of a chunk that was looked at
/// once is that chunk, and has its id. Whether it is stored is asked of the store, as of every object.
struct KnownChunks {
  /// The digests and ids as they stand in the file: a document of 2 GB has a hundred thousand.
  private var entries: [UInt8] = []
  /// The number of the entry whose digest begins with these eight bytes.
  private var numbers: [UInt64: Int32] = [:]
  /// Whether the document has the chunk of an entry now.
  private var isSeen: [Bool] = []
  /// Whether there is a chunk that was not known.
  private(set) var hasNew = false

  /// Knows no chunks.
  init() {}

  /// The id of the chunk with a digest, which the document has now; nil where none is known.
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

  /// Notes a chunk that the document has now.
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

  /// Those that a store knows of.
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

  /// Writes them for the next time: those that were seen, then others, which are of members that were not read, or which
  /// the document may have again.
  ///
  /// - Parameter size: the document's; chunks of no more than twice as much are noted.
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
    CacheFile(store.appending("known-chunks"), title: "docversions known chunks 1")
  }
}
