internal import SystemPackage

/// One name in a folder: bytes that can lead nowhere else.
struct PathName {
  let bytes: [UInt8]
  /// With its terminating zero, as system calls take it.
  let cString: [CChar]

  /// Takes a name; empty ones, "." and "..", and what holds a slash or a zero are refused.
  init(_ bytes: [UInt8], in folder: ItemPath) throws(FileError) {
    let dot = UInt8(ascii: ".")
    guard !bytes.isEmpty, bytes != [dot], bytes != [dot, dot], !bytes.contains(0),
      !bytes.contains(UInt8(ascii: "/"))
    else {
      let folder = folder.path
      throw FileError(
        .invalidName, path: folder,
        message: "“\(Printable.text(bytes))” can’t be the name of an item in “\(folder.printable)”."
      )
    }
    self.bytes = bytes
    cString = bytes.map { CChar(bitPattern: $0) } + [0]
  }
}
