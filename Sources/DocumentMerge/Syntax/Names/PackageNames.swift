/// Packages that a project needs, in the forms of several tools: each is needed once in its list.
enum PackageNames {
  enum Form {
    /// Projects of Maven: groups and names in elements.
    case elements
    /// Scripts of Gradle: a text such as `'group:name:version'`.
    case scripts
    /// Lists of texts such as `"name>=1"`.
    case texts
    /// Objects of npm and the like, of which only one has a package.
    case objects
    /// The same in YAML.
    case sections
  }

  static func names(in lines: [Substring], _ form: Form) -> [(name: String, line: Int)] {
    switch form {
    case .elements: elements(lines)
    case .scripts: scripts(lines)
    case .texts: texts(lines)
    case .objects: objects(lines)
    case .sections: sections(lines)
    }
  }

  private static func elements(_ lines: [Substring]) -> [(name: String, line: Int)] {
    var names: [(name: String, line: Int)] = []
    var open: [Substring] = []
    var parts: [Substring: Substring] = [:]
    var lists = 0
    for (number, line) in lines.enumerated() {
      let text = line.drop { $0 == " " || $0 == "\t" }
      guard text.first == "<" else { continue }
      let tag = text.dropFirst().prefix { $0 != ">" && $0 != " " }
      if tag == "dependencies" || tag == "plugins" || tag == "exclusions" {
        lists += 1
        open.append(tag)
      } else if tag.first == "/", open.last == tag.dropFirst() {
        _ = open.popLast()
      } else if tag == "dependency" || tag == "plugin" {
        parts = [:]
      } else if tag == "/dependency" || tag == "/plugin" {
        if open.last != "exclusions", let name = parts["artifactId"] {
          let rest = ["groupId", "type", "classifier"].map { parts[$0] ?? "" }
            .joined(separator: ":")
          names.append(("\(open.joined(separator: "/")) \(lists) \(rest):\(name)", number))
        }
        parts = [:]
      } else if text.has("</"), open.last != "exclusions" {
        parts[tag] = text.drop { $0 != ">" }.dropFirst().prefix { $0 != "<" }
      }
    }
    return names
  }

  private static func scripts(_ lines: [Substring]) -> [(name: String, line: Int)] {
    lines.enumerated().compactMap { number, line in
      let text = line.drop { $0 == " " || $0 == "\t" }
      let word = text.prefix(while: \.isLetter)
      guard !word.isEmpty, let quote = text.firstIndex(where: { $0 == "'" || $0 == "\"" }),
        text[word.endIndex..<quote].allSatisfy({ " (".contains($0) })
      else { return nil }
      let parts = text[quote...].dropFirst().prefix { $0 != text[quote] }.split(separator: ":")
      guard parts.count == 3, parts.allSatisfy({ !$0.contains(" ") }) else { return nil }
      return ("\(word) \(parts[0]):\(parts[1])", number)
    }
  }

  private static func texts(_ lines: [Substring]) -> [(name: String, line: Int)] {
    var (names, list): ([(name: String, line: Int)], Int) = ([], 0)
    for (number, line) in lines.enumerated() {
      let text = line.drop { $0 == " " || $0 == "\t" }
      if text.contains("=") && text.last == "[" || text.first == "[" { list = number + 1 }
      guard text.first == "\"" || text.first == "'" else { continue }
      let content = text.dropFirst().prefix { $0 != text.first }
      let name = content.prefix(while: \.isNamePart)
      // What starts with a hyphen is an option, which may be given many times.
      guard let first = name.first, first != "-",
        let next = content[name.endIndex...].drop(while: { $0 == " " }).first,
        "<>=~!".contains(next)
      else { continue }
      names.append(("list \(list): \(name.lowercased())", number))
    }
    return names
  }

  /// The lists of packages that have no package in common.
  private static let lists = [
    "dependencies", "devDependencies", "optionalDependencies", "require", "require-dev",
    "dev_dependencies",
  ]

  /// Reads keys in sections.
  private static func sections(_ lines: [Substring]) -> [(name: String, line: Int)] {
    var (names, isOpen): ([(name: String, line: Int)], Bool) = ([], false)
    for (number, line) in lines.enumerated() where !line.isEmpty && line.first != "#" {
      if line.first != " " {
        isOpen = lists.contains { line.hasPrefix("\($0):") }
      } else if isOpen, line.hasPrefix("  "), let name = line.dropFirst(2).entry?.key,
        line.dropFirst(2).first != " "
      {
        names.append(("package " + name, number))
      }
    }
    return names
  }

  private static func objects(_ lines: [Substring]) -> [(name: String, line: Int)] {
    var (names, open): ([(name: String, line: Int)], Bool) = ([], false)
    for (number, line) in lines.enumerated() {
      let text = line.drop { $0 == " " || $0 == "\t" }
      if lists.contains(where: { text.hasPrefix("\"\($0)\":") }) {
        open = text.last == "{"
      } else if text.first == "}" {
        open = false
      } else if open, let (name, _) = text.entry {
        names.append(("package " + name, number))
      }
    }
    return names
  }
}
