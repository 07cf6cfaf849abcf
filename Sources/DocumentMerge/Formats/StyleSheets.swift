/// Style sheets: properties of rules, variables and animations.
extension DocumentFormat {
  static let styleSheet = DocumentFormat(
    "css", ["*.css", "*.scss", "*.less", "*.sass"],
    checks: [NamesOnce(StyleEntries()), LostNames(StyleNames())])
}

private struct StyleEntries: EntryReader {
  func read(_ lines: [Substring], into names: inout EntryNames) {
    var open: [String] = []
    var rules = 0
    for (number, line) in lines.enumerated() {
      let text = line.drop { $0 == " " || $0 == "\t" }
      if text.hasSuffix("{") {
        rules += 1
        open.append("\(text.dropLast().trimmingSuffix { $0 == " " }) \(rules)")
      } else if text.first == "}" {
        _ = open.popLast()
      } else if let colon = text.firstIndex(of: ":"), text.hasSuffix(";"), !text.contains("{"),
        case let name = text[..<colon].trimmingSuffix(while: { $0 == " " }),
        name.allSatisfy({ $0.isLetter || $0.isNumber || "-_$@".contains($0) })
      {
        names.add((open.last.map { $0 + " " } ?? "") + name, number)
      }
    }
  }
}

/// The variables and animations of style sheets.
private struct StyleNames: NameReader {
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
