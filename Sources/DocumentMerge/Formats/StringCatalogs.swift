/// String catalogs in JSON.
extension DocumentFormat {
  /// Xcode string catalogs: keys with a text for each language.
  static let stringCatalog = DocumentFormat(
    "xcstrings", ["*.xcstrings"], kind: .json,
    checks: json.checks.filter { $0 is LostNames || $0 is MixedPairs }
      + [OutdatedTranslations(catalogTranslations)])

  /// Flutter resources: keys, with the description of each under its key with an `@` before it.
  static let applicationResources = DocumentFormat(
    "arb", ["*.arb"], kind: .json,
    checks: json.checks.filter { $0 is LostNames || $0 is MixedPairs || $0 is RenumberedKeys }
      + [OutdatedTranslations(attributedKeys)])
}

private func catalogTranslations(_ text: TextLines, into translations: inout Translations) {
  guard let texts = JSONTexts(text.bytes) else { return }
  func member(_ name: String, of node: Int) -> Int? {
    texts.members(of: node).first { $0.name == name }?.member
  }
  /// Returns the texts of a translation, which may have several forms.
  func units(of node: Int) -> [Int] {
    let inner = member("value", of: node) == nil ? texts.members(of: node) : []
    return inner.isEmpty ? [node] : inner.flatMap { units(of: $0.member) }
  }
  guard let strings = member("strings", of: StructureTree.root) else { return }
  let language = member("sourceLanguage", of: StructureTree.root).map {
    texts.text(of: $0).filter { $0 != "\"" }
  }
  for (name, string) in texts.members(of: strings) {
    let languages = member("localizations", of: string).map { texts.members(of: $0) } ?? []
    let source = languages.first { $0.name == language }.map { texts.text(of: $0.member) } ?? ""
    let comment = member("comment", of: string).map { texts.text(of: $0) } ?? ""
    for (code, translation) in languages where code != language {
      for unit in units(of: translation) {
        func text(_ name: String) -> String {
          member(name, of: unit).map { texts.text(of: $0) } ?? ""
        }
        translations.add(
          text("value"), of: source + comment, name: "\(name)\u{4}\(code)", mark: text("state"))
      }
    }
  }
}

private func attributedKeys(_ text: TextLines, into translations: inout Translations) {
  guard let texts = JSONTexts(text.bytes) else { return }
  let members = texts.members(of: StructureTree.root)
  let about = Dictionary(members.filter { $0.name.first == "@" }, uniquingKeysWith: { $1 })
  for (name, member) in members where name.first != "@" {
    let source = about["@" + name].map { texts.text(of: $0) } ?? ""
    translations.add(texts.text(of: member), of: source, name: name)
  }
}
