/// Makes names of other names that fit into a folder.
package enum FileName {
  /// The longest name, in bytes.
  package static let longest = 255

  /// Extends a name, as "report.md" to "theirs-report 2.md"; if that would be too long, the stem is shortened.
  ///
  /// - Parameters:
  ///   - before: the text before the name.
  ///   - after: the text behind the stem; the ending stays at the end, where programs read it.
  ///   - most: the longest result, in bytes.
  package static func extending(
    _ name: String, before: String = "", after: String = "", upTo most: Int = longest
  ) -> String {
    let room = most - before.utf8.count - after.utf8.count
    var stem = name[...]
    var ending = name[name.endIndex...]
    // An ending that leaves no room for a stem does not count, and neither does the whole name of a hidden file.
    if let dot = name.lastIndex(of: "."), dot != name.startIndex, name[dot...].utf8.count < room {
      (stem, ending) = (name[..<dot], name[dot...])
    }
    // By characters: half of one would be another name, or none.
    while stem.utf8.count + ending.utf8.count > room, !stem.isEmpty { stem.removeLast() }
    return "\(before)\(stem)\(after)\(ending)"
  }
}
