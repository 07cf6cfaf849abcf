/// Derives names from other names so that they are valid in a folder.
package enum FileName {
  /// The longest name, in bytes.
  package static let longest = 255

  /// Extends a name, for example from "report.md" to "theirs-report 2.md"; if the result would be too long,
  /// the stem is shortened.
  ///
  /// - Parameters:
  ///   - before: the text before the name.
  ///   - after: the text after the stem; the extension stays at the end, where programs look for it.
  ///   - most: the longest result, in bytes.
  package static func extending(
    _ name: String, before: String = "", after: String = "", upTo most: Int = longest
  ) -> String {
    let room = most - before.utf8.count - after.utf8.count
    var stem = name[...]
    var ending = name[name.endIndex...]
    // An extension that leaves no room for a stem doesn't count, nor does the whole name of a hidden file.
    if let dot = name.lastIndex(of: "."), dot != name.startIndex, name[dot...].utf8.count < room {
      (stem, ending) = (name[..<dot], name[dot...])
    }
    // The stem is cut by characters, because half a character would be another one, or none.
    while stem.utf8.count + ending.utf8.count > room, !stem.isEmpty { stem.removeLast() }
    return "\(before)\(stem)\(after)\(ending)"
  }
}
