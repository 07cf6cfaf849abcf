/// JSON, also with comments: objects by key, lists by fields that identify their members.
extension DocumentFormat {
  static let json = DocumentFormat(
    "json",
    [
      "*.json", "*.jsonc", "*.geojson", "*.topojson", "*.webmanifest", "*.har",
      "*.code-workspace", "*.canvas",
    ],
    identifiers: ["public.json", "public.geojson"], kind: .json, engine: structure(JSONFormat()),
    signature: { isJSON($0) },
    checks: [
      NamesOnce(ResourceEntries()),
      LostNames(ClusterNames(), ExpressionNames(), TitleNames(), KeyNames()),
      OutdatedTranslations(keyedTranslations), RenumberedKeys(.lines), MixedPairs(.keys),
    ])

  /// Package lists that programs write.
  static let jsonLock = json.narrowed(
    "json-lock",
    [
      "package-lock.json", "npm-shrinkwrap.json", "composer.lock", "pipfile.lock", "flake.lock",
      "packages.lock.json", "deno.lock", "*.resolved",
    ],
    engine: structure(JSONFormat(hasLockedPackages: true)))

  /// JSON with fewer quotes, as people write it, by lines.
  static let json5 = DocumentFormat(
    "json5", ["*.json5", "*.hjson"], checks: [NamesOnce(ColumnKeys(.paths))])

  /// JSON records, one on each line.
  static let jsonLines = DocumentFormat(
    "json-lines", ["*.jsonl", "*.ndjson"], checks: [NamesOnce(records)])
}

private func isJSON(_ contents: DocumentSample) -> Bool {
  (contents.first == UInt8(ascii: "{") || contents.first == UInt8(ascii: "["))
    && contents.tree(JSONFormat()) != nil
}

/// Records with an identifier, one on each line.
private let records = LineEntries { line in
  guard line.first == "{", let start = line.firstPlace(of: "\"id\":") else { return nil }
  return String(line[start.upperBound...].drop { $0 == " " }.prefix { $0 != "," && $0 != "}" })
}

/// Reads adjacent keys that are languages.
func keyedTranslations(_ text: TextLines, into translations: inout Translations) {
  translations.add(TextsByLanguage(keysOf: text))
}
