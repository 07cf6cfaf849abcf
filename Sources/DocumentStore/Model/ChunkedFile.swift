internal import DocumentFiles
internal import DocumentGit

/// A large file as git objects: chunks cut by ``Chunker``, in a tree of two levels.
///
/// ```
/// .docversions-chunks-film.mov/    an entry in the folder's tree, in place of the file
///   00000000/                      a group of chunks
///     00000000                     a chunk; its mode is the file's
///     00000001
///   00000001/
///     00000000
/// ```
///
/// Names are hexadecimal numbers without gaps, so stock git lists the chunks in the file's order. The id of a
/// chunk determines whether a group ends there, so groups, like chunks, stay the same around a change.
enum ChunkedFile {
  /// The size above which files are stored in chunks.
  static let threshold = 1 << 20
  /// The greatest number of chunks in a group.
  static let longestGroup = 1_024

  /// Returns whether a group ends at a chunk, which is true for one in 128.
  static func isGroupEnd(_ chunk: ObjectID) -> Bool {
    (chunk.bytes.last ?? 0) & 0x7F == 0
  }

  /// Returns the mode of a stored file: its first chunk's.
  static func mode(
    of tree: ObjectID, in repository: borrowing Repository
  ) throws(GitError) -> Tree.Mode {
    guard let group = try repository.tree(tree).entries.first,
      let chunk = try repository.tree(group.id).entries.first, chunk.mode.isFile
    else { throw .malformed("a file in chunks has none") }
    return chunk.mode
  }

  /// Returns the name of an entry by its number.
  static func name(_ number: Int) -> [UInt8] {
    let digits = String(number, radix: 16)
    return Array((String(repeating: "0", count: max(0, 8 - digits.count)) + digits).utf8)
  }
}

/// Builds the trees of a ``ChunkedFile`` from its chunks, one after the other.
struct ChunkTreeBuilder {
  private let mode: Tree.Mode
  private var groups: [Tree.Entry] = []
  private var group: [Tree.Entry] = []

  /// - Parameter mode: the file's mode.
  init(mode: Tree.Mode) {
    self.mode = mode
  }

  /// Adds a chunk.
  ///
  /// - Parameter isLast: whether it ends its group.
  /// - Returns: the tree of the group that ends with it, to be stored; nil if the group continues.
  mutating func add(_ chunk: ObjectID, isLast: Bool) throws -> GitObject? {
    group.append(Tree.Entry(mode: mode, name: ChunkedFile.name(group.count), id: chunk))
    guard isLast || group.count == ChunkedFile.longestGroup else {
      return nil
    }
    return try endGroup()
  }

  /// Returns the trees that complete the file; the file's own tree comes last.
  mutating func finish() throws -> [GitObject] {
    let last = group.isEmpty ? [] : [try endGroup()]
    return last + [Tree(groups).encoded()]
  }

  private mutating func endGroup() throws -> GitObject {
    let tree = Tree(group).encoded()
    groups.append(
      Tree.Entry(mode: .folder, name: ChunkedFile.name(groups.count), id: tree.id))
    group.removeAll(keepingCapacity: true)
    return tree
  }
}

/// The chunks of a stored ``ChunkedFile``, in order: their ends and ids.
struct ChunkList {
  /// The file's mode.
  private(set) var mode = Tree.Mode.file
  /// The ids one after the other, 20 bytes each; a file has many.
  private var ids: [UInt8] = []
  private var ends: [Int] = []

  /// The file's size in bytes.
  var size: Int { ends.last ?? 0 }

  /// Reads the trees of a file and the sizes of its chunks, but no chunk itself.
  ///
  /// - Parameters:
  ///   - tree: the id of the file's tree.
  ///   - limit: the largest size that the file may have.
  /// - Throws: ``GitError`` for trees that don't have exactly this form.
  init(
    _ tree: ObjectID, in repository: borrowing Repository, limit: Int = DocumentLimits().fileSize
  ) throws(GitError) {
    let groups = try repository.tree(tree).entries
    for (number, entry) in groups.enumerated() {
      let group = try repository.tree(entry.id).entries
      guard entry.mode == .folder, entry.name == ChunkedFile.name(number), !group.isEmpty,
        group.count <= ChunkedFile.longestGroup
      else { throw .malformed("a file’s group \(number) of chunks is invalid") }
      for (number, chunk) in group.enumerated() {
        if ends.isEmpty { mode = chunk.mode }
        guard chunk.mode == mode, mode == .file || mode == .executable,
          chunk.name == ChunkedFile.name(number)
        else { throw .malformed("a file’s chunk is invalid") }
        try add(chunk.id, size: repository.size(of: chunk.id), limit: limit)
      }
    }
    guard size > ChunkedFile.threshold else {
      throw .malformed("a file in chunks has too little in it")
    }
  }

  private mutating func add(_ id: ObjectID, size step: Int, limit: Int) throws(GitError) {
    // Only the last chunk may be shorter.
    let before = ends.count > 1 ? size - ends[ends.count - 2] : size
    guard (1...Chunker.longest).contains(step), ends.isEmpty || before >= Chunker.shortest else {
      throw .malformed("a file has a chunk of an impossible size")
    }
    guard step <= limit - size else { throw .malformed("a file has more than \(limit) bytes") }
    ends.append(size + step)
    ids.append(id)
  }

  /// Returns the chunks that contain a part of the file, each with the wanted part of it.
  func chunks(of range: Range<Int>) -> [(id: ObjectID, part: Range<Int>)] {
    var found: [(id: ObjectID, part: Range<Int>)] = []
    var index = firstIndex(endingAfter: range.lowerBound)
    while index < ends.count {
      let start = index == 0 ? 0 : ends[index - 1]
      guard start < range.upperBound, let id = ObjectID(raw: ids[index * 20..<index * 20 + 20])
      else { break }
      let part = range.clamped(to: start..<ends[index])
      found.append((id, part.lowerBound - start..<part.upperBound - start))
      index += 1
    }
    return found
  }

  private func firstIndex(endingAfter offset: Int) -> Int {
    var (low, high) = (0, ends.count)
    while low < high {
      let middle = (low + high) / 2
      if ends[middle] > offset { high = middle } else { low = middle + 1 }
    }
    return low
  }
}

extension Repository {
  /// Reads a part of a file in chunks.
  func read(_ range: Range<Int>, of chunks: ChunkList) throws(GitError) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(range.count)
    for (id, part) in chunks.chunks(of: range) {
      let chunk = try read(id, as: .blob)
      guard part.upperBound <= chunk.count else {
        throw .malformed("the chunk \(id) is shorter than it says")
      }
      bytes += chunk[part]
    }
    return bytes
  }
}
