/// Required packages, each with its versions on a line.
extension Catalogue {
  /// The formats of patterns and packages, each on a line; the first format is used for all sets.
  static let lineSets: [DocumentFormat] = [
    // Ignore patterns for files.
    DocumentFormat(
      "ignore",
      [
        ".gitignore", ".dockerignore", ".npmignore", ".eslintignore", ".prettierignore",
        ".docversionsignore", ".stylelintignore", ".helmignore", ".gcloudignore",
      ], kind: .set, engine: DocumentFormat.structure(LineSetFormat())),
    // Required Python packages, merged as a set.
    DocumentFormat(
      "requirements", ["requirements*.txt", "constraints*.txt"], kind: .set,
      engine: DocumentFormat.structure(LineSetFormat(form: .requirements)), checks: packageChecks),
    // The same in files with other names, which may also be text.
    DocumentFormat(
      "other-requirements", ["*requirements*.txt", "*constraints*.txt"], kind: .plain,
      checks: packageChecks),
    // Gems, pods, casks and modules, by lines.
    DocumentFormat(
      "package-lists", ["gemfile", "podfile", "cartfile", "brewfile", "go.mod"],
      checks: packageChecks),
    // Gems with their dependencies, as Bundler writes them.
    DocumentFormat(
      "gem-lock", ["gemfile.lock", "gems.locked"], kind: .set,
      engine: DocumentFormat.structure(LineSetFormat(form: .gems))),
    // Modules with their checksums, as Go writes them.
    DocumentFormat(
      "go-sum", ["go.sum"], kind: .set, engine: DocumentFormat.structure(LineSetFormat(form: .sums))
    ),
  ]
}

private let packageChecks: [any MergeCheck] = [
  NamesOnce(PackageEntries(), areLines: true, areNeeds: true)
]

/// The names of packages at the starts of lines, or after a word.
private struct PackageEntries: EntryReader {
  func read(_ lines: [Substring], into names: inout EntryNames) {
    for (number, line) in lines.enumerated() {
      let words = line.split { $0 == " " || $0 == "\t" || $0 == "," }
      guard let first = words.first, first.first != "#", first.first != "-" else { continue }
      if ["gem", "pod", "brew", "cask", "github", "git", "binary", "require"].contains(first),
        words.count > 1
      {
        if words[1] != "(" { names.add(words[1].filter { $0 != "'" && $0 != "\"" }, number) }
      } else if first.contains("=") || first.contains("<") || first.contains(">")
        || first.contains("~") || words.count == 2 && words[1].first == "v"
      {
        let name = first.prefix { !"=<>~![;".contains($0) }
        names.add(String(name.lowercased().map { $0 == "_" ? "-" : $0 }), number)
      }
    }
  }
}
