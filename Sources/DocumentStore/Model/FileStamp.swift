internal import DocumentFiles

/// What changes when somebody changes a file or folder, on one device.
struct FileStamp: Equatable, Sendable {
  let inode, size, modified, changed: UInt64

  init(_ status: FileStatus) {
    inode = status.inode
    size = UInt64(bitPattern: Int64(status.size))
    modified = UInt64(bitPattern: status.modified)
    changed = UInt64(bitPattern: status.changed)
  }

  /// Reads it as it was noted.
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
