extension String {
  /// Returns whether two strings have the same bytes; strings treat two compositions of a character as equal.
  package func hasBytes(of other: String) -> Bool { utf8.elementsEqual(other.utf8) }

  /// Splits a path into its names.
  ///
  /// It compares bytes, like the system, because a slash followed by a combining accent is another character.
  ///
  /// - Parameter keepingEmpty: whether adjacent slashes, and those at an end, produce empty names.
  package func pathNames(keepingEmpty: Bool = false) -> [String] {
    utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: !keepingEmpty)
      .map { String(Substring($0)) }
  }
}

extension String? {
  /// Returns whether two strings have the same bytes, or both are missing.
  package func hasBytes(of other: String?) -> Bool {
    self.map { Array($0.utf8) } == other.map { Array($0.utf8) }
  }
}
