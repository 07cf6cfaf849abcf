/// Names that are made of other names, and fit into a folder.
package enum FileName {
  /// How long a name may be, in bytes.
  package static let longest = 255

  /// "report.md" → "theirs-report 2.md"; where that would be longer than it may be, the stem gives way.
  ///
  /// - Parameters:
  ///   - before: what stands before the name.
  ///   - after: what stands behind the stem: programs look at what the name ends with.
  ///   - most: how long it may be, in bytes.
  package static func extending(
    _ name: String, before: String = "", after: String = "", upTo most: Int = longest
  ) -> String {
    let room = most - before.utf8.count - after.utf8.count
    var stem = name[...]
    var ending = name[name.endIndex...]
    // An ending that leaves no room for a stem is none, and neither is all of a hidden file's name.
    if let dot = name.lastIndex(of: "."), dot != name.startIndex, name[dot...].utf8.count < room {
      (stem, ending) = (name[..<dot], name[dot...])
    }
    // By characters: half of one would be another name, or none.
    while stem.utf8.count + ending.utf8.count > room, !stem.isEmpty { stem.removeLast() }
    return "\(before)\(stem)\(after)\(ending)"
  }
}
