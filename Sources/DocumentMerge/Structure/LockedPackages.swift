/// The records of packages in lock files, which only go together as a program wrote them.
extension StructureTree {
  /// The members that describe the contents of a package.
  private static var checksums: Set<String> {
    [
      "checksum", "contentHash", "hash", "hashes", "integrity", "narHash", "reference", "revision",
      "sha256", "shasum",
    ]
  }

  /// Returns whether a mapping has a checksum, or has a version beside a mapping with a checksum.
  func isLockedPackage(_ node: Int, _ syntax: some DocumentSyntax) -> Bool {
    func names(_ node: Int) -> Set<String> {
      Set(members(of: node).map { String(decoding: name(of: $0, syntax), as: UTF8.self) })
    }
    func hasChecksum(_ node: Int) -> Bool {
      self[node].kind.isMapping && !names(node).isDisjoint(with: Self.checksums)
    }
    return hasChecksum(node)
      || self[node].kind.isMapping && names(node).contains("version")
        && members(of: node).contains(where: hasChecksum)
  }
}
