/// Objects that have numbers or names by which others refer to them, described by the texts before these
/// names.
struct ObjectNames: EntryReader, NameReader {
  /// A text before a name.
  struct Mark {
    let kind: String
    /// The start of the line, without its indentation; empty for any line.
    var start = ""
    /// The text before the name.
    let mark: String
    /// The maximum indentation of the line, in columns; a tab counts as two.
    var depth = Int.max
    /// The text before the object's title, if a program may renumber its objects.
    var title: String?
  }

  let definitions: [Mark]
  let references: [Mark]

  func read(_ lines: [Substring], into names: inout EntryNames) {
    for (number, line) in lines.enumerated() {
      names.add(definitions.flatMap { $0.names(in: line) }.map { ($0, number) })
    }
  }

  mutating func read(_ line: Substring, into names: inout ReferenceNames) {
    var defined: Set<String> = []
    for mark in definitions {
      for name in mark.names(in: line) {
        names.define(name)
        defined.insert(mark.kind)
        if let title = mark.title, let start = line.firstPlace(of: title) {
          names.say("\(mark.kind) \(line[start.upperBound...].prefix { $0 != "\"" })", of: name)
        }
      }
    }
    // A line that defines a name of a kind doesn't refer to one.
    for mark in references where !defined.contains(mark.kind) {
      for name in mark.names(in: line) { names.refer(to: name) }
    }
  }
}

extension ObjectNames.Mark {
  /// Returns the names after this mark in a line.
  func names(in line: Substring) -> [String] {
    guard line.has(mark) else { return [] }
    let text = line.drop { $0 == " " || $0 == "\t" }
    let column = line[..<text.startIndex].reduce(0) { $0 + ($1 == "\t" ? 2 : 1) }
    guard text.hasPrefix(start), column <= depth else { return [] }
    var (names, rest): ([String], Substring) = ([], line)
    while let start = rest.firstPlace(of: mark) {
      rest = rest[start.upperBound...].drop { $0 == " " }
      let isQuoted = rest.first == "\""
      let name =
        isQuoted
        ? rest.dropFirst().prefix { $0 != "\"" } : rest.prefix { !" )]},\n".contains($0) }
      // Zero, the root, and a part without a number aren't names.
      if !name.isEmpty, name != "0", name != ".", name.last != "?" {
        names.append("\(kind) \(name)")
      }
    }
    return names
  }
}
