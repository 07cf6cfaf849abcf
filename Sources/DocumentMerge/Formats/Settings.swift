/// Settings with a key and a value on each line, by section and key.
extension Catalogue {
  /// The formats of keys with values; the first format is used for all of them.
  static let settings: [DocumentFormat] = [
    DocumentFormat(
      "ini",
      [
        "*.ini", "*.npmrc", "*.pylintrc", "*.flake8", "*.coveragerc", "*.hgrc", "*.repo",
        "setup.cfg", "tox.ini", "mypy.ini", "pip.conf",
      ],
      kind: .settings, engine: DocumentFormat.structure(SettingsFormat()),
      checks: uses + [MixedPairs(.keys)]),
    // Java properties.
    DocumentFormat(
      "properties", ["*.properties"], kind: .settings,
      engine: DocumentFormat.structure(SettingsFormat(dialect: .properties)),
      checks: uses + [MixedPairs(.keys)]),
    // Environment variables.
    DocumentFormat(
      "env", ["*.env", ".env.*"], kind: .settings, checks: uses),
    // Scripts that set environment variables, by lines.
    DocumentFormat("envrc", [".env*"], checks: keys),
    // Desktop entries, and their actions.
    DocumentFormat(
      "desktop", ["*.desktop", "*.directory"], kind: .settings,
      checks: [
        LostNames(SettingVariables(), ActionNames(), SettingNames()), RenumberedKeys(.lines),
      ]),
    // Editor settings: sections are patterns that may overlap, and the last one applies.
    DocumentFormat(
      "editorconfig", ["*.editorconfig"], kind: .settings,
      engine: DocumentFormat.structure(SettingsFormat(dialect: .patterns))),
    // Git configuration, in which a key may occur several times.
    DocumentFormat(
      "gitconfig", ["*.gitconfig", "*.gitmodules"], kind: .settings,
      engine: DocumentFormat.structure(SettingsFormat(dialect: .lists))),
    // Units of systemd and similar files: sections may have several parts, and keys may occur several times.
    DocumentFormat(
      "unit",
      [
        "*.service", "*.socket", "*.timer", "*.target", "*.mount", "*.automount", "*.path",
        "*.slice", "*.scope", "*.swap", "*.network", "*.netdev", "*.link", "*.nspawn",
        "*.container", "*.pod", "*.volume",
      ],
      kind: .settings, engine: DocumentFormat.structure(SettingsFormat(dialect: .lists)),
      checks: [
        LostNames(UnitVariables()),
        NamesOnce(LineEntries { UnitVariables.set(by: $0).first.map { "variable " + $0 } }),
      ]),
    // Settings of other programs, by lines.
    DocumentFormat(
      "cfg", ["*.cfg"], checks: keys + [MixedPairs(.keys)]),
    // The same, if the meaning of numbers and references isn't known.
    DocumentFormat(
      "keys", ["*.cnf", "*.inf", "*.url", "*.prefs", "*.theme", "*.reg", "procfile"],
      checks: [once]),
    // Settings of Xcode builds, and game texts.
    DocumentFormat(
      "xcconfig", ["*.xcconfig", "*.lang"], checks: [once, RenumberedKeys(.lines)]),
  ]
}

/// The checks of keys with values.
private let keys: [any MergeCheck] = [once] + uses

/// The check of lines that aren't read as a tree.
private let once: any MergeCheck = NamesOnce(SettingEntries(), areLines: true)

private let uses: [any MergeCheck] = [
  LostNames(SettingVariables(), SettingNames()), RenumberedKeys(.lines),
]

/// The keys that values include.
struct SettingNames: NameReader {
  mutating func read(_ line: Substring, into names: inout ReferenceNames) {
    let text = line.drop { $0 == " " || $0 == "\t" }
    guard let first = text.first, !"#;!".contains(first) else { return }
    if first == "[" {
      names.define(text.dropFirst().prefix { $0 != "]" })
    } else if let end = text.firstIndex(where: { $0 == "=" || $0 == ":" }) {
      names.define(text[..<end].trimmingSuffix { $0 == " " || $0 == "\t" })
    }
    for (mark, last) in [("${", "}"), ("%(", ")")] as [(String, Character)] {
      for rest in text.pieces(behind: mark) {
        // A key may be in a section.
        for name in rest.prefix(while: { $0 != last }).split(separator: ":") {
          names.refer(to: name)
        }
      }
    }
  }
}

/// The variables that values include without braces.
struct SettingVariables: NameReader {
  mutating func read(_ line: Substring, into names: inout ReferenceNames) {
    if line.first != "#" { names.referToVariables(in: line, inBraces: false) }
  }
}

/// The variables that units set, and those that their commands include.
private struct UnitVariables: NameReader {
  mutating func read(_ line: Substring, into names: inout ReferenceNames) {
    for name in Self.set(by: line) { names.define(name) }
    if line.first != "#" { names.referToVariables(in: line) }
  }

  /// Returns the variables that a line sets.
  static func set(by line: Substring) -> [Substring] {
    guard line.hasPrefix("Environment=") else { return [] }
    return line.dropFirst(12).split { " \"'".contains($0) }.filter { $0.contains("=") }
      .map { $0.prefix { $0 != "=" } }
  }
}

/// The actions of a desktop entry, each with its own section.
private struct ActionNames: NameReader {
  mutating func read(_ line: Substring, into names: inout ReferenceNames) {
    if line.hasPrefix("[Desktop Action ") {
      names.define(line.dropFirst(16).prefix { $0 != "]" })
    } else if line.hasPrefix("Actions=") {
      for name in line.dropFirst(8).split(separator: ";") { names.refer(to: name) }
    }
  }
}
