internal import CGit2

/// Deflates objects, at a level with a good ratio of size to time.
@safe
final class Deflater {
  private let stream: UnsafeMutablePointer<z_stream>

  init() throws(GitError) {
    guard let stream = unsafe docversions_deflater_new() else {
      throw .fromSystem("compress", 12)
    }
    unsafe self.stream = unsafe stream
  }

  deinit {
    unsafe docversions_deflater_free(stream)
  }

  /// Returns the bytes as a zlib stream; bytes that don't shrink are only wrapped.
  ///
  /// - Parameter thoroughly: whether to prefer size over speed.
  func deflate(_ bytes: [UInt8], thoroughly: Bool = false) throws(GitError) -> [UInt8] {
    let sample = min(bytes.count, 4_096)
    if bytes.count > sample {
      let tried = try deflate(Array(bytes[..<sample]), level: 1)
      if tried.count > sample * 97 / 100 { return try deflate(bytes, level: 0) }
    }
    return try deflate(bytes, level: thoroughly ? 9 : 1)
  }

  private func deflate(_ bytes: [UInt8], level: Int32) throws(GitError) -> [UInt8] {
    // Besides the frame, level 0 adds at most 5 bytes for each 16 KiB.
    let most = bytes.count + bytes.count >> 10 + 64
    var count = 0
    let deflated = unsafe [UInt8](unsafeUninitializedCapacity: most) { buffer, used in
      count = unsafe docversions_deflate(
        stream, level, bytes, bytes.count, buffer.baseAddress, most)
      used = max(0, count)
    }
    guard count >= 0 else { throw .malformed("an object cannot be compressed") }
    return deflated
  }
}

/// Inflates zlib streams.
enum Inflater {
  /// Returns the bytes of a stream, up to a number, and the end of the stream if it was reached; `nil` for a damaged
  /// stream.
  static func inflate(_ stream: [UInt8], upTo most: Int) -> (bytes: [UInt8], end: Int?)? {
    var used = 0
    var result = 0
    // Not 0, because empty arrays share their storage, and several threads would write its count.
    let bytes = unsafe [UInt8](unsafeUninitializedCapacity: max(1, most)) { buffer, count in
      result = unsafe docversions_inflate(stream, stream.count, buffer.baseAddress, most, &used)
      count = max(0, result)
    }
    return result >= 0 ? (bytes, used == 0 ? nil : used) : nil
  }
}

/// The CRC-32 that git's pack indexes have for each entry.
package enum CyclicCheck {
  /// Returns the CRC-32 of bytes that follow others with the CRC-32 `start`.
  package static func crc32(_ bytes: [UInt8], continuing start: UInt32 = 0) -> UInt32 {
    crc32(bytes[...], continuing: start)
  }

  /// Returns the CRC-32 of a part of an array.
  package static func crc32(
    _ bytes: ArraySlice<UInt8>, continuing start: UInt32 = 0
  ) -> UInt32 {
    unsafe bytes.withUnsafeBytes {
      UInt32(
        truncatingIfNeeded: unsafe crc32_z(
          UInt(start), $0.bindMemory(to: UInt8.self).baseAddress, $0.count))
    }
  }
}
