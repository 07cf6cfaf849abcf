package import SystemPackage

/// The first bytes of a file.
package enum FileStart {
  /// Reads up to a number of bytes.
  package static func read(_ path: FilePath, atMost count: Int) throws(FileError) -> [UInt8] {
    let file = try Descriptor.open(reading: path)
    return try Array(file.read(0..<min(count, Int(file.status().size))))
  }
}
