internal import DocumentFiles
internal import DocumentGit
internal import SystemPackage

/// The stat cache: the objects that represent a document's files and folders in its last version.
///
/// A file with the same stamp has the same bytes and isn't read; a folder with the same members has the same
/// tree. The entries belong to one version's tree; because the tree is in the store, so are the objects that
/// they name. As in git's index, a file's stamp is its inode, its size, and the times of its last
/// modification and status change in nanoseconds. It counts only if ``Freshness`` covers it.
///
/// Each save appends the folders that it changed, and a table of the valid folders. So a save of a few
/// members reads and writes little.
package final class StatCache {
  private let table: Table
  private let file: AppendOnlyFile.Parts
  /// The end of the file, or all of it.
  private var bytes: [UInt8]

  /// The tree of the version that the entries belong to.
  var tree: ObjectID { table.tree }

  /// Reads the cache of a store; `nil` if there is none, or it belongs to another version.
  init?(in store: FilePath, of tree: ObjectID) {
    do {
      guard let file = try AppendOnlyFile.open(Self.path(in: store)), file.size <= 1 << 26 else {
        return nil
      }
      bytes = try file.bytes(max(0, file.size - Self.tailSize)..<file.size)
      guard let table = try Table(of: file, endingWith: bytes), table.tree == tree else {
        return nil
      }
      self.table = table
      self.file = file
    } catch {
      // An unreadable cache counts as missing.
      return nil
    }
  }

  /// The device that the document was on.
  var device: UInt64 { table.device }

  /// Returns the entry of a folder, by its inode; `nil` if there is none.
  func folder(_ inode: UInt64) -> CachedFolder? {
    table.places[inode].flatMap(folder)
  }

  private func folder(at place: Place) -> CachedFolder? {
    slice(place).flatMap(CachedFolder.init(decoding:))
  }

  /// Reads the rest of the file at once, for a caller that needs all folders.
  func readAll() {
    let start = file.size - bytes.count
    guard start > 0 else { return }
    do { bytes = try file.bytes(0..<start) + bytes } catch {
      // If this fails, each folder is read by itself.
    }
  }

  /// Returns the bytes of a folder; `nil` if they don't match their check.
  private func slice(_ place: Place) -> ArraySlice<UInt8>? {
    let start = file.size - bytes.count
    let slice: ArraySlice<UInt8>
    if place.range.lowerBound >= start {
      slice = bytes[place.range.lowerBound - start..<place.range.upperBound - start]
    } else {
      do { slice = try file.bytes(place.range)[...] } catch { return nil }
    }
    return ContentDigest(of: slice) == place.check ? slice : nil
  }

  // MARK: Writing

  /// Writes the folders of a version.
  ///
  /// Call this only while the store is locked.
  ///
  /// - Parameters:
  ///   - folders: the folders that were read.
  ///   - tree: the version's tree.
  ///   - device: the device that the document is on.
  ///   - former: the previous cache.
  ///   - isKept: whether a folder of the previous cache, by its inode, is unchanged in the version.
  static func write(
    _ folders: [CachedFolder], of tree: ObjectID, on device: UInt64, after former: StatCache?,
    keeping isKept: (UInt64) -> Bool, in store: FilePath
  ) throws {
    let new = Set(folders.map(\.inode))
    let kept = former?.table.places.filter { !new.contains($0.key) && isKept($0.key) } ?? [:]
    let encoded = folders.map { (folder: $0, bytes: $0.encoded) }
    let live = encoded.reduce(kept.reduce(0) { $0 + $1.value.range.count }) { $0 + $1.bytes.count }
    var table = Table(tree: tree, device: device)
    var bytes: [UInt8] = []
    // At most about half of the file belongs to folders that are gone.
    if let former, former.file.size <= 2 * live + slack {
      table.places = kept
      for (folder, encoded) in encoded {
        table.add(folder.inode, encoded[...], at: former.file.size + bytes.count)
        bytes += encoded
      }
      return try AppendOnlyFile.append(
        bytes + table.encoded, to: path(in: store), at: former.file.size)
    }
    for (inode, place) in kept {
      guard let slice = former?.slice(place) else { continue }
      table.add(inode, slice, at: bytes.count)
      bytes += slice
    }
    for (folder, encoded) in encoded {
      table.add(folder.inode, encoded[...], at: bytes.count)
      bytes += encoded
    }
    try SmallFile.replaceCache(path(in: store), bytes + table.encoded)
  }

  static func path(in store: FilePath) -> FilePath {
    StoreFile.statCache.path(in: store)
  }

  /// The number of bytes that are read first: usually the table, and the folders that changed last.
  private static let tailSize = 64 << 10
  /// The number of bytes in a small file that may belong to folders that are gone.
  private static let slack = 64 << 10

  // MARK: The table

  /// The place of a folder in the file.
  private struct Place {
    let range: Range<Int>
    let check: ContentDigest
  }

  // The device (8 bytes, as all numbers little-endian) · the version's tree (20) · for each folder its inode,
  // offset, size (8 each) and SHA-256 (32) · the table's size (8) · its SHA-256 (32)
  private struct Table {
    let tree: ObjectID
    let device: UInt64
    /// The places of folders, by their inodes.
    var places: [UInt64: Place] = [:]

    init(tree: ObjectID, device: UInt64) {
      self.tree = tree
      self.device = device
    }

    mutating func add(_ inode: UInt64, _ bytes: ArraySlice<UInt8>, at start: Int) {
      places[inode] = Place(
        range: start..<start + bytes.count, check: ContentDigest(of: bytes))
    }

    /// Reads the table at the end of a file; `nil` if there is none.
    init?(of file: borrowing AppendOnlyFile.Parts, endingWith tail: [UInt8]) throws {
      guard tail.count >= Self.footSize else { return nil }
      let foot = tail.count - Self.footSize
      let (size, check) = tail.withUnsafeBytes {
        (Int(clamping: $0.number(at: foot)), $0.digest(at: foot + 8))
      }
      let end = file.size - Self.footSize
      guard size >= Self.headSize, size <= end, (size - Self.headSize) % Self.entrySize == 0 else {
        return nil
      }
      let bytes =
        size <= foot ? tail[foot - size..<foot] : try file.bytes(end - size..<end)[...]
      guard Self.check(bytes) == check else { return nil }
      (device, tree) = bytes.withUnsafeBytes { ($0.number(at: 0), $0.identifier(at: 8)) }
      places.reserveCapacity(size / Self.entrySize)
      let isSound = bytes.withUnsafeBytes { bytes in
        for entry in stride(from: Self.headSize, to: size, by: Self.entrySize) {
          let start = Int(clamping: bytes.number(at: entry + 8))
          let count = Int(clamping: bytes.number(at: entry + 16))
          guard start <= end, count <= end - start else { return false }
          places[bytes.number(at: entry)] = Place(
            range: start..<start + count, check: bytes.digest(at: entry + 24))
        }
        return true
      }
      guard isSound else { return nil }
    }

    var encoded: [UInt8] {
      var bytes: [UInt8] = []
      bytes.reserveCapacity(Self.headSize + places.count * Self.entrySize + Self.footSize)
      bytes.append(number: device)
      bytes.append(tree)
      for (inode, place) in places {
        bytes.append(number: inode)
        bytes.append(number: UInt64(place.range.lowerBound))
        bytes.append(number: UInt64(place.range.count))
        bytes.append(place.check)
      }
      let (size, check) = (bytes.count, Self.check(bytes[...]))
      bytes.append(number: UInt64(size))
      bytes.append(check)
      return bytes
    }

    /// Returns the check of the table's bytes, which changes with the file's format.
    private static func check(_ bytes: ArraySlice<UInt8>) -> ContentDigest {
      ContentDigest(of: Array("docversions known members 2\n".utf8) + bytes)
    }

    private static let headSize = 28
    private static let entrySize = 56
    private static let footSize = 40
  }
}
