/// How a member's name is written in a git tree.
///
/// Names are bytes, and nearly all stand as they are. Those that git gives a meaning (`.git`,
/// `.gitmodules`, their spellings on other file systems) would be refused or obeyed by git tools, so they
/// are stored behind a prefix, and so are names that begin with that prefix. The encoding is reversible.
enum MemberName {
  private static let prefix = Array(".docversions-name-".utf8)

  /// The name for a tree entry.
  static func encoded(_ name: [UInt8]) -> [UInt8] {
    isSpecial(name) ? prefix + name : name
  }

  /// The name of the member; nil for a name that no document member can have.
  static func decoded(_ stored: [UInt8]) -> [UInt8]? {
    let name = stored.starts(with: prefix) ? Array(stored.dropFirst(prefix.count)) : stored
    let isUsable =
      !name.isEmpty && name.count <= 255 && !name.contains(0) && !name.contains(UInt8(ascii: "/"))
      && name != Array(".".utf8) && name != Array("..".utf8)
    return isUsable ? name : nil
  }

  /// Whether git, on any file system, could read a meaning into the name.
  ///
  /// Rather one name too many: the prefix costs nothing.
  private static func isSpecial(_ name: [UInt8]) -> Bool {
    if name.starts(with: prefix) { return true }
    let dotGit = Array(".git".utf8)
    let plain = foldedForComparison(name)
    // "git~1" and the like are the short names that Windows file systems give.
    return plain.contains(subsequence: dotGit) || plain.contains(UInt8(ascii: "~"))
      || plain.contains(UInt8(ascii: "\\")) || plain.starts(with: Array(".mailmap".utf8))
  }

  /// Lower case, without the invisible characters that some file systems ignore in names: those in
  /// U+200C…U+206F and U+FEFF, which are the three-byte sequences from E2 80, E2 81 and EF BB.
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

extension [UInt8] {
  fileprivate func contains(subsequence: [UInt8]) -> Bool {
    guard count >= subsequence.count else { return false }
    return (0...(count - subsequence.count)).contains { self[$0...].starts(with: subsequence) }
  }
}
