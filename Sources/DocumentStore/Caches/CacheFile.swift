internal import DocumentFiles
internal import DocumentGit
internal import SystemPackage

#if canImport(Glibc)
internal import Glibc
#else
internal import Darwin
#endif

/// A cache's file that is written as a whole: a title that names its form, the entries, and the SHA-256 of both.
///
/// It may be lost, cut or overwritten; bytes that do not fit the SHA-256 are no entries.
struct CacheFile {
  private let path: FilePath
  private let title: [UInt8]
  private let isPrivate: Bool

  /// - Parameters:
  ///   - title: a line, another one for another form of entries.
  ///   - isPrivate: whether the file reports on several documents, and so belongs to one user.
  init(_ path: FilePath, title: String, isPrivate: Bool = false) {
    self.path = path
    self.title = Array((title + "\n").utf8)
    self.isPrivate = isPrivate
  }

  /// The entries; `nil` if there is no sound file.
  ///
  /// - Parameter limit: a file with more bytes of them is not read.
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
      // A cache that can't be read is no cache.
      return nil
    }
  }

  /// Replaces the file.
  ///
  /// - Parameters:
  ///   - size: how many bytes of entries there will be, about.
  ///   - append: adds them.
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
  /// A number of eight bytes, the lowest first.
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
    // One by one: there are half a million bytes of this in a large package.
    for shift in stride(from: UInt64(0), to: 64, by: 8) {
      append(UInt8(truncatingIfNeeded: number >> shift))
    }
  }
}
