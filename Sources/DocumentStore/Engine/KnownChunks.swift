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

  // "docversions known chunks 1\n" · for each chunk its digest (32 bytes) and its id (20) · the SHA-256 of all of it
  private static let title = Array("docversions known chunks 1\n".utf8)
  private static let entrySize = 52
  private static let checkSize = 32
  /// Chunks of some 16 GB.
  private static let most = 1 << 20

  /// Those that a store knows of; none where the file cannot be read.
  init(in store: FilePath) {
    do {
      let limit = Self.most * Self.entrySize + 1_024
      read(try SmallFile.read(Self.file(in: store), limit: limit) ?? [])
    } catch {
      // A cache that can't be read is none.
    }
  }

  private mutating func read(_ bytes: consuming [UInt8]) {
    let end = bytes.count - Self.checkSize
    let size = end - Self.title.count
    guard size >= 0, size.isMultiple(of: Self.entrySize), bytes.starts(with: Self.title),
      bytes.withUnsafeBytes({ $0.digest(at: end) }) == ContentDigest(of: bytes[..<end])
    else { return }
    bytes.removeLast(Self.checkSize)
    bytes.removeFirst(Self.title.count)
    let count = size / Self.entrySize
    isSeen = Array(repeating: false, count: count)
    numbers.reserveCapacity(count)
    bytes.withUnsafeBytes { bytes in
      for number in 0..<count {
        numbers[bytes.digest(at: number * Self.entrySize).prefix] = Int32(number)
      }
    }
    entries = bytes
  }

  /// Writes them for the next time: those that the document has, and as many of the others, which it may have again.
  func write(in store: FilePath) throws {
    let seen = isSeen.indices.filter { isSeen[$0] }
    let others = isSeen.indices.lazy.filter { !isSeen[$0] }.prefix(seen.count)
    var bytes = Self.title
    bytes.reserveCapacity(
      Self.title.count + min(2 * seen.count, isSeen.count) * Self.entrySize + Self.checkSize)
    for number in seen + others.prefix(Self.most - seen.count) {
      bytes += entries[number * Self.entrySize..<(number + 1) * Self.entrySize]
    }
    bytes.append(ContentDigest(of: bytes[...]))
    try SmallFile.replaceCache(Self.file(in: store), bytes)
  }

  private static func file(in store: FilePath) -> FilePath {
    store.appending("known-chunks")
  }
}
