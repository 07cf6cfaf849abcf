internal import DocumentFiles

/// The facts that any change of a file or folder changes, on one device: its inode, its size and both times.
struct FileStamp: Equatable, Sendable {
  let inode, size, modified, changed: UInt64

  /// The later of both times, in nanoseconds since 1970.
  var latest: Int64 {
    max(Int64(bitPattern: modified), Int64(bitPattern: changed))
  }
}

extension FileStamp {
  init(_ status: FileStatus) {
    inode = status.inode
    size = UInt64(bitPattern: Int64(status.size))
    modified = UInt64(bitPattern: status.modified)
    changed = UInt64(bitPattern: status.changed)
  }

  // MARK: As bytes

  /// The encoded size, in bytes.
  static let encodedSize = 32

  init(_ bytes: UnsafeRawBufferPointer, at place: Int) {
    inode = bytes.number(at: place)
    size = bytes.number(at: place + 8)
    modified = bytes.number(at: place + 16)
    changed = bytes.number(at: place + 24)
  }
}

extension [UInt8] {
  mutating func append(_ stamp: FileStamp) {
    for number in [stamp.inode, stamp.size, stamp.modified, stamp.changed] {
      append(number: number)
    }
  }
}
