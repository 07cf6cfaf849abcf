/// Names in documents that are written for people to read.
extension ReferenceNames {
  mutating func readLabels(_ line: Substring) {
    for name in line.arguments(of: ["label", "bibitem", "newacronym", "newglossaryentry"]) {
      define(name)
    }
    let commands = [
      "ref", "eqref", "pageref", "autoref", "cref", "Cref", "nameref", "vref", "subref", "hyperref",
      "cite", "citep", "citet", "parencite", "textcite", "autocite", "gls", "acrshort",
    ]
    for names in line.arguments(of: commands) {
      for name in names.split(separator: ",") { refer(to: name.drop { $0 == " " }) }
    }
  }

  mutating func readMarkdown(_ line: Substring) {
    let text = line.drop { $0 == " " }
    if text.first == "#" {
      let title = text.drop { $0 == "#" }
      if title.first == " " { define("#" + Self.anchor(of: title.dropFirst())) }
      if let start = title.firstPlace(of: "{#") {
        define("#" + title[start.upperBound...].prefix { $0 != "}" && $0 != " " })
      }
    }
    for mark in ["id=\"", "name=\""] {
      if let start = text.firstPlace(of: mark) {
        define("#" + text[start.upperBound...].prefix { $0 != "\"" })
      }
    }
    var rest = text
    if text.first == "[", let end = text.firstIndex(of: "]"), text[end...].hasPrefix("]:") {
      define(text[...end].lowercased())
      rest = text[end...].dropFirst(2)
    }
    readLinks(rest)
  }

  /// Reads `](#heading)`, `][target]` and `[^note]` outside of code.
  private mutating func readLinks(_ text: Substring) {
    let line = text.withoutCode
    var rest = line
    while let start = rest.firstIndex(of: "]") {
      let behind = rest[start...].dropFirst()
      if behind.hasPrefix("(#") {
        refer(to: "#" + behind.dropFirst(2).prefix { $0 != ")" && $0 != " " })
      } else if behind.first == "[" {
        let name = behind.dropFirst().prefix { $0 != "]" }
        refer(to: "[\(name.lowercased())]")
      }
      rest = behind
    }
    rest = line
    while let start = rest.firstPlace(of: "[^") {
      rest = rest[start.upperBound...]
      refer(to: "[^\(rest.prefix { $0 != "]" }.lowercased())]")
    }
  }

  /// The name by which links refer to a heading.
  static func anchor(of title: Substring) -> String {
    let words = title.trimmingSuffix { $0 == " " || $0 == "#" }.lowercased()
    return String(
      words.compactMap { character -> Character? in
        if character == " " { return "-" }
        return character.isLetter || character.isNumber || "-_".contains(character)
          ? character : nil
      })
  }

  mutating func readTargets(_ line: Substring) {
    let text = line.drop { $0 == " " }
    var rest = text
    if text.hasPrefix(".. _"), let end = text.firstIndex(of: ":") {
      define(text[..<end].dropFirst(4).lowercased().filter { $0 != "`" })
      return
    } else if text.hasPrefix(".. ["), let end = text.firstIndex(of: "]") {
      define(text[...end].dropFirst(3))
      rest = text[end...]
    } else if text.hasPrefix(".. |"), let end = text.dropFirst(4).firstIndex(of: "|") {
      define(text[...end].dropFirst(3))
      return
    }
    while let start = rest.firstPlace(of: ":ref:`") {
      rest = rest[start.upperBound...]
      let content = rest.prefix { $0 != "`" }
      let name = content.firstIndex(of: "<").map { content[$0...].dropFirst().dropLast() }
      refer(to: (name ?? content).lowercased())
    }
    for word in text.split(whereSeparator: { " ,.;()".contains($0) }) {
      if word.hasSuffix("]_") { refer(to: word.dropLast()) }
      if word.hasSuffix("_"), !word.hasSuffix("__"), word.count > 1 {
        refer(to: word.dropLast().lowercased().filter { $0 != "`" })
      }
      if word.count > 2, word.first == "|", word.last == "|" { refer(to: word) }
    }
  }

  mutating func readAnchors(_ line: Substring) {
    if line.hasPrefix("[[") || line.hasPrefix("[#") {
      define(line.dropFirst(2).prefix { !"],.%".contains($0) })
    } else if line.first == ":", let end = line.dropFirst().firstIndex(of: ":") {
      define("{\(line[..<end].dropFirst())}")
    }
    for (mark, last) in [("<<", ">"), ("xref:", "["), ("{", "}")] as [(String, Character)] {
      var rest = line
      while let start = rest.firstPlace(of: mark) {
        rest = rest[start.upperBound...]
        let name = rest.prefix { $0 != last && $0 != "," }.drop { $0 == "#" }
        refer(to: mark == "{" ? "{\(name)}" : String(name))
      }
    }
  }

  mutating func readBibliography(_ line: Substring) {
    if line.first == "@", let brace = line.firstIndex(of: "{") {
      let name = line[brace...].dropFirst().drop { $0 == " " }.prefix { !",= }".contains($0) }
      define(name.lowercased())
    } else if let equals = line.firstIndex(of: "=") {
      let field = line[..<equals].lowercased().filter { $0.isLetter }
      let value = line[equals...].dropFirst().trimmingSuffix { $0 == "," || $0 == " " }
      if field == "crossref" || field == "xdata" {
        refer(to: value.lowercased().filter { !"{}\" ".contains($0) })
      } else if !value.contains(where: { "{}\"".contains($0) }) {
        for name in value.lowercased().split(whereSeparator: { " #".contains($0) }) {
          refer(to: name)
        }
      }
    }
  }

  mutating func readComponents(_ line: Substring) {
    if line.hasPrefix("UID:") {
      define(line.dropFirst(4))
    } else if line.hasPrefix("TZID:") {
      define(line.dropFirst(5))
    } else if line.hasPrefix("RELATED-TO"), let colon = line.firstIndex(of: ":") {
      refer(to: line[colon...].dropFirst())
    } else if let start = line.firstPlace(of: ";TZID=") {
      refer(to: line[start.upperBound...].prefix { $0 != ":" && $0 != ";" })
    }
  }
}

extension Substring {
  /// The text without the code between backticks in it.
  var withoutCode: Substring {
    guard let start = firstIndex(of: "`") else { return self }
    let mark = self[start...].prefix { $0 == "`" }
    var rest = self[mark.endIndex...]
    while let end = rest.firstIndex(of: "`") {
      let other = rest[end...].prefix { $0 == "`" }
      rest = rest[other.endIndex...]
      if other.count == mark.count { return self[..<start] + rest.withoutCode }
    }
    return self[..<mark.endIndex] + self[mark.endIndex...].withoutCode
  }

  /// The arguments of some commands, as in `\label{name}`.
  func arguments(of commands: [String]) -> [Substring] {
    guard contains("\\") else { return [] }
    return commands.flatMap { command -> [Substring] in
      var (found, rest): ([Substring], Substring) = ([], self)
      while let start = rest.firstPlace(of: "\\\(command)") {
        rest = rest[start.upperBound...]
        var argument = rest
        if argument.first == "[" { argument = argument.drop { $0 != "]" }.dropFirst() }
        guard argument.first == "{" else { continue }
        argument = argument.dropFirst().prefix { $0 != "}" }
        found.append(argument)
        rest = rest[argument.endIndex...]
      }
      return found
    }
  }
}
