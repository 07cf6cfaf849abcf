/// A pack that is open for reading, with entries read on request.
///
/// docversions reads packs itself, because libgit2 1.5.1 and 1.9.7 never return from a truncated entry, or
/// from a FIFO in a pack's place, and map whole packs into memory. The format is git's version 2
/// (`gitformat-pack`). Nothing in a pack is trusted: sizes are limited before anything is inflated.
final class OpenPack {
  let name: String
  /// The size of the pack in bytes.
  let size: Int
  /// The modification time, in nanoseconds since 1970.
  let modified: Int64
  let index: OpenIndex
  /// The file; `nil` if it is opened for each read.
  private let file: OpenFile?
  private let reopen: () throws(GitError) -> OpenFile?
  /// All bytes of a small pack, once they were read.
  private var whole: [UInt8]?

  /// Opens a pack.
  ///
  /// - Parameters:
  ///   - suffix: the suffix of its files' extensions.
  ///   - isHeld: whether its file stays open, so that it can be read after its removal; a process can hold only a
  ///     limited number.
  /// - Returns: the pack; `nil` if it has been removed in the meantime.
  convenience init?(
    _ name: String, in folder: PackFolder, suffix: String = "", isHeld: Bool = true
  ) throws(GitError) {
    let fileName = name + ".pack" + suffix
    guard let index = try OpenIndex(name + ".idx" + suffix, in: folder),
      let file = try folder.files.openIfThere(fileName)
    else { return nil }
    self.init(name, file, index, isHeld: isHeld) { () throws(GitError) in
      try folder.files.openIfThere(fileName)
    }
  }

  /// Opens a pack without its index, so that nothing can be found in it by name.
  ///
  /// - Returns: the pack; `nil` if it doesn't exist.
  convenience init?(scanning name: String, in folder: PackFolder) throws(GitError) {
    guard let file = try folder.files.openIfThere(name + ".pack") else { return nil }
    self.init(name, file, OpenIndex(), isHeld: true) { nil }
  }

  private init(
    _ name: String, _ file: OpenFile, _ index: OpenIndex, isHeld: Bool,
    reopen: @escaping () throws(GitError) -> OpenFile?
  ) {
    self.name = name
    self.index = index
    self.reopen = reopen
    size = file.size
    modified = file.modified
    self.file = isHeld ? file : nil
  }

  /// True if its file stays open.
  var isHeld: Bool { file != nil }

  /// Reads a part of the file; returns fewer bytes only at its end.
  private func part(
    _ range: Range<Int>, _ operation: @autoclosure () -> String
  ) throws(GitError) -> [UInt8] {
    if let file { return try file.read(range, operation()) }
    guard let file = try reopen() else {
      throw .changedMeanwhile("the pack “\(name)” was replaced in the meantime")
    }
    return try file.read(range, operation())
  }

  /// The maximum size of a pack that is kept in memory if nearly every entry is read, instead of reading entries
  /// individually.
  static let mostKept = 8 << 20

  /// Reads all bytes of a small pack, which are kept for reading entries.
  ///
  /// - Returns: the bytes; `nil` if the pack is truncated.
  func readWhole() throws(GitError) -> [UInt8]? {
    if let whole { return whole }
    let bytes = try part(0..<size, "read \(name)")
    guard bytes.count == size else { return nil }
    whole = bytes
    return bytes
  }

  /// Releases the bytes that ``readWhole()`` kept.
  func releaseWhole() { whole = nil }

  /// Reads bytes of the pack.
  func bytes(in range: Range<Int>) throws(GitError) -> [UInt8] {
    if let whole, range.upperBound <= whole.count { return Array(whole[range]) }
    let bytes = try part(range, "read \(name)")
    guard bytes.count == range.count else { throw .damaged("“\(name)” was cut short") }
    return bytes
  }

  // MARK: Entries

  /// The header of an entry.
  struct Entry {
    enum Form {
      case whole(ObjectKind)
      /// A delta of the entry at an earlier position in the same pack.
      case delta(baseAt: Int)
      /// A delta of another object.
      case deltaOf(ObjectID)
    }

    let form: Form
    /// The inflated size in bytes.
    let size: Int
    /// The position of the zlib stream.
    let start: Int
    /// The bytes of the stream that were read with the header, usually all of them.
    fileprivate let beginning: ArraySlice<UInt8>
  }

  /// Reads the header of an entry.
  func entry(at offset: Int, of id: ObjectID) throws(GitError) -> Entry {
    guard offset >= PackWriter.firstEntry, offset < size - 20 else { throw .damaged(id) }
    let bytes = try read(at: offset, count: min(Self.firstRead, size - 20 - offset), of: id)
    var rest = bytes.prefix(64)
    guard let first = rest.popFirst() else { throw .damaged(id) }
    var entrySize = Int(first & 15)
    var shift = 4
    var byte = first
    while byte & 0x80 != 0 {
      guard let next = rest.popFirst(), shift < 48 else { throw .damaged(id) }
      entrySize |= Int(next & 0x7F) << shift
      shift += 7
      byte = next
    }
    let form: Entry.Form
    switch first >> 4 & 7 {
    case 1: form = .whole(.commit)
    case 2: form = .whole(.tree)
    case 3: form = .whole(.blob)
    case 6:
      guard let distance = Self.distance(&rest), (1...offset).contains(distance) else {
        throw .damaged(id)
      }
      form = .delta(baseAt: offset - distance)
    case 7:
      guard let base = ObjectID(raw: rest.prefix(20)) else { throw .damaged(id) }
      rest = rest.dropFirst(20)
      form = .deltaOf(base)
    default: throw .damaged(id)
    }
    let start = offset + (rest.startIndex - bytes.startIndex)
    // zlib inflates a byte to at most 1,032 bytes, so a larger size is false.
    guard entrySize <= (size - start) * 1_040, entrySize <= Self.largestObject else {
      throw .damaged(id)
    }
    return Entry(
      form: form, size: entrySize, start: start, beginning: bytes[rest.startIndex...])
  }

  /// The number of bytes to read at first, enough for a version’s record and most deltas.
  private static let firstRead = 1_024

  /// Inflates all or the first bytes of an entry.
  func inflate(_ entry: Entry, of id: ObjectID, upTo most: Int = .max) throws(GitError) -> [UInt8] {
    let wanted = min(entry.size, most)
    var guess = wanted + wanted >> 8 + 512
    while true {
      let stream = try stream(of: entry, upTo: guess, id)
      guard let inflated = Inflater.inflate(stream, upTo: wanted) else { throw .damaged(id) }
      if inflated.bytes.count == wanted, inflated.end != nil || wanted < entry.size {
        return inflated.bytes
      }
      // Other programs may compress less.
      guard guess < size - 20 - entry.start, guess < 2 * wanted + 1_024 else { throw .damaged(id) }
      guess = 2 * wanted + 1_024
    }
  }

  /// Returns an entry unchanged, and its object; `nil` if the stream differs from the form that docversions
  /// writes.
  func bytes(
    of entry: Entry, at offset: Int, _ id: ObjectID
  ) throws(GitError) -> (entry: [UInt8], object: [UInt8])? {
    let most = min(entry.size + entry.size >> 8 + 512, size - 20 - entry.start)
    let header = entry.start - offset
    let bytes = try read(at: offset, count: header + most, of: id)
    guard let inflated = Inflater.inflate(Array(bytes[header...]), upTo: entry.size),
      let end = inflated.end, inflated.bytes.count == entry.size
    else { return nil }
    return (Array(bytes[..<(header + end)]), inflated.bytes)
  }

  /// Inflates all of an entry, and finds its end.
  func inflateToEnd(_ entry: Entry) throws(GitError) -> (bytes: [UInt8], end: Int) {
    let id = ObjectID.emptyTree
    // Other programs may compress less.
    for guess in [entry.size + entry.size >> 8 + 512, 2 * entry.size + 1_024] {
      let stream = try stream(of: entry, upTo: guess, id)
      // One additional byte reveals a stream that is too long.
      guard let inflated = Inflater.inflate(stream, upTo: entry.size + 1) else { break }
      if let end = inflated.end, inflated.bytes.count == entry.size {
        return (inflated.bytes, entry.start + end)
      }
    }
    throw .damaged(id)
  }

  /// Returns the first bytes of an entry's stream.
  private func stream(
    of entry: Entry, upTo most: Int, _ id: ObjectID
  ) throws(GitError) -> [UInt8] {
    let count = min(most, size - 20 - entry.start)
    return try count <= entry.beginning.count
      ? Array(entry.beginning.prefix(count)) : read(at: entry.start, count: count, of: id)
  }

  private static let largestObject = ObjectKind.tree.mostBytes

  /// Reads the distance from a delta back to its base.
  private static func distance(_ rest: inout ArraySlice<UInt8>) -> Int? {
    guard var byte = rest.popFirst() else { return nil }
    var distance = Int(byte & 0x7F)
    while byte & 0x80 != 0 {
      guard let next = rest.popFirst(), distance < 1 << 48 else { return nil }
      distance = (distance + 1) << 7 | Int(next & 0x7F)
      byte = next
    }
    return distance
  }

  private func read(at offset: Int, count: Int, of id: ObjectID) throws(GitError) -> [UInt8] {
    if let whole {
      guard offset >= 0, count >= 0, offset <= size - count else { throw .damaged(id) }
      return Array(whole[offset..<offset + count])
    }
    let bytes = try part(offset..<offset + max(0, count), "read object \(id)")
    guard bytes.count == count else { throw .damaged(id) }
    return bytes
  }
}
