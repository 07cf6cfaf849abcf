internal import DocumentFiles

/// Names of members as people type them.
enum MemberLookup {
  /// Returns the name that a person means: the one with the same bytes, or the one that listings show as the
  /// typed text.
  static func name(_ typed: String, among names: [[UInt8]]) -> [UInt8]? {
    var names = Names(names)
    return names.meant(by: typed)
  }

  /// The names in a folder, for finding many of them.
  struct Names {
    private let names: Set<[UInt8]>
    /// Names by the form in which listings show them; bytes that aren't text can't be typed otherwise.
    private lazy var shown = Dictionary(grouping: names) { Printable.text($0) }

    init(_ names: [[UInt8]]) {
      self.names = Set(names)
    }

    /// Returns the name that a person means, like ``MemberLookup/name(_:among:)``.
    mutating func meant(by typed: String) -> [UInt8]? {
      let bytes = Array(typed.utf8)
      if names.contains(bytes) { return bytes }
      guard let meant = shown[typed], meant.count == 1 else { return nil }
      return meant[0]
    }
  }

  /// Returns a hint for a member's name that doesn't exist: a similar name, or all names if there are few.
  ///
  /// - Parameters:
  ///   - path: the text that was typed.
  ///   - names: the names that exist in the last folder of the path.
  ///   - folder: the path of that folder; empty for the package.
  /// - Returns: `nil` if there are too many names to show.
  static func hint(
    missing path: String, among names: [[UInt8]], in folder: [UInt8]
  ) -> String? {
    let prefix = folder.isEmpty ? "" : Printable.text(folder) + "/"
    let depth = folder.isEmpty ? 0 : folder.count { $0 == UInt8(ascii: "/") } + 1
    let typed = path.pathNames().dropFirst(depth).first ?? ""
    let shown = names.map { Printable.text($0) }.sorted()
    let near = shown.prefix(1_000).map { (name: $0, distance: distance(from: typed, to: $0)) }
      .min { $0.distance < $1.distance }
    if let near, near.distance <= (typed.count + 2) / 3 {
      return "Did you mean “\(prefix)\(near.name)”?"
    }
    guard (1...6).contains(shown.count) else { return nil }
    let place = folder.isEmpty ? "It has" : "“\(prefix)” has"
    return "\(place) \(shown.map { "“\($0)”" }.joined(separator: ", "))."
  }

  /// Returns the number of letters to add, remove or replace to turn one name into the other.
  private static func distance(from old: String, to new: String) -> Int {
    let (old, new) = (Array(old.prefix(100).lowercased()), Array(new.prefix(100).lowercased()))
    var row = Array(0...new.count)
    for (index, letter) in old.enumerated() {
      var diagonal = row[0]
      row[0] = index + 1
      for (place, other) in new.enumerated() {
        let replaced = diagonal + (letter == other ? 0 : 1)
        diagonal = row[place + 1]
        row[place + 1] = min(replaced, row[place] + 1, diagonal + 1)
      }
    }
    return row[new.count]
  }
}
