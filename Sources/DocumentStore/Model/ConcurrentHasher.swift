internal import Dispatch
internal import Synchronization

/// Makes the digest of bytes that come piece by piece, on another core while the next piece is read.
final class ConcurrentHasher: Sendable {
  private let hasher = Mutex(ContentDigest.Hasher())
  private let queue = DispatchQueue(label: "docversions.digest")
  /// No more pieces than these wait in memory.
  private let slots = DispatchSemaphore(value: 3)

  /// Takes the next bytes.
  func add(_ bytes: ArraySlice<UInt8>) {
    slots.wait()
    queue.async { [self] in
      hasher.withLock { $0.add(bytes) }
      slots.signal()
    }
  }

  /// The digest of all bytes that were added.
  func digest() -> ContentDigest {
    queue.sync {
      hasher.withLock { hasher in
        let done = exchange(&hasher, with: ContentDigest.Hasher())
        return done.digest()
      }
    }
  }
}
