/// A member of a package, as listings show it.
public struct PackageMemberInfo: Sendable, Hashable, Codable {
  /// The path in the package, printable, with "/" between folders.
  public let path: String
  /// "file", "executable", "link" or "folder".
  public let kind: String
  /// The size in bytes; 0 for a folder.
  public let bytes: Int
  /// The same for members with the same bytes.
  package let identity: String
}
