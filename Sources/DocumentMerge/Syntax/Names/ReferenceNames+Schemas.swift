/// Names in schemas, configurations and style sheets.
extension ReferenceNames {
  mutating func readOutline(_ line: Substring) {
    let text = line.drop { $0 == " " }
    let upper = text.uppercased()
    if line.first == "*", case let title = line.drop(while: { $0 == "*" }), title.first == " " {
      define("*" + title.dropFirst())
    } else if upper.hasPrefix(":CUSTOM_ID:") || upper.hasPrefix(":ID:") {
      let name = text.dropFirst().drop { $0 != ":" }.dropFirst().drop { $0 == " " }
      define((upper.hasPrefix(":ID:") ? "id:" : "#") + name)
    } else if upper.hasPrefix("#+NAME:") {
      define(text.dropFirst(7).drop { $0 == " " })
    }
    var rest = text
    while let start = rest.firstPlace(of: "[[") {
      rest = rest[start.upperBound...]
      refer(to: rest.prefix { $0 != "]" })
    }
  }

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

  /// The words that declare what is used under its own name.
  private static let declarators: Set<Substring> = [
    "type", "input", "enum", "interface", "union", "scalar", "message", "service", "TABLE", "VIEW",
    "table", "view", "Table", "Enum",
  ]

  mutating func readDeclaration(_ line: Substring) {
    let words = line.split { !($0.isNamePart || $0 == "\"") }
    let names = words.map { word in word.filter { $0 != "\"" } }
    var declared = 0
    if line.first != " ", line.first != "\t", let keyword = words.first, names.count > 1 {
      switch keyword {
      case "variable": define("var." + names[1])
      case "module": define("module." + names[1])
      case "resource" where names.count > 2: define(names[1] + "." + names[2])
      case "data" where names.count > 2: define("data." + names[1] + "." + names[2])
      default:
        let place = words.firstIndex { Self.declarators.contains($0) }
        guard let place, place < 2, place + 1 < names.count else { break }
        define(names[place + 1])
        declared = place + 2
      }
    }
    for name in names.dropFirst(declared) {
      let parts = name.split(separator: ".")
      refer(to: parts.prefix(parts.first == "data" ? 3 : 2).joined(separator: "."))
    }
  }

  mutating func readStyle(_ line: Substring) {
    let text = line.drop { $0 == " " || $0 == "\t" }
    let name = text.prefix { $0.isNamePart || "$@".contains($0) }
    let isVariable = name.hasPrefix("--") || name.first == "$" || name.first == "@"
    var rest = text
    if isVariable, text[name.endIndex...].drop(while: { $0 == " " }).first == ":" {
      define(name)
      rest = text[name.endIndex...]
    } else if text.hasPrefix("@keyframes ") {
      define(text.dropFirst(11).prefix(while: \.isNamePart))
      return
    }
    let isAnimation = text.hasPrefix("animation")
    for word in rest.split(whereSeparator: { !($0.isNamePart || "$@".contains($0)) }) {
      if word.hasPrefix("--") || word.first == "$" || word.first == "@" || isAnimation {
        refer(to: word)
      }
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
