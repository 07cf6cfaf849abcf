package import SystemPackage

/// A file as a crash may leave it: with its size or without, but without its bytes.
package enum EmptiedFile {
  /// Returns whether a file has no bytes other than NUL.
  package static func isAt(_ path: FilePath) throws(FileError) -> Bool {
    let file = try Descriptor.open(reading: path)
    let size = try Int(file.status().size)
    var place = 0
    while place < size {
      let piece = try file.read(place..<min(place + 1 << 16, size))
      guard piece.allSatisfy({ $0 == 0 }) else { return false }
      // It was truncated in the meantime.
      if piece.isEmpty { break }
      place += piece.count
    }
    return true
  }
}
