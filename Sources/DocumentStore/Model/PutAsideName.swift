internal import DocumentFiles
internal import SystemPackage

/// Names under which programs put a document aside for a moment, lock it, or keep a copy of it.
///
/// Moving a document to such a name isn't a rename: the document counts as missing until it is back. The
/// names are those of ``IgnoreRules``, those of conflicted copies (``ConflictedCopyName``), and names such as
/// `n.md.1` and `.n.md.Xy12Zw`, which are recognized by the former name.
package enum PutAsideName {
  /// Returns whether moving a document from one name to another counts as putting it aside.
  ///
  /// A document whose former name is also of this kind is a normal document.
  static func isPutAside(_ name: String, from former: String) -> Bool {
    guard !isPutAside(former) else { return false }
    return isPutAside(name) || isNumbered(name, from: former) || isHidden(name, from: former)
  }

  /// Returns whether a name may be that of a backup of a document, which is still there: the whole name with more
  /// characters, as in `n.md.old`, or another extension, as in `n.bak`.
  static func isBackup(_ name: String, of document: String) -> Bool {
    guard !name.utf8.starts(with: document.utf8) else { return !name.hasBytes(of: document) }
    let (own, other) = (FilePath(document).extension, FilePath(name).extension)
    return !(own ?? "").utf8.elementsEqual((other ?? "").utf8)
  }

  /// Returns whether a name belongs to a backup, a lock file, a temporary file or a conflicted copy.
  private static func isPutAside(_ name: String) -> Bool {
    IgnoreRules.isPutAside(Array(name.utf8)) || ConflictedCopyName(name) != nil
  }

  /// Returns whether a name is the former one with a number after its extension: `n.md.1`, `n.md-2`.
  private static func isNumbered(_ name: String, from former: String) -> Bool {
    guard hasExtension(former), name.utf8.starts(with: former.utf8) else { return false }
    let rest = Array(name.utf8.dropFirst(former.utf8.count))
    guard let sign = rest.first, ".-_".utf8.contains(sign) else { return false }
    return rest.count > 1 && rest.dropFirst().allSatisfy { (48...57).contains($0) }
  }

  /// Returns whether a name is the former one after a dot, and optionally before other characters:
  /// `.n.md.Xy12Zw`.
  private static func isHidden(_ name: String, from former: String) -> Bool {
    !former.hasPrefix(".") && name.utf8.starts(with: ".\(former)".utf8)
  }

  private static func hasExtension(_ name: String) -> Bool {
    name.utf8.dropFirst().contains(UInt8(ascii: "."))
  }
}
