/// Names in documents that are written for people to read.
extension EntryNames {
  mutating func readMarkdown(_ lines: [Substring]) {
    var start = 0
    if let first = lines.first, first == "---" || first == "+++",
      let end = lines.dropFirst().firstIndex(of: first)
    {
      let mark: Character = first == "---" ? ":" : "="
      for (number, line) in lines[1..<end].enumerated() {
        guard let first = line.first, first.isLetter || first == "_" || first == "\"",
          let separator = line.firstIndex(of: mark)
        else {
          extendLast(to: number + 1)
          continue
        }
        let key = line[..<separator].trimmingSuffix { $0 == " " }
        add("front matter: " + key.filter { $0 != "\"" }, number + 1)
      }
      start = end + 1
    }
    var fence: Substring?
    for (number, line) in lines.enumerated().dropFirst(start) {
      if line.hasPrefix("```") || line.hasPrefix("~~~") {
        fence = fence == nil ? line.prefix(3) : line.hasPrefix(fence ?? "") ? nil : fence
      }
      guard fence == nil else { continue }
      let text = line.drop { $0 == " " }
      if text.first == "[", line.count - text.count <= 3, let end = text.firstIndex(of: "]"),
        text[end...].hasPrefix("]:")
      {
        let isLonger = number + 1 < lines.count && lines[number + 1].first?.isWhitespace ?? false
        add([(text[...end].lowercased(), number)], areWhole: !isLonger)
      } else if text.hasPrefix("id:: ") {
        add([(String(text), number)])
      } else if text.first == "#", let start = text.firstPlace(of: "{#") {
        add([("#" + text[start.upperBound...].prefix { $0 != "}" && $0 != " " }, number)])
      }
    }
  }

  mutating func readLabels(_ lines: [Substring]) {
    for (number, line) in lines.enumerated() where line.contains("\\") && line.first != "%" {
      for command in ["label", "newcommand", "newglossaryentry", "newacronym"] {
        for name in line.arguments(of: [command]) { add("\\\(command){\(name)}", number) }
      }
      if let start = line.firstPlace(of: "\\bibitem") {
        var rest = line[start.upperBound...]
        if rest.first == "[" { rest = rest.drop { $0 != "]" }.dropFirst() }
        if rest.first == "{" {
          add("\\bibitem{\(rest.dropFirst().prefix { $0 != "}" })}", number)
        }
      }
    }
  }

  mutating func readTargets(_ lines: [Substring]) {
    for (number, line) in lines.enumerated() {
      let text = line.drop { $0 == " " }
      guard text.hasPrefix(".. ") else { continue }
      let rest = text.dropFirst(3)
      switch rest.first {
      case "_" where !rest.hasPrefix("__"):
        guard let end = rest.firstIndex(of: ":") else { continue }
        // A label is of what stands behind it.
        add([(rest[...end].lowercased(), number)], areWhole: rest[end...] != ":")
      case "[":
        // Footnotes that number themselves have no name.
        guard let end = rest.firstIndex(of: "]"), !rest.hasPrefix("[#]"), !rest.hasPrefix("[*]")
        else { continue }
        add(rest[...end], number)
      case "|":
        if let end = rest.dropFirst().firstIndex(of: "|") { add(rest[...end], number) }
      default: break
      }
    }
  }

  mutating func readAnchors(_ lines: [Substring]) {
    for (number, line) in lines.enumerated() {
      if line.hasPrefix("[[") || line.hasPrefix("[#") {
        add("#" + line.dropFirst(2).prefix { !"],.%".contains($0) }, number)
      } else if line.first == ":", let end = line.dropFirst().firstIndex(of: ":"),
        !line[..<end].contains(" ")
      {
        add(line[...end], number)
      }
    }
  }

  mutating func readOutline(_ lines: [Substring]) {
    for (number, line) in lines.enumerated() {
      let text = line.drop { $0 == " " }
      let upper = text.uppercased()
      if upper.hasPrefix(":CUSTOM_ID:") || upper.hasPrefix(":ID:") || upper.hasPrefix("#+NAME:") {
        add(text, number)
      } else if text.hasPrefix("[fn:"), line.first == "[", let end = text.firstIndex(of: "]") {
        add(text[...end], number)
      }
    }
  }

  mutating func readPackages(_ lines: [Substring]) {
    for (number, line) in lines.enumerated() {
      let words = line.split { $0 == " " || $0 == "\t" || $0 == "," }
      guard let first = words.first, first.first != "#", first.first != "-" else { continue }
      if ["gem", "pod", "brew", "cask", "github", "git", "binary", "require"].contains(first),
        words.count > 1
      {
        if words[1] != "(" { add(words[1].filter { $0 != "'" && $0 != "\"" }, number) }
      } else if first.contains("=") || first.contains("<") || first.contains(">")
        || first.contains("~") || words.count == 2 && words[1].first == "v"
      {
        let name = first.prefix { !"=<>~![;".contains($0) }
        add(String(name.lowercased().map { $0 == "_" ? "-" : $0 }), number)
      }
    }
  }
}
