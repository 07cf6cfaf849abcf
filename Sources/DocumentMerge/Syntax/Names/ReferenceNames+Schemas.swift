/// Names in schemas, configurations and style sheets.
extension ReferenceNames {
  mutating func readTables(_ line: Substring) {
    let text = line.drop { $0 == " " || $0 == "\t" }
    guard let first = text.first, first != "#" else { return }
    var rest = text
    if first == "[", let end = text.firstIndex(of: "]") {
      define(text[..<end].split { "[.\"' ".contains($0) }.last ?? "")
      return
    } else if let equals = text.firstIndex(of: "="), !text[..<equals].contains("[") {
      define(text[..<equals].filter { !"\"' ".contains($0) })
      rest = text[equals...]
    }
    while let quote = rest.firstIndex(where: { $0 == "\"" || $0 == "'" }) {
      let content = rest[quote...].dropFirst().prefix { $0 != rest[quote] }
      if content.allSatisfy(\.isNamePart), content.contains(where: { !$0.isNumber }) {
        refer(to: content)
      }
      rest = rest[content.endIndex...].dropFirst()
    }
  }

  mutating func readPropertyList(_ line: Substring) {
    guard let start = line.firstIndex(of: ">") else { return }
    let content = line[start...].dropFirst().prefix { $0 != "<" }
    if line[..<start].hasSuffix("<key") {
      propertyKey = content
      define(content)
    } else if Self.namingKeys.contains(propertyKey) || propertyKey.hasSuffix("Identifier") {
      define(content)
      propertyKey = ""
    } else if content.count > 1, content.contains(where: { !$0.isNumber }),
      !content.contains(where: \.isWhitespace)
    {
      refer(to: content)
    }
  }

  /// Reads a row, whose first cell names it.
  mutating func readRow(_ line: Substring) {
    let cells = line.split(omittingEmptySubsequences: false) { ",;\t".contains($0) }
      .map { $0.filter { $0 != "\"" && $0 != " " } }
    guard let columns = referringColumns else {
      referringColumns = cells.indices.dropFirst().filter { place in
        let name = cells[place].lowercased()
        return name.has("parent")
          || ["_id", "ref", "depends_on"].contains { name.hasSuffix($0) }
      }
      return
    }
    if let name = cells.first { define(name) }
    for column in columns where column < cells.count { refer(to: cells[column]) }
  }
}
