/// The names that members of a package have, and free ones beside them.
struct FreeNames {
  private var members: Set<PackagePath> = []
  private var folders: Set<PackagePath> = []

  /// Takes a name.
  mutating func take(_ path: PackagePath) {
    members.insert(path)
    for folder in path.ancestors where !folders.insert(folder).inserted { break }
  }

  /// Takes the name of a folder, in which there may be more.
  mutating func takeFolder(_ path: PackagePath) {
    folders.insert(path)
    for folder in path.ancestors where !folders.insert(folder).inserted { break }
  }

  /// turns whether a member can have a name: no member has it, or needs it to be a folder, or makes a folder on the
  /// path to it impossible.
  func isFree(_ path: PackagePath) -> Bool {
    !members.contains(path) && !folders.contains(path)
      && !path.ancestors.contains(where: members.contains)
  }

  /// A free name in the same folder, with the name of a side: `Map (Tom).png` for `Map.png`.
  func free(_ path: PackagePath, for label: String) -> PackagePath {
    let name = path.lastName
    let dot = name.lastIndex(of: UInt8(ascii: ".")).flatMap { dot in
      dot > name.startIndex && name.endIndex - dot < 32 ? dot : nil
    }
    let (stem, suffix) = (name[..<(dot ?? name.endIndex)], name[(dot ?? name.endIndex)...])
    for number in 1... {
      let mark = Array(" (\(Self.plain(label))\(number == 1 ? "" : " \(number)"))".utf8)
      // No file system has longer names than 255 bytes.
      let room = max(0, 255 - mark.count - suffix.count)
      let free = path.renamed(Self.prefix(stem, room) + mark + suffix)
      if !members.contains(free), !folders.contains(free) { return free }
    }
    return path
  }

  /// As many bytes as there is room for, without cutting a character in two.
  private static func prefix(_ bytes: ArraySlice<UInt8>, _ room: Int) -> [UInt8] {
    var prefix = bytes.prefix(room)
    guard prefix.count < bytes.count else { return Array(prefix) }
    while let byte = bytes[prefix.endIndex...].first, byte & 0xC0 == 0x80, !prefix.isEmpty {
      prefix.removeLast()
    }
    return Array(prefix)
  }

  /// The label as far as it can stand in a name.
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
