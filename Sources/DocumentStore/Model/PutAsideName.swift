/// Names under which programs put a document aside for a moment, lock it, or keep a copy of it.
///
/// A document that was moved to such a name is not renamed: it counts as missing until it is back.
///
/// | program | name |
/// | --- | --- |
/// | Emacs, gedit, Kate | `n.md~`, `n.md.~1~`, `#n.md#`, `.#n.md` |
/// | Vim | `.n.md.swp`, `n.md.un~` |
/// | nano | `n.md.save`, `n.md.save.1` |
/// | Microsoft Office, LibreOffice | `~$n.docx`, `~WRL0001.tmp`, `.~lock.n.odt#`, `n.wbk` |
/// | macOS | `n.md.sb-1a2b3c4d-XyZ123`, `._n.md` |
/// | Syncthing | `~syncthing~n.md.tmp`, `.syncthing.n.md.tmp` |
/// | NFS, FUSE | `.nfs0000000000012ab3`, `.fuse_hidden0000abcd00000001`: deleted while a program has it open |
/// | JetBrains | `n.md___jb_old___`, `n.md___jb_tmp___` |
/// | Word, CorelDRAW | `Backup of n.docx`, `n (Autosaved).docx` |
/// | ownCloud, Nextcloud, iCloud | `n.md.owncloud`, `n.md.nextcloud`, `.n.md.icloud`: not downloaded |
/// | tools that sync folders | conflicted copies: ``ConflictedCopyName`` |
/// | many | `n.bak`, `n.md.bak2`, `n.md.orig`, `n.md.tmp`, `n.md.1`, `.n.md.Xy12Zw` |
package enum PutAsideName {
  /// Returns whether a document that had one name counts as put aside under another.
  ///
  /// One whose own name is of this kind is a document like any other.
  static func isPutAside(_ name: String, from former: String) -> Bool {
    guard !isPutAside(former) else { return false }
    return isPutAside(name) || isNumbered(name, from: former) || isHidden(name, from: former)
  }

  /// Returns whether a name is that of a backup, a lock file, a temporary file or a conflicted copy.
  package static func isPutAside(_ name: String) -> Bool {
    let lower = name.lowercased()
    if lower.hasSuffix("~") || lower.hasPrefix("~$") || lower.hasPrefix(".#") { return true }
    if lower.hasPrefix("._") || lower.hasPrefix(".~") || lower.hasPrefix("~syncthing~") {
      return true
    }
    if lower.hasPrefix("#"), lower.hasSuffix("#"), lower.utf8.count > 2 { return true }
    if lower.hasPrefix("backup of ") || isOpenElsewhere(lower) { return true }
    if marks.contains(where: lower.contains) || ConflictedCopyName(name) != nil { return true }
    let parts = lower.split(separator: ".", omittingEmptySubsequences: false).dropFirst()
    guard let last = parts.last else { return false }
    // Numbered, as in "n.md.save.1" and "n.md.bak2".
    let isNumber = !last.isEmpty && last.allSatisfy(isDigit)
    let end = isNumber ? parts.dropLast().last ?? "" : last
    let word = end.prefix { !isDigit($0) }
    return isSwapFile(end)
      || extensions.contains(String(word)) && end[word.endIndex...].allSatisfy(isDigit)
  }

  /// Parts of names that only temporary files have.
  private static let marks = [".sb-", ".goutputstream-", "___jb_", ".fuse_hidden", "(autosaved)"]

  /// Returns whether a name is that of a deleted file which a program on this host has open, as NFS keeps it.
  private static func isOpenElsewhere(_ name: String) -> Bool {
    let digits = name.utf8.dropFirst(4)
    return name.hasPrefix(".nfs") && digits.count >= 8
      && digits.allSatisfy { (48...57).contains($0) || (97...102).contains($0) }
  }

  private static let extensions: Set<String> = [
    "bak", "backup", "bkp", "old", "orig", "save", "tmp", "temp", "part", "partial", "crdownload",
    "download", "lock", "lck", "wbk", "xlk", "autosave", "asv", "rej", "kate-swp",
    "owncloud", "nextcloud", "icloud",
  ]

  /// Returns whether an extension is that of a swap file of Vim: `swp`, and those before it where one is there.
  private static func isSwapFile(_ end: Substring) -> Bool {
    end.utf8.count == 3 && end.hasPrefix("sw")
      && end.utf8.last.map { (97...112).contains($0) } == true
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

  private static func isDigit(_ character: Character) -> Bool {
    character.isASCII && character.isNumber
  }
}
