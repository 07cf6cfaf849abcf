internal import Foundation

/// The text of a link, which is bytes on disk and a URL for an app; converting it preserves every byte.
struct LinkTarget {
  let bytes: [UInt8]

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  /// Takes the relative path of a URL, including a final slash.
  init(_ url: URL) {
    let path = URLComponents(url: url, resolvingAgainstBaseURL: false)?.percentEncodedPath
    bytes = path.map(Self.decoded) ?? Array(url.relativePath.utf8)
  }

  /// A URL whose relative path is the text.
  var url: URL {
    let url =
      bytes.isEmpty || bytes.first == UInt8(ascii: "/")
      ? URL(string: "file://" + encoded) : URL(string: encoded, relativeTo: .currentDirectory())
    return url ?? URL(filePath: String(decoding: bytes, as: UTF8.self))
  }

  /// The text, percent-encoded as the path of a URL.
  private var encoded: String {
    bytes.reduce(into: "") { path, byte in
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-")...UInt8(ascii: "/"),
        UInt8(ascii: "_"), UInt8(ascii: "~"):
        path.unicodeScalars.append(Unicode.Scalar(byte))
      default: path += (byte < 0x10 ? "%0" : "%") + String(byte, radix: 16, uppercase: true)
      }
    }
  }

  /// Returns the bytes of a URL's path.
  private static func decoded(_ percentEncoded: String) -> [UInt8] {
    var rest = Array(percentEncoded.utf8)[...]
    var bytes: [UInt8] = []
    while let byte = rest.popFirst() {
      if byte == UInt8(ascii: "%"),
        let escaped = UInt8(String(decoding: rest.prefix(2), as: UTF8.self), radix: 16)
      {
        bytes.append(escaped)
        rest = rest.dropFirst(2)
      } else {
        bytes.append(byte)
      }
    }
    return bytes
  }
}
