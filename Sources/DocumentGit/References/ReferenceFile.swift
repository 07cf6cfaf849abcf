internal import DocumentFiles

/// A git file with the value of a reference.
struct ReferenceFile {
  /// The value of a reference.
  enum Value: Equatable {
    case object(ObjectID)
    /// Another reference.
    case reference(String)
  }

  /// The value; `nil` for a damaged file.
  let value: Value?

  /// The maximum size in bytes of a file with a reference.
  private static let most = 4_096
  static let mostPacked = 64 << 20

  /// Reads the file of a reference; `nil` if it doesn't exist.
  init?(_ name: String, in folder: RepositoryFolder) throws(GitError) {
    // A folder may have the name.
    if try folder.files.status(of: name)?.kind == .folder { return nil }
    try self.init(noFolder: name, in: folder)
  }

  /// Reads the file of a reference that isn't a folder.
  init?(noFolder name: String, in folder: RepositoryFolder) throws(GitError) {
    guard let bytes = try folder.files.readIfThere(name, upTo: Self.most)
    else { return nil }
    value = Self.value(of: bytes)
  }

  /// Parses `ref: ` with a name, or 40 digits, optionally followed by space.
  static func value(of bytes: [UInt8]) -> Value? {
    let spaces = Array(" \t\r\n".utf8)
    var text = bytes[...]
    while let last = text.last, spaces.contains(last) { text.removeLast() }
    if text.starts(with: "ref:".utf8) {
      let name = text.dropFirst(4).drop { spaces.contains($0) }
      return name.isEmpty ? nil : .reference(String(decoding: name, as: UTF8.self))
    }
    return ObjectID(hexadecimal: text).map(Value.object)
  }

  /// Returns whether a name is valid by git's rules for full names of references.
  static func isValid(_ name: String) -> Bool {
    let parts = name.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
    let forbidden = Array(" ~^:?*[\\".utf8)
    return parts.count > 1 && name.hasPrefix("refs/") && !name.contains("..")
      && !name.contains("@{") && !name.hasSuffix(".")
      && name.utf8.allSatisfy { $0 > 0x20 && $0 != 0x7F && !forbidden.contains($0) }
      && parts.allSatisfy { part in
        !part.isEmpty && part.first != UInt8(ascii: ".")
          && !String(Substring(part)).hasSuffix(".lock")
      }
  }
}
