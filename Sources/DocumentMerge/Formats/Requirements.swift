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
    // Swift packages, by lines.
    DocumentFormat(
      "swift-package", ["package.swift", "package@*.swift"],
      checks: [NamesOnce(SwiftPackageEntries())]),
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

/// The packages, products and targets of a Swift package.
private struct SwiftPackageEntries: EntryReader {
  func read(_ lines: [Substring], into names: inout EntryNames) {
    var kind: Substring = ""
    for (number, line) in lines.enumerated() {
      let text = line.drop { $0 == " " || $0 == "\t" }
      if text.first == "." { kind = text.prefix { $0 != "(" } }
      guard let mark = ["url: \"", "name: \""].first(where: { text.has($0) }),
        let name = text.pieces(behind: mark).first?.prefix(while: { $0 != "\"" }),
        text.first == "." || text.hasPrefix(mark)
      else { continue }
      let isTarget = kind.hasSuffix("arget")
      guard isTarget || [".package", ".library", ".executable"].contains(kind) else { continue }
      names.add([("\(isTarget ? "target" : kind.dropFirst()) \(name)", number)])
      kind = ""
    }
  }
}

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
