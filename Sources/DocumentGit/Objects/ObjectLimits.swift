/// Limits of the sizes of objects, checked in an object's header before anything is inflated, because a few bytes can
/// represent gigabytes.
extension ObjectKind {
  /// The maximum size of an object in a store, in bytes.
  ///
  /// A commit contains parents, a line of JSON and the list of removed versions; a tree of this size has a
  /// million entries; files of more than a megabyte are stored in chunks. No object takes more memory than
  /// this limit.
  var mostBytes: Int {
    switch self {
    case .commit: 16 << 20
    case .tree: 64 << 20
    case .blob: 64 << 20
    }
  }

  /// Throws an error for an object of another kind, or one that exceeds limits according to its header.
  ///
  /// - Parameters:
  ///   - expected: the required kind; `nil` for any kind.
  ///   - most: the maximum size, in addition to the limit of its kind.
  func check(
    _ id: ObjectID, size: Int, as expected: ObjectKind?, upTo most: Int
  ) throws(GitError) {
    if let expected, self != expected { throw .malformed("object \(id) is not a \(expected)") }
    guard size <= min(most, mostBytes) else {
      throw .malformed("object \(id) has \(size) bytes, more than a \(self) may have here")
    }
  }
}

/// The limit of the bytes that are inflated for a deltified object, whose bases can be far larger than it is.
///
/// Git makes no deltas between objects of which one is 32 times as large as the other, and chains of at most 50. Small
/// objects have a fixed limit that costs only a moment.
struct ChainLimit {
  private let largest: Int
  private var rest: Int

  /// - Parameter size: the size of the requested object in bytes.
  init(size: Int) {
    largest = min(max(48 << 20, 32 * size), ObjectKind.tree.mostBytes)
    rest = max(1 << 30, 64 * size)
  }

  /// Counts bytes that are about to be inflated.
  mutating func count(_ size: Int) throws(GitError) {
    guard size <= min(largest, rest) else {
      throw .malformed("an object is stored as changes to far larger ones")
    }
    rest -= size
  }
}
