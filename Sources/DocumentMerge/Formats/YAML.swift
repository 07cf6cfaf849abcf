/// YAML, by its blocks.
extension DocumentFormat {
  static let yaml = DocumentFormat(
    "yaml",
    [
      "*.yml", "*.yaml", "*.cff", "*.sublime-syntax", "*.clang-format", "*.clang-tidy", "*.clangd",
      "*.eyaml", ".yamllint", ".gemrc",
    ],
    identifiers: ["public.yaml"], kind: .yaml, engine: structure(YAMLFormat()),
    signature: { isYAML($0) },
    checks: [
      NamesOnce(ColumnKeys(.variables), ResourceEntries()),
      LostNames(ClusterNames(), ExpressionNames(), TitleNames(), KeyNames()),
      OutdatedTranslations(keyedTranslations), RenumberedKeys(.lines), MixedPairs(.keys),
    ])

  /// Package lists that programs write.
  static let yamlLock = yaml.narrowed(
    "yaml-lock", ["pubspec.lock", "podfile.lock", "pnpm-lock.yaml", "glide.lock"],
    engine: structure(YAMLFormat(hasLockedPackages: true)))

  /// The required packages of a Dart project.
  static let pub = DocumentFormat(
    "pub", ["pubspec.yaml"], kind: .yaml,
    checks: [NamesOnce(PubEntries())] + yaml.checks.dropFirst())
}

/// Returns whether a document is certainly a mapping; words before colons aren't enough, because lines of a
/// letter have them, too.
private func isYAML(_ contents: DocumentSample) -> Bool {
  guard !"<{[".utf8.contains(contents.first ?? UInt8(ascii: "[")),
    contents.text.contains(UInt8(ascii: ":")), let tree = contents.tree(YAMLFormat())
  else { return false }
  let mappings = (0..<tree.count).filter { tree[$0].kind == .blockMapping }
  guard let first = mappings.first, first <= 1 else { return false }
  let format = YAMLFormat()
  let areOnce = mappings.allSatisfy { mapping in
    let names = tree.members(of: mapping).map { tree.name(of: $0, format) }
    return Set(names).count == names.count
      && names.allSatisfy { !$0.contains(UInt8(ascii: " ")) }
  }
  return areOnce && (mappings.count > 1 || contents.text.starts(with: "---".utf8))
}

/// The keys of package lists.
private struct PubEntries: EntryReader {
  func read(_ lines: [Substring], into names: inout EntryNames) {
    var isOpen = false
    for (number, line) in lines.enumerated() where !line.isEmpty && line.first != "#" {
      if line.first != " " {
        isOpen = PackageLists.names.contains { line.hasPrefix("\($0):") }
      } else if isOpen, line.hasPrefix("  "), let name = line.dropFirst(2).entry?.key,
        line.dropFirst(2).first != " "
      {
        names.add([("package " + name, number)])
      }
    }
  }
}
