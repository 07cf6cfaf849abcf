internal import DocumentFiles

/// Encodes a member's name for a git tree.
///
/// Names are bytes, and nearly all stay unchanged. Git tools would reject or obey names with a meaning to git
/// (`.git`, `.gitmodules`, their spellings on other file systems), so these are stored with a prefix. The
/// name of a ``ChunkedFile`` has another prefix. Names that begin like either prefix also get the first one,
/// so they can't be confused with these. The encoding is reversible.
package enum MemberName {
  /// The beginning of docversions' own prefixes, including those that a later version may add.
  private static let reserved = Array(".docversions-".utf8)
  private static let escape = reserved + Array("name-".utf8)
  private static let chunks = reserved + Array("chunks-".utf8)

  /// Returns the name for a tree entry.
  ///
  /// - Parameter isChunked: whether the entry is the tree of a ``ChunkedFile``.
  package static func encoded(_ name: [UInt8], isChunked: Bool = false) -> [UInt8] {
    isChunked ? chunks + name : isSpecial(name) ? escape + name : name
  }

  /// Returns the name of the member, and whether it is a file in chunks; `nil` for a name that no member can
  /// have.
  package static func decoded(_ stored: [UInt8]) -> (name: [UInt8], isChunked: Bool)? {
    let isChunked = stored.starts(with: chunks)
    let isEscaped = stored.starts(with: escape)
    guard isChunked || isEscaped || !stored.starts(with: reserved) else { return nil }
    let prefix = isChunked ? chunks : isEscaped ? escape : []
    let name = Array(stored.dropFirst(prefix.count))
    return DocumentItem.isWritable(name: name) ? (name, isChunked) : nil
  }

  /// Returns whether git may interpret the name, on any file system.
  ///
  /// If in doubt it is true, because the prefix costs nothing.
  private static func isSpecial(_ name: [UInt8]) -> Bool {
    guard mayBeSpecial(name) else { return false }
    if name.starts(with: reserved) { return true }
    let plain = foldedForComparison(name)
    // Names like "git~1" are short names that Windows file systems create.
    return plain.contains(subsequence: ".git") || plain.contains(UInt8(ascii: "~"))
      || plain.contains(UInt8(ascii: "\\")) || plain.starts(with: Array(".mailmap".utf8))
  }

  /// Returns whether a program treats an item with the name as a repository, on any file system: git,
  /// Mercurial, Jujutsu or Subversion.
  static func isRepository(_ name: [UInt8]) -> Bool {
    var plain = foldedForComparison(name)[...]
    // Windows ignores dots and spaces at the end, and everything after a colon.
    if let colon = plain.firstIndex(of: UInt8(ascii: ":")) { plain = plain[..<colon] }
    while let last = plain.last, last == dot || last == UInt8(ascii: " ") { plain.removeLast() }
    return repositories.contains(Array(plain))
  }

  private static let repositories = Set(
    [".git", "git~1", ".hg", "hg~1", ".jj", "jj~1", ".svn", "svn~1"].map { Array($0.utf8) })

  /// Returns false quickly for most names: those without a dot before a "g" or at the start, and with only
  /// letters, digits and the like.
  private static func mayBeSpecial(_ name: [UInt8]) -> Bool {
    var last = UInt8(ascii: "/")
    for byte in name {
      switch byte {
      case UInt8(ascii: "~"), UInt8(ascii: "\\"), 0x80...: return true
      case UInt8(ascii: "g") where last == dot, UInt8(ascii: "G") where last == dot: return true
      case dot where last == UInt8(ascii: "/"): return true
      default: last = byte
      }
    }
    return false
  }

  private static let dot = UInt8(ascii: ".")

  /// Returns the name in lowercase, without the invisible characters that some file systems ignore in names.
  ///
  /// These characters are U+200C…U+206F and U+FEFF, the three-byte sequences from E2 80, E2 81 and EF BB.
  private static func foldedForComparison(_ name: [UInt8]) -> [UInt8] {
    var folded: [UInt8] = []
    var index = 0
    while index < name.count {
      let next = index + 1 < name.count ? name[index + 1] : 0
      if (name[index] == 0xE2 && (next == 0x80 || next == 0x81))
        || (name[index] == 0xEF && next == 0xBB)
      {
        index += 3
        continue
      }
      let byte = name[index]
      folded.append((0x41...0x5A).contains(byte) ? byte + 0x20 : byte)
      index += 1
    }
    return folded
  }
}
