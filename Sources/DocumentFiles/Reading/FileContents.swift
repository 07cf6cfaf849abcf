internal import SystemPackage

/// The bytes of a file, in memory or elsewhere, which can be read repeatedly, as a whole or in parts.
package struct FileContents {
  /// The number of bytes.
  package let size: Int
  private let source: Source
  /// Reads a part on any thread, if that is possible.
  package private(set) var rereading: (@Sendable (Range<Int>) throws -> [UInt8])?
  /// True if the bytes are those of one moment of a database that a program has open, so that the file's
  /// status doesn't describe them.
  package private(set) var isOfOneMoment = false

  private enum Source {
    case whole(() throws -> [UInt8])
    case parts((Range<Int>) throws -> [UInt8])
  }

  /// Creates contents from bytes in memory.
  package init(_ bytes: [UInt8]) {
    size = bytes.count
    source = .whole { bytes }
    rereading = { Array(bytes[$0]) }
  }

  /// Creates contents from bytes that are elsewhere and can only be read as a whole.
  package init(size: Int, readingAll read: @escaping () throws -> [UInt8]) {
    self.size = size
    source = .whole(read)
  }

  /// Creates contents from bytes that are elsewhere.
  ///
  /// - Parameter read: reads a part, with exactly the requested number of bytes.
  package init(size: Int, reading read: @escaping (Range<Int>) throws -> [UInt8]) {
    self.size = size
    source = .parts(read)
  }

  /// Creates contents from a file that is being read, and can be read again as long as it doesn't change.
  init(
    file place: ItemPath, status: FileStatus, in lastFile: LastFile,
    progress: @escaping (Int) throws -> Void
  ) {
    size = status.size
    source = .parts { range in
      let bytes = try lastFile.read(range, of: place, status)
      try progress(bytes.count)
      return bytes
    }
    rereading = { try lastFile.read($0, of: place, status) }
  }

  /// Creates contents from a copy of a database, which exists as long as the contents.
  init(
    _ copy: DatabaseCopy, in lastFile: LastFile, progress: @escaping (Int) throws -> Void
  ) throws {
    let status = try Descriptor.open(reading: copy.path).status()
    size = status.size
    source = .parts { range in
      let bytes = try lastFile.read(range, of: .at(copy.path), status)
      try progress(bytes.count)
      return bytes
    }
    rereading = { try lastFile.read($0, of: .at(copy.path), status) }
    isOfOneMoment = true
  }

  /// The number of bytes that is read at a time.
  package static var pieceSize: Int { 1 << 20 }

  /// Reads all bytes.
  package func read() throws -> [UInt8] {
    switch source {
    case .whole(let read): try read()
    case .parts(let read): try read(0..<size)
    }
  }

  /// Passes all bytes to a closure, one piece after the other.
  package func forEachPiece(_ body: (ArraySlice<UInt8>) throws -> Void) throws {
    guard case .parts(let read) = source else { return try body(self.read()[...]) }
    var start = 0
    while start < size {
      let end = min(size, start + Self.pieceSize)
      try body(read(start..<end)[...])
      start = end
    }
  }
}
