internal import DocumentFiles

/// Names under which programs put a document aside for a moment, lock it, or keep a copy of it.
///
/// A document that was moved to such a name is not renamed: it counts as missing until it is back. The names are those of
/// ``IgnoreRules``, of conflicted copies (``ConflictedCopyName``), and what only the former name shows to be one:
/// `n.md.1`, `.n.md.Xy12Zw`.
package enum PutAsideName {
  /// Returns whether a document that had one name counts as put aside under another.
  ///
  /// One whose own name is of this kind is a document like any other.
  static func isPutAside(_ name: String, from former: String) -> Bool {
    guard !isPutAside(former) else { return false }
    return isPutAside(name) || isNumbered(name, from: former) || isHidden(name, from: former)
  }

  /// Returns whether a name is that of a backup, a lock file, a temporary file or a conflicted copy.
  private static func isPutAside(_ name: String) -> Bool {
    IgnoreRules.isPutAside(Array(name.utf8)) || ConflictedCopyName(name) != nil
  }

  /// Returns whether a name is the former one with a number behind its extension: `n.md.1`, `n.md-2`.
  private static func isNumbered(_ name: String, from former: String) -> Bool {
    guard hasExtension(former), name.utf8.starts(with: former.utf8) else { return false }
    let rest = Array(name.utf8.dropFirst(former.utf8.count))
    guard let sign = rest.first, ".-_".utf8.contains(sign) else { return false }
    return rest.count > 1 && rest.dropFirst().allSatisfy { (48...57).contains($0) }
  }

  /// Returns whether a name is the former one behind a dot, and perhaps before other signs: `.n.md.Xy12Zw`.
  private static func isHidden(_ name: String, from former: String) -> Bool {
    !former.hasPrefix(".") && name.utf8.starts(with: ".\(former)".utf8)
  }

  private static func hasExtension(_ name: String) -> Bool {
    name.utf8.dropFirst().contains(UInt8(ascii: "."))
  }
}
