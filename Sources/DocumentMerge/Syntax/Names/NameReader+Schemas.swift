/// Headings, identifiers and names of Org.
struct OrgNames: NameReader {
  mutating func read(_ line: Substring, into names: inout ReferenceNames) {
    let text = line.drop { $0 == " " }
    let upper = text.uppercased()
    if line.first == "*", case let title = line.drop(while: { $0 == "*" }), title.first == " " {
      names.define("*" + title.dropFirst())
    } else if upper.hasPrefix(":CUSTOM_ID:") || upper.hasPrefix(":ID:") {
      let name = text.dropFirst().drop { $0 != ":" }.dropFirst().drop { $0 == " " }
      names.define((upper.hasPrefix(":ID:") ? "id:" : "#") + name)
    } else if upper.hasPrefix("#+NAME:") {
      names.define(text.dropFirst(7).drop { $0 == " " })
    }
    var rest = text
    while let start = rest.firstPlace(of: "[[") {
      rest = rest[start.upperBound...]
      names.refer(to: rest.prefix { $0 != "]" })
    }
  }
}

/// What schemas and configurations declare.
struct DeclarationNames: NameReader {
  /// The words that declare what is used under its own name.
  private static let declarators: Set<Substring> = [
    "type", "input", "enum", "interface", "union", "scalar", "message", "service", "TABLE", "VIEW",
    "table", "view", "Table", "Enum",
  ]

  mutating func read(_ line: Substring, into names: inout ReferenceNames) {
    let words = line.split { !($0.isNamePart || $0 == "\"") }
    let own = words.map { word in word.filter { $0 != "\"" } }
    var declared = 0
    if line.first != " ", line.first != "\t", let keyword = words.first, own.count > 1 {
      switch keyword {
      case "variable": names.define("var." + own[1])
      case "module": names.define("module." + own[1])
      case "resource" where own.count > 2: names.define(own[1] + "." + own[2])
      case "data" where own.count > 2: names.define("data." + own[1] + "." + own[2])
      default:
        let place = words.firstIndex { Self.declarators.contains($0) }
        guard let place, place < 2, place + 1 < own.count else { break }
        names.define(own[place + 1])
        declared = place + 2
      }
    }
    for name in own.dropFirst(declared) {
      let parts = name.split(separator: ".")
      names.refer(to: parts.prefix(parts.first == "data" ? 3 : 2).joined(separator: "."))
    }
  }
}

/// Variables and animations of style sheets.
struct StyleNames: NameReader {
  mutating func read(_ line: Substring, into names: inout ReferenceNames) {
    let text = line.drop { $0 == " " || $0 == "\t" }
    let name = text.prefix { $0.isNamePart || "$@".contains($0) }
    let isVariable = name.hasPrefix("--") || name.first == "$" || name.first == "@"
    var rest = text
    if isVariable, text[name.endIndex...].drop(while: { $0 == " " }).first == ":" {
      names.define(name)
      rest = text[name.endIndex...]
    } else if text.hasPrefix("@keyframes ") {
      names.define(text.dropFirst(11).prefix(while: \.isNamePart))
      return
    }
    let isAnimation = text.hasPrefix("animation")
    for word in rest.split(whereSeparator: { !($0.isNamePart || "$@".contains($0)) }) {
      if word.hasPrefix("--") || word.first == "$" || word.first == "@" || isAnimation {
        names.refer(to: word)
      }
    }
  }
}
