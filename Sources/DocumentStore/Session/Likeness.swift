internal import DocumentGit

/// The objects of a new version and those of the previous version that they probably resemble, because they
/// are at the same place in the document.
struct Likeness {
  private let made: [ObjectID: GitObject]
  private var pairs: [ObjectID: ObjectID] = [:]

  /// - Parameter objects: the objects of the new version, not written yet.
  init(of objects: [GitObject]) {
    made = Dictionary(objects.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
  }

  /// Returns the objects, each with the one that it resembles.
  func recorded(in objects: [GitObject]) -> [GitObject] {
    objects.map { object in
      var object = object
      object.likeness = pairs[object.id]
      return object
    }
  }

  /// Compares a new folder with the former one.
  ///
  /// - Parameters:
  ///   - hasChunks: whether the folder is a file in chunks, in which two chunks are either equal or not
  ///     similar at all.
  ///   - read: reads a stored folder.
  mutating func compare(
    _ tree: ObjectID, with old: ObjectID, hasChunks: Bool = false,
    reading read: (ObjectID) throws -> Tree
  ) throws {
    guard tree != old, let object = made[tree] else { return }
    pairs[tree] = old
    let entries = try Tree(decoding: object.bytes()).entries.filter { made[$0.id] != nil }
    let former = try read(old).entries
    // A single file that was renamed is still the single file.
    let known = Dictionary(former.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
    for entry in entries {
      guard let like = known[entry.name] ?? (former.count == 1 ? former.first : nil) else {
        continue
      }
      if entry.mode == .folder, like.mode == .folder {
        let isChunked = hasChunks || MemberName.decoded(entry.name)?.isChunked == true
        try compare(entry.id, with: like.id, hasChunks: isChunked, reading: read)
      } else if entry.mode != .folder, like.mode != .folder, !hasChunks {
        pairs[entry.id] = like.id
      }
    }
  }
}
