/// Makefiles: targets that have a recipe, and variables.
extension DocumentFormat {
  static let makefile = DocumentFormat(
    "makefile", ["makefile", "gnumakefile", "*.mk"],
    checks: [NamesOnce(RuleEntries()), LostNames(RuleNames())])
}

private struct RuleEntries: EntryReader {
  func read(_ lines: [Substring], into names: inout EntryNames) {
    for (number, line) in lines.enumerated().dropLast()
    where lines[number + 1].first == "\t" && line.first != "\t" {
      guard let colon = line.firstIndex(of: ":"), !line[colon...].hasPrefix("::"),
        !line[..<colon].contains(where: { "%$=#".contains($0) })
      else { continue }
      for name in line[..<colon].split(separator: " ") { names.add(name, number) }
    }
  }
}

/// Variables and targets.
private struct RuleNames: NameReader {
  mutating func read(_ line: Substring, into names: inout ReferenceNames) {
    guard line.first != "#" else { return }
    readRule(line, &names)
    names.referToVariables(in: line)
  }

  private func readRule(_ line: Substring, _ names: inout ReferenceNames) {
    guard line.first != "\t", let end = line.firstIndex(where: { $0 == "=" || $0 == ":" }) else {
      return
    }
    let head = line[..<end].split { $0 == " " || $0 == "?" || $0 == "+" }
    for name in head where name != "export" { names.define(name) }
    let rest = line[end...].dropFirst()
    guard line[end] == ":", rest.first != "=", !rest.hasPrefix(":=") else { return }
    for name in rest.split(separator: " ") { names.refer(to: name) }
  }
}
