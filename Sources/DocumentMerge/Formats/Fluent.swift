/// Fluent messages and terms, which others include.
extension DocumentFormat {
  static let fluent = DocumentFormat(
    "fluent", ["*.ftl"],
    checks: [
      NamesOnce(SettingEntries(), areLines: true), LostNames(MessageNames()),
      RenumberedKeys(.lines),
    ])
}

/// Fluent messages and terms, which others include.
private struct MessageNames: NameReader {
  mutating func read(_ line: Substring, into names: inout ReferenceNames) {
    if line.first == "-" || line.first?.isLetter ?? false,
      let equals = line.firstIndex(of: "=")
    {
      names.define(line[..<equals].trimmingSuffix { $0 == " " })
    }
    var rest = line
    while let start = rest.firstIndex(of: "{") {
      rest = rest[start...].dropFirst().drop { $0 == " " }
      names.refer(to: rest.prefix { $0.isNamePart || $0 == "-" })
    }
  }
}
