/// TOML: tables by key, even if they are in several parts.
extension DocumentFormat {
  static let toml = DocumentFormat(
    "toml", ["*.toml"], identifiers: ["public.toml"], kind: .toml,
    engine: structure(TOMLFormat()),
    signature: { isTOML($0) },
    checks: [
      NamesOnce(RequirementEntries(), areNeeds: true),
      LostNames(FeatureNames(), TableNames()), RenumberedKeys(.lines), MixedPairs(.keys),
    ])

  /// Package lists that programs write.
  static let tomlLock = DocumentFormat(
    "toml-lock", ["cargo.lock", "poetry.lock", "uv.lock", "pdm.lock", "pipfile"], kind: .toml,
    engine: structure(TOMLFormat(hasLockedPackages: true)),
    checks: [LostNames(FeatureNames(), TableNames()), MixedPairs(.keys)])
}

/// Returns whether a document has a table, or more than one key.
private func isTOML(_ contents: DocumentSample) -> Bool {
  contents.first != UInt8(ascii: "<") && contents.first != UInt8(ascii: "{")
    && contents.text.contains(UInt8(ascii: "="))
    && contents.tree(TOMLFormat()).map { $0.count > 3 } ?? false
}

/// Keys and tables, which strings refer to.
private struct TableNames: NameReader {
  mutating func read(_ line: Substring, into names: inout ReferenceNames) {
    let text = line.drop { $0 == " " || $0 == "\t" }
    guard let first = text.first, first != "#" else { return }
    var rest = text
    if first == "[", let end = text.firstIndex(of: "]") {
      names.define(text[..<end].split { "[.\"' ".contains($0) }.last ?? "")
      return
    } else if let equals = text.firstIndex(of: "="), !text[..<equals].contains("[") {
      let key = text[..<equals].filter { !"\"' ".contains($0) }
      names.define(key)
      rest = text[equals...]
      // A package or a field of the workspace.
      if text.has("workspace = true") { names.refer(to: key.prefix { $0 != "." }) }
    }
    while let quote = rest.firstIndex(where: { $0 == "\"" || $0 == "'" }) {
      let content = rest[quote...].dropFirst().prefix { $0 != rest[quote] }
      if content.allSatisfy(\.isNamePart), content.contains(where: { !$0.isNumber }) {
        names.refer(to: content)
      }
      rest = rest[content.endIndex...].dropFirst()
    }
  }
}

/// The features and packages that features include, such as `dep:name` and `name/feature`.
private struct FeatureNames: NameReader {
  mutating func read(_ line: Substring, into names: inout ReferenceNames) {
    guard line.has("/") || line.has("dep:") else { return }
    for text in line.split(separator: "\"").dropFirst() where !text.has("//") {
      let name = text.hasPrefix("dep:") ? text.dropFirst(4) : text.prefix { $0 != "/" && $0 != "?" }
      if name.count < text.count, !name.isEmpty, name.allSatisfy(\.isNamePart) {
        names.refer(to: name)
      }
    }
  }
}

/// The packages in lists of texts such as `"name>=1"`.
private struct RequirementEntries: EntryReader {
  func read(_ lines: [Substring], into names: inout EntryNames) {
    var list = 0
    for (number, line) in lines.enumerated() {
      let text = line.drop { $0 == " " || $0 == "\t" }
      if text.contains("=") && text.last == "[" || text.first == "[" { list = number + 1 }
      guard text.first == "\"" || text.first == "'" else { continue }
      let content = text.dropFirst().prefix { $0 != text.first }
      let name = content.prefix(while: \.isNamePart)
      // A text with a hyphen at the start is an option, which may occur several times.
      guard let first = name.first, first != "-",
        let next = content[name.endIndex...].drop(while: { $0 == " " }).first,
        "<>=~!".contains(next)
      else { continue }
      names.add([("list \(list): \(name.lowercased())", number)])
    }
  }
}
