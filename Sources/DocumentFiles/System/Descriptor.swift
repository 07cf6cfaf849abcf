internal import CFileSystem
package import SystemPackage

#if canImport(Glibc)
internal import Glibc
#else
internal import Darwin
#endif

/// An open file or folder, which closes itself and names its path in errors.
package struct Descriptor: ~Copyable, Sendable {
  package let number: Int32
  /// The place at which it was opened, for messages.
  let place: ItemPath

  /// The path it was opened by, for messages.
  var path: FilePath { place.path }

  init(adopting number: Int32, place: ItemPath) {
    self.number = number
    self.place = place
  }

  deinit {
    close(number)
  }

  /// Opens an item for reading, without following a link and without waiting for a FIFO.
  static func open(reading path: FilePath) throws(FileError) -> Descriptor {
    try open(path, flags: readingFlags, action: "read")
  }

  /// Opens an item for reading in the same way; `nil` if there is none.
  package static func open(ifThere path: FilePath) throws(FileError) -> Descriptor? {
    let number = uninterrupted {
      path.withPlatformString { openat(AT_FDCWD, $0, readingFlags) }
    }
    if number < 0, Errno.current == .noSuchFileOrDirectory { return nil }
    return try adopt(number, at: .at(path), to: "read")
  }

  private static let readingFlags = O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC

  /// Opens a folder.
  package static func open(folder path: FilePath) throws(FileError) -> Descriptor {
    try open(path, flags: O_RDONLY | O_DIRECTORY | O_CLOEXEC, action: "open")
  }

  /// Creates a file that must not exist yet.
  package static func create(_ path: FilePath, permissions: UInt32) throws(FileError) -> Descriptor
  {
    try open(
      path, flags: O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, permissions: permissions,
      action: "create")
  }

  static func open(
    _ path: FilePath, flags: Int32, permissions: UInt32 = 0, action: String
  ) throws(FileError) -> Descriptor {
    let number = uninterrupted {
      path.withPlatformString { openat(AT_FDCWD, $0, flags, mode_t(permissions)) }
    }
    return try adopt(number, at: .at(path), to: action)
  }

  /// Opens an item by its name in an open folder.
  static func open(
    _ name: PathName, in folder: borrowing Descriptor, flags: Int32, permissions: UInt32 = 0,
    action: String
  ) throws(FileError) -> Descriptor {
    let parent = folder.number
    let number = uninterrupted { openat(parent, name.cString, flags, mode_t(permissions)) }
    return try adopt(number, at: folder.place.member(name.bytes), to: action)
  }

  private static func uninterrupted(_ call: () -> Int32) -> Int32 {
    while true {
      let number = call()
      if number >= 0 || Errno.current != .interrupted { return number }
    }
  }

  /// - Parameter number: the result of the system call that opened the item, or failed.
  private static func adopt(
    _ number: Int32, at place: ItemPath, to action: String
  ) throws(FileError) -> Descriptor {
    if number >= 0 { return Descriptor(adopting: number, place: place) }
    let cause = Errno.current
    guard cause == .tooManySymbolicLinkLevels else { throw .failed(to: action, place.path, cause) }
    let path = place.path
    throw FileError(
      .unsupportedKind, path: path, message: "“\(path.printable)” is a symbolic link.")
  }

  /// True if every change of an item on its file system shows in the status at once, if the status was read
  /// before.
  var stampsEachChange: Bool { docversions_stamps_each_change(number) != 0 }

  /// Opens the same item once more.
  func duplicate() throws(FileError) -> Descriptor {
    let number = fcntl(number, F_DUPFD_CLOEXEC, 0)
    guard number >= 0 else { throw .failed(to: "open", path, .current) }
    return Descriptor(adopting: number, place: place)
  }

  package func status() throws(FileError) -> FileStatus {
    var status = stat()
    guard fstat(number, &status) == 0 else {
      throw .failed(to: "read the status of", path, .current)
    }
    return FileStatus(status)
  }

  /// Waits until running writes are done, because a write stamps the file when it begins, and may then be
  /// delayed for some time.
  func waitForWrites() {
    docversions_wait_for_writes(number)
  }

  /// Makes the system start writing the file to disk.
  ///
  /// - Throws: ``FileError`` for a failure that the system may report only once, such as a full disk.
  package func beginSynchronizing() throws(FileError) {
    guard docversions_begin_synchronizing(number) == 0 else {
      throw .failed(to: "write to disk", path, .current)
    }
  }

  /// Reads up to the end, but at most one byte more than `size`, which is enough to detect that the file is
  /// longer.
  func readAll(expecting size: Int) throws(FileError) -> [UInt8] {
    try read(0..<size + 1)
  }

  /// Reads a part of the file; returns fewer bytes only if the file ends.
  package func read(_ range: Range<Int>) throws(FileError) -> [UInt8] {
    guard !range.isEmpty else { return [] }
    var failure: Errno?
    let bytes = [UInt8](unsafeUninitializedCapacity: range.count) { buffer, count in
      while count < range.count {
        let place = buffer.baseAddress.map { $0 + count }
        let step = pread(number, place, range.count - count, off_t(range.lowerBound + count))
        if step == 0 { return }
        if step > 0 {
          count += step
        } else if Errno.current != .interrupted {
          failure = .current
          return
        }
      }
    }
    if let failure { throw .failed(to: "read", path, failure) }
    return bytes
  }

  /// Copies the file to a path without an item; long runs of zeros become holes.
  ///
  /// - Parameter check: called for each piece; an error that it throws ends copying.
  func copy(
    to path: FilePath, permissions: UInt32 = 0o600, _ check: () throws -> Void
  ) throws {
    let copy = try Descriptor.create(path, permissions: permissions)
    var offset = 0
    while true {
      try check()
      let piece = try read(offset..<offset + Self.pieceSize)
      if piece.isEmpty { return try copy.endSparse() }
      try copy.writeSparsely(piece[...])
      offset += piece.count
    }
  }

  /// Overwrites the bytes at an offset.
  func overwrite(_ bytes: [UInt8], at offset: Int) throws(FileError) {
    guard lseek(number, off_t(offset), SEEK_SET) >= 0 else {
      throw .failed(to: "write", path, .current)
    }
    try writeAll(bytes[...])
  }

  package func writeAll(_ bytes: ArraySlice<UInt8>) throws(FileError) {
    var failure: Errno?
    bytes.withUnsafeBytes { buffer in
      var start = 0
      while start < buffer.count {
        let step = write(number, buffer.baseAddress.map { $0 + start }, buffer.count - start)
        if step >= 0 {
          start += step
        } else if Errno.current != .interrupted {
          failure = .current
          return
        }
      }
    }
    if let failure { throw .failed(to: "write", path, failure) }
  }

  /// Writes bytes at the end of a new file, with long runs of zeros as holes.
  ///
  /// ``endSparse()`` completes the file.
  func writeSparsely(_ bytes: ArraySlice<UInt8>) throws(FileError) {
    var rest = bytes
    while !rest.isEmpty {
      let zeros = rest.fullBlocks(Self.holeSize, where: { $0 })
      if zeros > 0, lseek(number, off_t(zeros), SEEK_CUR) < 0 {
        throw .failed(to: "write", path, .current)
      }
      rest = rest.dropFirst(zeros)
      let data = rest.fullBlocks(Self.holeSize, where: { !$0 })
      // A partial block at the end is always written.
      let count = rest.count - data < Self.holeSize ? rest.count : data
      if count > 0 { try writeAll(rest.prefix(count)) }
      rest = rest.dropFirst(count)
    }
  }

  /// Writes all bytes of a new file, with long runs of zeros as holes.
  func writeWhole(_ bytes: [UInt8]) throws(FileError) {
    guard bytes.count >= Self.holeSize else { return try writeAll(bytes[...]) }
    try writeSparsely(bytes[...])
    try endSparse()
  }

  /// Sets the size of a file that ends with a hole.
  func endSparse() throws(FileError) {
    let end = lseek(number, 0, SEEK_CUR)
    guard end >= 0 else { throw .failed(to: "write", path, .current) }
    if try status().size < Int(end), ftruncate(number, end) != 0 {
      throw .failed(to: "write", path, .current)
    }
  }

  /// The number of bytes that are copied at a time.
  private static let pieceSize = 1 << 20
  /// The shortest run of zeros that becomes a hole.
  private static let holeSize = 64 << 10

  /// Waits until the file is on disk.
  package func synchronize() throws(FileError) {
    guard docversions_synchronize(number) == 0 else {
      throw .failed(to: "write to disk", path, .current)
    }
  }

  /// Sets the modification time, in nanoseconds since 1970.
  func setModified(_ modified: Int64) throws(FileError) {
    let (seconds, rest) = modified.quotientAndRemainder(dividingBy: 1_000_000_000)
    let time = timespec(
      tv_sec: Int(rest < 0 ? seconds - 1 : seconds),
      tv_nsec: Int(rest < 0 ? rest + 1_000_000_000 : rest))
    guard futimens(number, [time, time]) == 0 else {
      throw .failed(to: "set the time of", path, .current)
    }
  }

  /// Sets the permission bits.
  func setPermissions(_ permissions: UInt32) throws(FileError) {
    guard fchmod(number, mode_t(permissions)) == 0 else {
      throw .failed(to: "set the permissions of", path, .current)
    }
  }
}

extension ArraySlice<UInt8> {
  /// Returns the number of bytes at the start that are whole blocks, all of zeros or all of other data.
  fileprivate func fullBlocks(_ size: Int, where isWanted: (_ isZero: Bool) -> Bool) -> Int {
    withUnsafeBytes { bytes in
      var end = 0
      while end + size <= bytes.count {
        let block = UnsafeRawBufferPointer(rebasing: bytes[end..<end + size])
        // All bytes equal the first one, which is zero.
        let isZero =
          block[0] == 0
          && block.baseAddress.map { memcmp($0, $0 + 1, size - 1) == 0 } ?? false
        guard isWanted(isZero) else { break }
        end += size
      }
      return end
    }
  }
}
