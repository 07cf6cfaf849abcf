internal import DocumentFiles
internal import Synchronization

/// Makes the digest of bytes that come piece by piece, on another core while the next piece is read.
final class ConcurrentHasher: Sendable {
  private let hasher = Mutex(ContentDigest.Hasher())
  /// No more pieces than these wait in memory.
  private let work = Pipeline(depth: 3)

  /// Takes the next bytes.
  func add(_ bytes: ArraySlice<UInt8>) {
    work.add { [self] in hasher.withLock { $0.add(bytes) } }
  }

  /// The digest of all bytes that were added.
  func digest() -> ContentDigest {
    work.wait()
    return hasher.withLock { hasher in
      let done = exchange(&hasher, with: ContentDigest.Hasher())
      return done.digest()
    }
  }
}
