/// The index of a pack that is open for reading, with the positions of its objects.
///
/// Only the requested parts of a large index are read: with 100,000 versions, it has megabytes, and a save needs a
/// handful of objects.
final class OpenIndex {
  /// The number of objects in the pack.
  let count: Int
  private let name: String
  /// The file; `nil` if the whole index was read.
  private let file: OpenFile?
  private let size: Int
  private let start: [UInt8]
  /// The parts that were read, by the first byte of the ids.
  private var parts: [Int: Part] = [:]

  /// The objects whose ids begin with one byte.
  private struct Part {
    /// The number of the first object in the index.
    let first: Int
    let ids: ArraySlice<UInt8>
    /// The positions of the entries; `nil` until one is requested, which doesn't happen in most parts.
    var offsets: ArraySlice<UInt8>?
  }

  /// Opens the index of a pack; `nil` if it has been removed in the meantime.
  init?(_ name: String, in folder: PackFolder) throws(GitError) {
    guard let file = try folder.files.openIfThere(name) else { return nil }
    let size = file.size
    let isSmall = size <= Self.mostReadAtOnce
    let first = isSmall ? size : Self.ids
    guard size <= PackIndex.mostBytes else {
      throw .malformed("“\(name)” has \(size) bytes, more than it may have")
    }
    start = try file.read(0..<first, "read \(name)")
    // It may have been truncated in the meantime.
    guard start.count == first, let count = Self.count(in: start),
      size >= Self.ids + count * 28 + 40
    else {
      throw .damaged("the index “\(name)” is damaged")
    }
    self.count = count
    self.name = name
    self.size = size
    self.file = isSmall ? nil : file
  }

  /// Creates an empty index.
  init() {
    (count, name, file, size) = (0, "", nil, Self.ids)
    start = Array(repeating: 0, count: Self.ids)
  }

  private static let mostReadAtOnce = 64 << 10
  private static let fanOut = 8
  private static let ids = 8 + 1_024

  /// Reads all bytes without checks.
  func readWhole() throws(GitError) -> [UInt8] {
    guard let file else { return start }
    return try file.read(0..<size, "read \(name)")
  }

  /// Reads the number of objects in an index; `nil` for an index that can't be searched.
  private static func count(in start: [UInt8]) -> Int? {
    guard start.count >= ids, start.starts(with: PackIndex.signature) else { return nil }
    var count = 0
    for first in 0...255 {
      let next = Int(start.bigEndian(at: fanOut + first * 4))
      guard next >= count else { return nil }
      count = next
    }
    return count
  }

  /// Returns the position of an object's entry; `nil` if the pack doesn't have the object.
  func offset(of id: ObjectID) throws(GitError) -> Int? {
    let part = try part(id.first)
    var (low, high) = (0, part.ids.count / 20)
    while low < high {
      let middle = (low + high) / 2
      let candidate = Self.id(middle, in: part)
      if candidate == id { return try offset(middle, of: part, startingWith: id.first) }
      if candidate < id { low = middle + 1 } else { high = middle }
    }
    return nil
  }

  /// Returns the ids of all objects, in order.
  func objects() throws(GitError) -> [ObjectID] {
    var objects: [ObjectID] = []
    objects.reserveCapacity(count)
    for first in 0...255 {
      let part = try part(first)
      for number in 0..<(part.ids.count / 20) { objects.append(Self.id(number, in: part)) }
    }
    return objects
  }

  /// Returns whether every object of another index is in this one.
  func hasAll(of other: OpenIndex) throws(GitError) -> Bool {
    guard other.count <= count else { return false }
    // Usually, the very first object isn't in it.
    for first in 0...255 {
      let part = try other.part(first)
      for number in 0..<(part.ids.count / 20) {
        if try offset(of: Self.id(number, in: part)) == nil { return false }
      }
    }
    return true
  }

  private static func id(_ number: Int, in part: Part) -> ObjectID {
    let place = number * 20
    return unsafe part.ids.withUnsafeBytes {
      unsafe ObjectID(twenty: UnsafeRawBufferPointer(rebasing: $0[place..<(place + 20)]))
    }
  }

  /// Returns the position of an entry, which may be wrong in a damaged index; the bytes there are checked.
  private func offset(
    _ number: Int, of part: Part, startingWith first: Int
  ) throws(GitError) -> Int {
    let offsets: ArraySlice<UInt8>
    if let known = part.offsets {
      offsets = known
    } else {
      offsets = try self.offsets(of: part)
      parts[first]?.offsets = offsets
    }
    let offset = Self.number(at: offsets.startIndex + number * 4, in: offsets)
    guard offset >= 1 << 31 else { return offset }
    // Positions beyond 2 GiB are in a separate table.
    let place = Self.ids + count * 28 + (offset - 1 << 31) * 8
    guard place + 8 <= size - 40 else { return 0 }
    let far = try bytes(place..<(place + 8))
    return Self.number(at: far.startIndex, in: far) << 32
      | Self.number(at: far.startIndex + 4, in: far)
  }

  private static func number(at place: Int, in bytes: ArraySlice<UInt8>) -> Int {
    bytes[place..<(place + 4)].reduce(0) { $0 << 8 | Int($1) }
  }

  private func part(_ first: Int) throws(GitError) -> Part {
    if let part = parts[first] { return part }
    let low = first == 0 ? 0 : Int(start.bigEndian(at: Self.fanOut + (first - 1) * 4))
    let high = Int(start.bigEndian(at: Self.fanOut + first * 4))
    let part = Part(
      first: low, ids: try bytes((Self.ids + low * 20)..<(Self.ids + high * 20)))
    if file != nil { parts[first] = part }
    return part
  }

  private func offsets(of part: Part) throws(GitError) -> ArraySlice<UInt8> {
    let start = Self.ids + count * 24 + part.first * 4
    return try bytes(start..<(start + part.ids.count / 5))
  }

  private func bytes(_ range: Range<Int>) throws(GitError) -> ArraySlice<UInt8> {
    guard let file else { return start[range] }
    let bytes = try file.read(range, "read \(name)")
    guard bytes.count == range.count else {
      throw .damaged("the index “\(name)” was cut short")
    }
    return bytes[...]
  }
}
