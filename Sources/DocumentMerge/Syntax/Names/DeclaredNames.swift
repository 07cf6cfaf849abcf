/// Names that schemas, configurations, style sheets, recipes and makefiles declare.
struct DeclaredNames {
  enum Form { case declarations, styles, images, makefile }

  private(set) var names: [(name: String, line: Int)] = []

  init(_ lines: [Substring], _ form: Form) {
    switch form {
    case .declarations: readDeclarations(lines)
    case .styles: readStyles(lines)
    case .images: readImages(lines)
    case .makefile: readTargets(ofMakefile: lines)
    }
  }

  private mutating func add(_ name: some StringProtocol, _ line: Int) {
    names.append((String(name), line))
  }

  /// The words at the start of a line that declare the name behind them.
  private static let declarators: Set<Substring> = [
    "variable", "output", "module", "resource", "data", "type", "input", "enum", "interface",
    "union", "scalar", "message", "service", "CREATE", "create", "<!ENTITY", "<!ELEMENT",
  ]

  /// Reads what stands at the start of a line behind a word that declares it, and the numbers of fields in it.
  private mutating func readDeclarations(_ lines: [Substring]) {
    var open: Substring = ""
    for (number, line) in lines.enumerated() {
      if line.first != " ", line.first != "\t" {
        let words = line.prefix { !"{(=;>".contains($0) }.split(separator: " ")
        guard let first = words.first, Self.declarators.contains(first), words.count > 1 else {
          if line.first == "}" { open = "" }
          continue
        }
        let isMarkup = first.hasPrefix("<!")
        let count = isMarkup ? (words[1] == "%" ? 3 : 2) : words.count
        open = Substring(words.prefix(count).joined(separator: " "))
        add(open, number)
      } else if open.hasPrefix("message") || open.hasPrefix("enum"), line.contains(";"),
        let equals = line.firstIndex(of: "=")
      {
        let field = line[..<equals].split(separator: " ").last ?? ""
        let tag = line[equals...].dropFirst().drop { $0 == " " }.prefix(while: \.isNumber)
        guard !tag.isEmpty else { continue }
        add("\(open): \(field)", number)
        add("\(open): \(tag)", number)
      }
    }
  }

  /// Reads the properties of each rule, and variables.
  private mutating func readStyles(_ lines: [Substring]) {
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
        add((open.last.map { $0 + " " } ?? "") + name, number)
      }
    }
  }

  /// Reads the variables and stages of recipes for images.
  private mutating func readImages(_ lines: [Substring]) {
    var stage = 0
    for (number, line) in lines.enumerated() {
      let words = line.split { $0 == " " || $0 == "=" }
      guard words.count > 1 else { continue }
      switch words[0].uppercased() {
      case "FROM":
        stage += 1
        if words.count > 3, words[2].uppercased() == "AS" { add(words[3].lowercased(), number) }
      case "ENV", "ARG", "LABEL":
        add("stage \(stage): \(words[0].uppercased()) \(words[1])", number)
      default: break
      }
    }
  }

  /// Reads the targets of makefiles that have a recipe.
  private mutating func readTargets(ofMakefile lines: [Substring]) {
    for (number, line) in lines.enumerated().dropLast()
    where lines[number + 1].first == "\t" && line.first != "\t" {
      guard let colon = line.firstIndex(of: ":"), !line[colon...].hasPrefix("::"),
        !line[..<colon].contains(where: { "%$=#".contains($0) })
      else { continue }
      for name in line[..<colon].split(separator: " ") { add(name, number) }
    }
  }
}
