internal import DocumentFiles
internal import Synchronization

/// Computes the digest of bytes that arrive in pieces, on another core while the next piece is read.
final class ConcurrentHasher: Sendable {
  private let hasher = Mutex(ContentDigest.Hasher())
  /// At most this many pieces wait in memory.
  private let work = Pipeline(depth: 3)

  /// Adds the next bytes.
  func add(_ bytes: ArraySlice<UInt8>) {
    work.add { [self] in hasher.withLock { $0.add(bytes) } }
  }

  /// Returns the digest of all added bytes.
  func digest() -> ContentDigest {
    work.wait()
    return hasher.withLock { hasher in
      let done = exchange(&hasher, with: ContentDigest.Hasher())
      return done.digest()
    }
  }
}
