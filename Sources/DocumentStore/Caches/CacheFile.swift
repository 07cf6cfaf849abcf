internal import DocumentFiles
internal import DocumentGit
internal import SystemPackage

#if canImport(Glibc)
internal import Glibc
#else
internal import Darwin
#endif

/// A cache file that is written all at once: a title that names its format, the entries, and the SHA-256 of
/// both.
///
/// It may be lost, truncated or overwritten; if the SHA-256 doesn't match, the file has no entries.
struct CacheFile {
  private let path: FilePath
  private let title: [UInt8]
  private let isPrivate: Bool

  /// - Parameters:
  ///   - title: a line that changes with the format of the entries.
  ///   - isPrivate: whether the file describes several documents, and so belongs to one user.
  init(_ path: FilePath, title: String, isPrivate: Bool = false) {
    self.path = path
    self.title = Array((title + "\n").utf8)
    self.isPrivate = isPrivate
  }

  /// Returns the entries; `nil` if there is no intact file.
  ///
  /// - Parameter limit: the most bytes of entries; a larger file isn't read.
  func read(limit: Int) -> [UInt8]? {
    do {
      if isPrivate, try FileStatus.of(path)?.owner != geteuid() { return nil }
      let frame = title.count + Self.checkSize
      guard var bytes = try SmallFile.read(path, limit: limit + frame), bytes.count >= frame,
        bytes.starts(with: title)
      else { return nil }
      let end = bytes.count - Self.checkSize
      let check = bytes.withUnsafeBytes { $0.digest(at: end) }
      guard check == ContentDigest(of: bytes[..<end]) else { return nil }
      bytes.removeLast(Self.checkSize)
      bytes.removeFirst(title.count)
      return bytes
    } catch {
      // An unreadable cache counts as missing.
      return nil
    }
  }

  /// Replaces the file.
  ///
  /// - Parameters:
  ///   - size: the approximate size of the entries, in bytes.
  ///   - append: adds the entries.
  func write(reserving size: Int, _ append: (inout [UInt8]) -> Void) throws {
    var bytes = title
    bytes.reserveCapacity(title.count + size + Self.checkSize)
    append(&bytes)
    bytes.append(ContentDigest(of: bytes[...]))
    try SmallFile.replaceCache(path, bytes, isPrivate: isPrivate)
  }

  private static let checkSize = 32
}

/// Reading and writing entries of fixed size.
extension UnsafeRawBufferPointer {
  /// Returns an eight-byte number, little-endian.
  func number(at place: Int) -> UInt64 {
    UInt64(littleEndian: loadUnaligned(fromByteOffset: place, as: UInt64.self))
  }

  func identifier(at place: Int) -> ObjectID {
    ObjectID(twenty: UnsafeRawBufferPointer(rebasing: self[place..<place + 20]))
  }

  func digest(at place: Int) -> ContentDigest {
    ContentDigest(thirtyTwo: UnsafeRawBufferPointer(rebasing: self[place..<place + 32]))
  }
}

extension [UInt8] {
  mutating func append(number: UInt64) {
    // Byte by byte, because a large package has half a million bytes of entries.
    for shift in stride(from: UInt64(0), to: 64, by: 8) {
      append(UInt8(truncatingIfNeeded: number >> shift))
    }
  }
}
