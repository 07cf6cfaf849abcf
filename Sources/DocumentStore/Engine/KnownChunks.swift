internal import DocumentFiles
internal import DocumentGit
internal import SystemPackage

/// The git ids of chunks that were seen before: a file `known-chunks` beside the versions.
///
/// A cache. A chunk's id is a SHA-1, and whether its bytes were made to collide with others takes several times as long
/// to tell as everything else that is done with a large document. What has the SHA-256 of a chunk that was looked at
/// once is that chunk, and has its id. Whether it is stored is asked of the store, as of every object.
struct KnownChunks {
  private struct Entry {
    let id: ObjectID
    /// Whether the document has the chunk now.
    var isSeen = false
  }

  private var entries: [ContentDigest: Entry] = [:]
  private var seenCount = 0
  /// Whether there is a chunk that was not known.
  private(set) var hasNew = false

  /// Knows no chunks.
  init() {}

  /// The id of the chunk with a digest, which the document has now; nil where none is known.
  mutating func see(_ digest: ContentDigest) -> ObjectID? {
    guard let entry = entries[digest] else { return nil }
    if !entry.isSeen {
      entries[digest]?.isSeen = true
      seenCount += 1
    }
    return entry.id
  }

  /// Notes a chunk that the document has now.
  mutating func add(_ id: ObjectID, for digest: ContentDigest) {
    entries[digest] = Entry(id: id, isSeen: true)
    seenCount += 1
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
      let bytes = try SmallFile.read(Self.file(in: store), limit: Self.most * Self.entrySize * 2)
      read(bytes ?? [])
    } catch {
      // A cache that can't be read is none.
    }
  }

  private mutating func read(_ bytes: [UInt8]) {
    let end = bytes.count - Self.checkSize
    guard end >= Self.title.count, (end - Self.title.count).isMultiple(of: Self.entrySize),
      bytes.starts(with: Self.title)
    else { return }
    let check = ContentDigest(of: bytes[..<end])
    bytes.withUnsafeBytes { bytes in
      guard bytes.digest(at: end) == check else { return }
      entries.reserveCapacity((end - Self.title.count) / Self.entrySize)
      for place in stride(from: Self.title.count, to: end, by: Self.entrySize) {
        entries[bytes.digest(at: place)] = Entry(id: bytes.identifier(at: place + 32))
      }
    }
  }

  /// Writes them for the next time: those that the document has, and as many of the others, which it may have again.
  func write(in store: FilePath) throws {
    var bytes = Self.title
    bytes.reserveCapacity(Self.title.count + 2 * seenCount * Self.entrySize + Self.checkSize)
    func append(_ chunks: some Sequence<(key: ContentDigest, value: Entry)>) {
      for (digest, entry) in chunks {
        bytes.append(digest)
        bytes.append(entry.id)
      }
    }
    append(entries.lazy.filter(\.value.isSeen).prefix(Self.most))
    append(entries.lazy.filter { !$0.value.isSeen }.prefix(min(seenCount, Self.most)))
    bytes.append(ContentDigest(of: bytes[...]))
    try SmallFile.replaceCache(Self.file(in: store), bytes)
  }

  private static func file(in store: FilePath) -> FilePath {
    store.appending("known-chunks")
  }
}
