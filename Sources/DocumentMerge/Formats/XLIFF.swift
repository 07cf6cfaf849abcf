/// Translation catalogs in XML that include the sources.
extension DocumentFormat {
  static let xliff = xml.narrowed(
    "xliff", ["*.xlf", "*.xliff"], adding: [OutdatedTranslations(sourceElements)])

  /// Qt Linguist catalogs, which have the same suffix as TypeScript files.
  static let qtLinguist = DocumentFormat(
    "qt-linguist", ["*.ts"], checks: [OutdatedTranslations(sourceElements)])

  /// Translation memories.
  static let translationMemory = xml.narrowed(
    "tmx", ["*.tmx"], adding: [OutdatedTranslations(memoryTranslations)])
}

/// Reads the elements of XLIFF and Qt Linguist: `source`, and `target` or `translation`.
private func sourceElements(_ text: TextLines, into translations: inout Translations) {
  let text = String(decoding: text.bytes, as: UTF8.self)
  var source: Substring?
  var mark = ""
  var context: Substring = ""
  MarkupPieces(text).forEach(["name", "source", "target", "translation"]) { name, piece in
    switch name {
    case "name": context = piece.content
    case "source":
      if let source { translations.add("", of: source, name: context + "\u{4}" + source) }
      source = piece.content
      // The tag of the unit around the source.
      let tag = piece.before.lastIndex(of: "<").map { piece.before[$0...] } ?? ""
      mark = [" approved=", " state="].flatMap { tag.pieces(behind: $0) }
        .map { $0.dropFirst().prefix { $0 != "\"" } }.joined()
    default:
      guard let known = source else { return }
      translations.add(
        piece.content, of: known, name: context + "\u{4}" + known,
        mark: mark + piece.attributes)
      source = nil
    }
  }
  if let source { translations.add("", of: source, name: context + "\u{4}" + source) }
}

private func memoryTranslations(_ text: TextLines, into translations: inout Translations) {
  translations.add(TextsByLanguage(memory: text))
}
