/// The path of a member inside a package: names as bytes, separated by slashes.
///
/// Names need not be UTF-8, and names that look alike differ if their bytes differ, so paths are compared byte by byte,
/// never as strings.
package struct PackagePath: Sendable, Hashable {
  /// The path's bytes, as "pages/1.txt" without a leading or trailing slash.
  package let bytes: [UInt8]

  /// Creates a path.
  /// - Parameter bytes: The path's bytes.
  /// - Throws: ``MergeError`` with ``MergeError/Code/invalidPath`` if there is an empty name, "."
  ///   or "..", or a zero byte.
  package init(_ bytes: [UInt8]) throws(MergeError) {
    self.bytes = bytes
    let refused: [ArraySlice<UInt8>] = [[], [.dot], [.dot, .dot]]
    guard !bytes.contains(0), names.allSatisfy({ !refused.contains($0) }) else {
      throw MergeError(.invalidPath, "A package cannot have a member named \"\(self)\".")
    }
  }

  /// Creates a path from text, such as "pages/1.txt".
  package init(_ text: String) throws(MergeError) {
    try self.init(Array(text.utf8))
  }

  /// A path of names that came from valid paths.
  init(names: [ArraySlice<UInt8>]) {
    bytes = Array(names.joined(separator: [.slash]))
  }

  /// The names of the folders on the path, and of the member.
  var names: [ArraySlice<UInt8>] {
    bytes.split(separator: .slash, omittingEmptySubsequences: false)
  }

  /// The name of the member.
  var lastName: ArraySlice<UInt8> {
    bytes.lastIndex(of: .slash).map { bytes[($0 + 1)...] } ?? bytes[...]
  }

  /// The folder of the member; `nil` for a member at the top of the package.
  var parent: PackagePath? {
    bytes.lastIndex(of: .slash).map { PackagePath(names: [bytes[..<$0]]) }
  }

  /// The folders on the path, innermost first.
  var ancestors: some Sequence<PackagePath> { sequence(first: self, next: \.parent).dropFirst() }

  /// Returns the path with its first folders, which are those of `folder`, replaced.
  func moved(from folder: PackagePath, to other: PackagePath) -> PackagePath {
    PackagePath(names: [other.bytes[...], bytes[(folder.bytes.count + 1)...]])
  }

  /// Returns the path with another name in the same folder.
  func renamed(_ name: [UInt8]) -> PackagePath {
    PackagePath(names: (parent.map { [$0.bytes[...]] } ?? []) + [name[...]])
  }
}

extension PackagePath: Comparable {
  /// Orders paths by their bytes.
  package static func < (left: PackagePath, right: PackagePath) -> Bool {
    left.bytes.lexicographicallyPrecedes(right.bytes)
  }
}

extension PackagePath: CustomStringConvertible {
  /// The path in printable form: `\\` for a backslash, `\xNN` for bytes that aren't UTF-8 and for invisible characters.
  package var description: String {
    guard let text = String(validating: bytes, as: UTF8.self) else {
      return bytes.map { Self.shown(Unicode.Scalar($0), plainOnly: true) }.joined()
    }
    return text.unicodeScalars.map { Self.shown($0, plainOnly: false) }.joined()
  }

  private static func shown(_ scalar: Unicode.Scalar, plainOnly: Bool) -> String {
    if scalar == "\\" { return "\\\\" }
    switch scalar.properties.generalCategory {
    case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate, .unassigned: break
    default: if scalar.isASCII || !plainOnly { return String(scalar) }
    }
    let bytes = plainOnly ? [UInt8(truncatingIfNeeded: scalar.value)] : Array(String(scalar).utf8)
    return bytes.map { "\\x" + String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
  }
}

extension PackagePath: Codable {
  /// Encodes the path as its description.
  package func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(description)
  }

  /// Decodes a path from its description.
  package init(from decoder: any Decoder) throws {
    let text = try decoder.singleValueContainer().decode(String.self)
    var bytes: [UInt8] = []
    var rest = Array(text.utf8)[...]
    while let byte = rest.popFirst() {
      guard byte == .backslash else {
        bytes.append(byte)
        continue
      }
      switch rest.popFirst() {
      case .backslash:
        bytes.append(.backslash)
      case UInt8(ascii: "x"):
        guard let value = Self.byte(hexadecimal: rest.prefix(2)) else { fallthrough }
        bytes.append(value)
        rest.removeFirst(2)
      default:
        throw MergeError(.invalidPath, "\"\(text)\" is not how a path is written.")
      }
    }
    try self.init(bytes)
  }

  /// Returns the byte with two hexadecimal digits; `nil` for anything else.
  private static func byte(hexadecimal digits: ArraySlice<UInt8>) -> UInt8? {
    let values = digits.compactMap { Character(Unicode.Scalar($0)).hexDigitValue }
    return values.count == 2 ? UInt8(values[0] << 4 | values[1]) : nil
  }
}

extension UInt8 {
  fileprivate static let slash = UInt8(ascii: "/")
  fileprivate static let dot = UInt8(ascii: ".")
  fileprivate static let backslash = UInt8(ascii: "\\")
}
