/// The names of a package's members, for finding free names beside them.
struct FreeNames {
  private var members: Set<PackagePath> = []
  private var folders: Set<PackagePath> = []

  /// Marks a name as used.
  mutating func take(_ path: PackagePath) {
    members.insert(path)
    for folder in path.ancestors where !folders.insert(folder).inserted { break }
  }

  /// Marks the name of a folder as used; further members may be in the folder.
  mutating func takeFolder(_ path: PackagePath) {
    folders.insert(path)
    for folder in path.ancestors where !folders.insert(folder).inserted { break }
  }

  /// Returns whether a member can have a name.
  ///
  /// No other member may have the name, need it as a folder, or make a folder on its path impossible.
  func isFree(_ path: PackagePath) -> Bool {
    !members.contains(path) && !folders.contains(path)
      && !path.ancestors.contains(where: members.contains)
  }

  /// Returns a free name in the same folder that contains the name of a side: `Map (Tom).png` for `Map.png`.
  func free(_ path: PackagePath, for label: String) -> PackagePath {
    let name = path.lastName
    let dot = name.lastIndex(of: UInt8(ascii: ".")).flatMap { dot in
      dot > name.startIndex && name.endIndex - dot < 32 ? dot : nil
    }
    let (stem, suffix) = (name[..<(dot ?? name.endIndex)], name[(dot ?? name.endIndex)...])
    for number in 1... {
      let mark = Array(" (\(Self.plain(label))\(number == 1 ? "" : " \(number)"))".utf8)
      // File systems allow at most 255 bytes in a name.
      let room = max(0, 255 - mark.count - suffix.count)
      let free = path.renamed(Self.prefix(stem, room) + mark + suffix)
      if !members.contains(free), !folders.contains(free) { return free }
    }
    return path
  }

  /// Returns as many bytes as fit, without splitting a character.
  private static func prefix(_ bytes: ArraySlice<UInt8>, _ room: Int) -> [UInt8] {
    var prefix = bytes.prefix(room)
    guard prefix.count < bytes.count else { return Array(prefix) }
    while let byte = bytes[prefix.endIndex...].first, byte & 0xC0 == 0x80, !prefix.isEmpty {
      prefix.removeLast()
    }
    return Array(prefix)
  }

  /// Returns the part of a label that a name can contain.
  private static func plain(_ label: String) -> String {
    let scalars = label.unicodeScalars.map { scalar -> Character in
      switch scalar.properties.generalCategory {
      case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate, .unassigned: "-"
      default: "/\\:".unicodeScalars.contains(scalar) ? "-" : Character(scalar)
      }
    }
    return String(scalars.prefix(40))
  }
}
