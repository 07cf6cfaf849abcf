/// A line with the required versions of a package, and the condition for them.
struct PackageNeed {
  /// The versions, as written.
  private let versions: String
  /// The condition under which the package is required: for some systems, or with some extras.
  private let condition: String
  private let markers: [EnvironmentMarker]

  /// Reads an entry of a package list, with or without quotes.
  init(_ line: String) {
    var text = Substring(line).drop(while: \.isWhitespace)
    if let comment = text.firstPlace(of: " #") { text = text[..<comment.lowerBound] }
    text = text.trimmingSuffix { $0.isWhitespace || $0 == "," }
    if let word = text.firstIndex(of: " "), Self.commands.contains(text[..<word]) {
      self.init(arguments: text[word...].dropFirst())
      return
    }
    if let quote = text.first, quote == "\"" || quote == "'" {
      text = text.dropFirst().replacing("\\\(quote)", with: "'").prefix { $0 != quote }
    }
    let parts = text.split(separator: ";", maxSplits: 1)
    let head = (parts.first ?? "").drop { !"[<>=~! \t".contains($0) }
    let extras = head.first == "[" ? head.prefix { $0 != "]" } : ""
    let marker = parts.count > 1 ? parts[1] : ""
    self.init(
      versions: head.dropFirst(extras.count).filter { !$0.isWhitespace && $0 != "]" },
      condition: extras + ";" + marker, markers: EnvironmentMarker.all(in: marker))
  }

  /// Reads the arguments of a command such as `gem`: a name, versions, and options or a condition.
  private init(arguments: Substring) {
    let all = arguments.split(separator: ",").map { $0.drop { $0 == " " } }
    func isText(_ argument: Substring) -> Bool {
      argument.first.map { "\"'".contains($0) && argument.last == $0 } ?? false
    }
    self.init(
      versions: all.dropFirst().filter(isText).joined(separator: ","),
      condition: all.filter { !isText($0) }.joined(separator: ","), markers: [])
  }

  private init(versions: String, condition: String, markers: [EnvironmentMarker]) {
    (self.versions, self.condition, self.markers) = (versions, condition, markers)
  }

  private static let commands: Set<Substring> = ["gem", "pod", "brew", "cask"]

  /// Returns whether a package may have both requirements.
  ///
  /// They must not be in one block with the same condition, and must have the same versions, or conditions
  /// that never both apply.
  func mayStand(beside other: PackageNeed, inOneBlock: Bool) -> Bool {
    guard !inOneBlock || condition != other.condition else { return false }
    return versions == other.versions
      || markers.contains { marker in other.markers.contains { marker.excludes($0) } }
  }
}

/// A condition on the system that a package is installed on, such as `python_version < "3.8"`.
private struct EnvironmentMarker {
  private let variable: Substring
  private let comparison: Substring
  private let value: Substring

  /// Returns the conditions that must all hold for a marker; none for markers of another form.
  static func all(in marker: Substring) -> [EnvironmentMarker] {
    guard !marker.contains("("), !marker.has(" or ") else { return [] }
    return marker.replacing(" and ", with: "\n").split(separator: "\n")
      .compactMap { EnvironmentMarker($0) }
  }

  private init?(_ text: Substring) {
    let text = text.drop(while: \.isWhitespace)
    variable = text.prefix { $0.isLetter || $0 == "_" || $0 == "." }
    let rest = text[variable.endIndex...].drop(while: \.isWhitespace)
    comparison = rest.prefix { "<>=!".contains($0) }
    value = rest[comparison.endIndex...].drop(while: \.isWhitespace).dropFirst()
      .prefix { $0 != "\"" && $0 != "'" }
    guard !variable.isEmpty, !comparison.isEmpty, !value.isEmpty else { return nil }
  }

  /// Returns whether both conditions never hold together.
  func excludes(_ other: EnvironmentMarker) -> Bool {
    guard variable == other.variable else { return false }
    switch (comparison, other.comparison) {
    case ("==", "=="): return value != other.value
    case ("==", "!="), ("!=", "=="): return value == other.value
    default: return isBelow(other) || other.isBelow(self)
    }
  }

  /// Returns whether all versions that satisfy this condition are below all that satisfy another one.
  private func isBelow(_ other: EnvironmentMarker) -> Bool {
    guard ["<", "<=", "=="].contains(comparison), [">", ">=", "=="].contains(other.comparison),
      let own = Self.numbers(value), let others = Self.numbers(other.value)
    else { return false }
    if own == others { return comparison == "<" || other.comparison == ">" }
    return own.lexicographicallyPrecedes(others)
  }

  /// Returns the numbers of a version without trailing zeros; `nil` if the version has other parts.
  private static func numbers(_ version: Substring) -> [Int]? {
    let parts = version.split(separator: ".", omittingEmptySubsequences: false).map { Int($0) }
    let numbers = parts.compactMap(\.self)
    guard numbers.count == parts.count else { return nil }
    return Array(numbers.reversed().drop { $0 == 0 }.reversed())
  }
}
