/// The limits of objects' sizes: a few bytes can stand for gigabytes, so the size in an object's header is
/// checked before anything is inflated.
extension ObjectKind {
  /// The most bytes of an object of a store.
  ///
  /// A commit holds parents, a line of JSON and the list of removed versions; a tree of this size has a
  /// million entries; files of more than a megabyte are stored in chunks. So a small file that stands for gigabytes is
  /// refused before it is inflated, and no object takes more memory than this.
  var mostBytes: Int {
    switch self {
    case .commit: 16 << 20
    case .tree: 64 << 20
    case .blob: 64 << 20
    }
  }

  /// Refuses an object of this kind by what its header tells.
  ///
  /// - Parameters:
  ///   - expected: what it must be; nil for any kind.
  ///   - most: how large it may be, beside what its kind allows.
  func check(
    _ id: ObjectID, size: Int, as expected: ObjectKind?, upTo most: Int
  ) throws(GitError) {
    if let expected, self != expected { throw .malformed("object \(id) is not a \(expected)") }
    guard size <= min(most, mostBytes) else {
      throw .malformed("object \(id) has \(size) bytes, more than a \(self) may have here")
    }
  }
}

/// How much may have to be made for an object that a pack has only as changes to others: these can be far larger
/// than it is.
///
/// Git makes no changes between objects of which one is 32 times as large as the other, and no more than 50
/// in a row. Small ones may be as large, and as many, as costs a moment.
struct ChainLimit {
  private let largest: Int
  private var rest: Int

  /// - Parameter size: bytes of the object that is asked for.
  init(size: Int) {
    largest = min(max(48 << 20, 32 * size), ObjectKind.tree.mostBytes)
    rest = max(1 << 30, 64 * size)
  }

  /// Counts bytes that are about to be made.
  mutating func count(_ size: Int) throws(GitError) {
    guard size <= min(largest, rest) else {
      throw .malformed("an object is stored as changes to far larger ones")
    }
    rest -= size
  }
}
