/// The required packages of npm and Composer projects; each package is in only one list.
extension DocumentFormat {
  static let javaScriptPackage = DocumentFormat(
    "package-json", ["package.json", "composer.json"], kind: .json,
    checks: [NamesOnce(PackageLists())] + json.checks.dropFirst())
}

/// The names of packages in a project's lists.
struct PackageLists: EntryReader {
  /// The lists that have no package in common.
  static let names = [
    "dependencies", "devDependencies", "optionalDependencies", "require", "require-dev",
    "dev_dependencies",
  ]

  func read(_ lines: [Substring], into names: inout EntryNames) {
    var open = false
    for (number, line) in lines.enumerated() {
      let text = line.drop { $0 == " " || $0 == "\t" }
      if Self.names.contains(where: { text.hasPrefix("\"\($0)\":") }) {
        open = text.last == "{"
      } else if text.first == "}" {
        open = false
      } else if open, let (name, _) = text.entry {
        names.add([("package " + name, number)])
      }
    }
  }
}
