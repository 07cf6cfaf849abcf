extension String {
  /// Compares two texts byte for byte: as texts, two ways to compose a character are equal.
  package func hasBytes(of other: String) -> Bool { utf8.elementsEqual(other.utf8) }

  /// Splits a path into its names.
  ///
  /// By bytes, as the system does: with an accent behind it, a slash is another character.
  ///
  /// - Parameter keepingEmpty: gives an empty name where slashes stand side by side or at an end.
  package func pathNames(keepingEmpty: Bool = false) -> [String] {
    utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: !keepingEmpty)
      .map { String(Substring($0)) }
  }
}
