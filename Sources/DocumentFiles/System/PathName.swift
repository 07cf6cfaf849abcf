internal import SystemPackage

/// A name in a folder, in bytes that can't lead anywhere else.
struct PathName {
  let bytes: [UInt8]
  /// The name with its terminating zero, as system calls take it.
  var cString: [CChar] { bytes.map { CChar(bitPattern: $0) } + [0] }

  /// Creates a name; empty ones, "." and "..", and names with a slash or a zero are errors.
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

  /// Returns whether bytes can be a name; the file system limits the length.
  static func isName(_ bytes: [UInt8]) -> Bool {
    let dot = UInt8(ascii: ".")
    return !bytes.isEmpty && bytes != [dot] && bytes != [dot, dot] && !bytes.contains(0)
      && !bytes.contains(UInt8(ascii: "/"))
  }

  /// Returns whether bytes can be the target of a link on any system: not empty, without a zero, and no
  /// longer than a path.
  static func isLinkTarget(_ target: [UInt8]) -> Bool {
    !target.isEmpty && target.count < 4_096 && !target.contains(0)
  }

  /// Passes the same string to a closure without creating an array, for calls that are made for every member
  /// of a package.
  func withCString<Result>(_ body: (UnsafePointer<CChar>) -> Result) -> Result {
    withPath(bytes, [], body)
  }
}

/// Passes a path of two parts as a C string to a closure, without allocating memory, for calls that are made
/// thousands of times.
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
