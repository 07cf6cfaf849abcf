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

  /// Whether bytes can be a name at all; how long one may be, only the file system knows.
  static func isName(_ bytes: [UInt8]) -> Bool {
    let dot = UInt8(ascii: ".")
    return !bytes.isEmpty && bytes != [dot] && bytes != [dot, dot] && !bytes.contains(0)
      && !bytes.contains(UInt8(ascii: "/"))
  }

  /// Lends the same, without making an array of it: for what is done with every member of a package.
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

extension String {
  /// Whether another text is the same byte for byte: as texts, two ways to compose a character are equal.
  package func hasBytes(of other: String) -> Bool { utf8.elementsEqual(other.utf8) }

  /// The names that a path is made of.
  ///
  /// By bytes, as the system does: with an accent behind it, a slash is another character.
  ///
  /// - Parameter keepingEmpty: whether there is a name, without bytes, also where slashes stand side by side or at an end.
  package func pathNames(keepingEmpty: Bool = false) -> [String] {
    utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: !keepingEmpty)
      .map { String(Substring($0)) }
  }
}
