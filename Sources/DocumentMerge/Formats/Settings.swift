/// Settings whose lines are keys with values: by section and key.
extension Catalogue {
  /// Formats of keys with values; the first one is for all of them.
  static let settings: [DocumentFormat] = [
    DocumentFormat(
      "ini",
      [
        "*.ini", "*.npmrc", "*.pylintrc", "*.flake8", "*.coveragerc", "*.hgrc", "*.repo",
        "setup.cfg", "tox.ini", "mypy.ini", "pip.conf",
      ],
      kind: .settings, engine: DocumentFormat.structure(SettingsFormat()),
      checks: uses + [MixedPairs(.keys)]),
    // Keys as Java writes them.
    DocumentFormat(
      "properties", ["*.properties"], kind: .settings,
      engine: DocumentFormat.structure(SettingsFormat(dialect: .properties)),
      checks: uses + [MixedPairs(.keys)]),
    // Variables of an environment.
    DocumentFormat(
      "env", ["*.env", ".env.*"], kind: .settings, checks: uses),
    // Scripts that set variables of an environment, by lines.
    DocumentFormat("envrc", [".env*"], checks: keys),
    // Entries of desktops, and their actions.
    DocumentFormat(
      "desktop", ["*.desktop", "*.directory"], kind: .settings,
      checks: [
        LostNames(SettingVariables(), ActionNames(), SettingNames()), RenumberedKeys(.lines),
      ]),
    // Settings of editors: sections are patterns that may overlap, and the last one counts.
    DocumentFormat(
      "editorconfig", ["*.editorconfig"], kind: .settings,
      engine: DocumentFormat.structure(SettingsFormat(dialect: .patterns))),
    // The configuration of git, where a key may be there several times.
    DocumentFormat(
      "gitconfig", ["*.gitconfig", "*.gitmodules"], kind: .settings,
      engine: DocumentFormat.structure(SettingsFormat(dialect: .lists))),
    // Units of systemd and the like: sections may be in parts, and keys several times.
    DocumentFormat(
      "unit",
      [
        "*.service", "*.socket", "*.timer", "*.target", "*.mount", "*.automount", "*.path",
        "*.slice", "*.scope", "*.swap", "*.network", "*.netdev", "*.link", "*.nspawn",
        "*.container", "*.pod", "*.volume",
      ],
      kind: .settings, engine: DocumentFormat.structure(SettingsFormat(dialect: .lists))),
    // Settings of other programs, by lines.
    DocumentFormat(
      "cfg", ["*.cfg"], checks: keys + [MixedPairs(.keys)]),
    // The same, in which numbers and references are not known to mean anything.
    DocumentFormat(
      "keys", ["*.cnf", "*.inf", "*.url", "*.prefs", "*.theme", "*.reg", "procfile"],
      checks: [once]),
    // Settings of Xcode's builds, and texts of games.
    DocumentFormat(
      "xcconfig", ["*.xcconfig", "*.lang"], checks: [once, RenumberedKeys(.lines)]),
  ]
}

/// What may be wrong in keys with values.
private let keys: [any MergeCheck] = [once] + uses

/// What may be wrong in lines that no tree is made of.
private let once: any MergeCheck = NamesOnce(SettingEntries(), areLines: true)

private let uses: [any MergeCheck] = [
  LostNames(SettingVariables(), SettingNames()), RenumberedKeys(.lines),
]

/// Keys that values take in.
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
        // A key may be that of a section.
        for name in rest.prefix(while: { $0 != last }).split(separator: ":") {
          names.refer(to: name)
        }
      }
    }
  }
}

/// Variables that values take in without braces.
struct SettingVariables: NameReader {
  mutating func read(_ line: Substring, into names: inout ReferenceNames) {
    if line.first != "#" { names.referToVariables(in: line, inBraces: false) }
  }
}

/// Actions of a desktop entry, each with a section of its own.
private struct ActionNames: NameReader {
  mutating func read(_ line: Substring, into names: inout ReferenceNames) {
    if line.hasPrefix("[Desktop Action ") {
      names.define(line.dropFirst(16).prefix { $0 != "]" })
    } else if line.hasPrefix("Actions=") {
      for name in line.dropFirst(8).split(separator: ";") { names.refer(to: name) }
    }
  }
}
