/// Text for people in LaTeX; commands, formulas, tables and listings are merged by lines.
extension DocumentFormat {
  static let latex = DocumentFormat(
    "latex", ["*.tex", "*.latex", "*.ltx"], kind: .latex, engine: text(.latex),
    checks: [
      NamesOnce(LabelEntries(), OutlineNames(.latex)),
      LostNames(CommandNames(), LabelNames()), UnevenTables(.latex), MisplacedSections(.latex),
    ])

  /// LaTeX packages and classes, by lines.
  static let latexPackage = DocumentFormat(
    "latex-package", ["*.sty", "*.cls"], checks: [NamesOnce(LabelEntries())])
}

/// Labels, cited works and commands.
private struct LabelEntries: EntryReader {
  func read(_ lines: [Substring], into names: inout EntryNames) {
    for (number, line) in lines.enumerated() where line.contains("\\") && line.first != "%" {
      for command in ["label", "newcommand", "newglossaryentry", "newacronym"] {
        for name in line.arguments(of: [command]) { names.add("\\\(command){\(name)}", number) }
      }
      if let start = line.firstPlace(of: "\\bibitem") {
        var rest = line[start.upperBound...]
        if rest.first == "[" { rest = rest.drop { $0 != "]" }.dropFirst() }
        if rest.first == "{" {
          names.add("\\bibitem{\(rest.dropFirst().prefix { $0 != "}" })}", number)
        }
      }
    }
  }
}

/// Labels and cited works.
private struct LabelNames: NameReader {
  mutating func read(_ line: Substring, into names: inout ReferenceNames) {
    for name in line.arguments(of: ["label", "bibitem", "newacronym", "newglossaryentry"]) {
      names.define(name)
    }
    let commands = [
      "ref", "eqref", "pageref", "autoref", "cref", "Cref", "nameref", "vref", "subref", "hyperref",
      "cite", "citep", "citet", "parencite", "textcite", "autocite", "gls", "acrshort",
    ]
    for list in line.arguments(of: commands) {
      for name in list.split(separator: ",") { names.refer(to: name.drop { $0 == " " }) }
    }
  }
}

/// The commands, environments and theorems that a LaTeX document defines.
private struct CommandNames: NameReader {
  private static let definitions = [
    "\\newcommand", "\\providecommand", "\\DeclareMathOperator", "\\newenvironment", "\\newtheorem",
    "\\def", "\\NewDocumentCommand",
  ]

  mutating func read(_ line: Substring, into names: inout ReferenceNames) {
    guard line.has("\\"), line.first != "%" else { return }
    var rest = line
    for command in Self.definitions where line.hasPrefix(command) {
      let argument = line.dropFirst(command.count).drop { "*{ ".contains($0) }
      let name = argument.prefix { $0.isLetter || $0 == "\\" || $0 == "@" }
      guard !name.isEmpty else { continue }
      names.define(name.first == "\\" ? String(name) : "{\(name)}")
      rest = argument[name.endIndex...]
    }
    while let start = rest.firstIndex(of: "\\") {
      let name = rest[start...].dropFirst().prefix { $0.isLetter || $0 == "@" }
      rest = rest[start...].dropFirst()[name.endIndex...]
      if name == "begin" {
        names.refer(to: "{\(rest.dropFirst().prefix { $0 != "}" })}")
      } else if !name.isEmpty {
        names.refer(to: "\\" + name)
      }
    }
  }
}

extension Substring {
  /// Returns the arguments of some commands, such as `\label{name}`.
  fileprivate func arguments(of commands: [String]) -> [Substring] {
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
