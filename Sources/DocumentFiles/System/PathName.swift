internal import SystemPackage

/// One name in a folder: bytes that can lead nowhere else.
struct PathName {
  let bytes: [UInt8]
  /// With its terminating zero, as system calls take it.
  var cString: [CChar] { bytes.map { CChar(bitPattern: $0) } + [0] }

  /// Takes a name; empty ones, "." and "..", and what holds a slash or a zero are refused.
  init(_ bytes: [UInt8], in folder: ItemPath) throws(FileError) {
    guard Self.isName(bytes) else {
      let folder = folder.path
      throw FileError(
        .invalidName, path: folder,
        message: "“\(Printable.text(bytes))” can’t be the name of an item in “\(folder.printable)”."
      )
    }
    self.bytes = bytes
  }

  /// Returns whether bytes can be a name at all; the file system limits the length.
  static func isName(_ bytes: [UInt8]) -> Bool {
    let dot = UInt8(ascii: ".")
    return !bytes.isEmpty && bytes != [dot] && bytes != [dot, dot] && !bytes.contains(0)
      && !bytes.contains(UInt8(ascii: "/"))
  }

  /// Returns whether bytes can be the target of a link on any system: some, without a zero, and no more than a path has.
  static func isLinkTarget(_ target: [UInt8]) -> Bool {
    !target.isEmpty && target.count < 4_096 && !target.contains(0)
  }

  /// Lends the same without making an array of it, for calls that are made for every member of a package.
  func withCString<Result>(_ body: (UnsafePointer<CChar>) -> Result) -> Result {
    withUnsafeTemporaryAllocation(of: UInt8.self, capacity: bytes.count + 1) { buffer in
      _ = buffer.initialize(from: bytes)
      buffer.initializeElement(at: bytes.count, to: 0)
      return buffer.withMemoryRebound(to: CChar.self) { buffer in
        // It has a base address: it is not empty.
        buffer.baseAddress.map { body($0) } ?? body("")
      }
    }
  }
}

/// Lends a path of two parts as a C string, without memory of its own, for calls that are made thousands of times.
func withPath<Result>(
  _ path: [UInt8], _ rest: [UInt8], _ body: (UnsafePointer<CChar>) -> Result
) -> Result {
  withUnsafeTemporaryAllocation(of: CChar.self, capacity: path.count + rest.count + 1) { buffer in
    var end = 0
    for byte in path {
      buffer[end] = CChar(bitPattern: byte)
      end += 1
    }
    for byte in rest {
      buffer[end] = CChar(bitPattern: byte)
      end += 1
    }
    buffer[end] = 0
    return body(UnsafePointer(buffer.baseAddress.unsafelyUnwrapped))
  }
}
