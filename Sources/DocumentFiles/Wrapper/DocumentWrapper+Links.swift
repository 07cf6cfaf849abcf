public import Foundation

/// Where links lead: as bytes on disk, as URLs for an app; the way there and back leaves every byte as it is.
extension DocumentWrapper {
  /// A link (FW8).
  ///
  /// - Parameter url: where it leads; of a relative URL the relative path becomes the link's text, with a slash at
  ///   its end where it has one. It is never followed.
  public convenience init(symbolicLinkWithDestinationURL url: URL) {
    let path = URLComponents(url: url, resolvingAgainstBaseURL: false)?.percentEncodedPath
    self.init(.symbolicLink(target: path.map(Self.target) ?? Array(url.relativePath.utf8)))
  }

  /// Where a link leads (FW25).
  ///
  /// Its relative path is the link's text as it is: no “~” in it is anybody’s home folder.
  ///
  /// - Throws: ``FileError`` with code `wrong-kind` for what is no link.
  public var symbolicLinkDestinationURL: URL {
    get throws(FileError) {
      guard case .symbolicLink(let target) = content else { throw wrongKind("link") }
      let path = Self.percentEncoded(target)
      let url =
        target.isEmpty || target.first == UInt8(ascii: "/")
        ? URL(string: "file://" + path) : URL(string: path, relativeTo: .currentDirectory())
      return url ?? URL(filePath: String(decoding: target, as: UTF8.self))
    }
  }

  /// A link's text as the path of a URL.
  private static func percentEncoded(_ target: [UInt8]) -> String {
    target.reduce(into: "") { path, byte in
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-")...UInt8(ascii: "/"),
        UInt8(ascii: "_"), UInt8(ascii: "~"):
        path.unicodeScalars.append(Unicode.Scalar(byte))
      default: path += (byte < 0x10 ? "%0" : "%") + String(byte, radix: 16, uppercase: true)
      }
    }
  }

  /// The path of a URL as a link's text.
  private static func target(_ percentEncoded: String) -> [UInt8] {
    var rest = Array(percentEncoded.utf8)[...]
    var target: [UInt8] = []
    while let byte = rest.popFirst() {
      if byte == UInt8(ascii: "%"),
        let escaped = UInt8(String(decoding: rest.prefix(2), as: UTF8.self), radix: 16)
      {
        target.append(escaped)
        rest = rest.dropFirst(2)
      } else {
        target.append(byte)
      }
    }
    return target
  }
}
