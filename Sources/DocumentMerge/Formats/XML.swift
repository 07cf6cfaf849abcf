/// Well-formed XML of any kind: attributes by name, elements by `id` and the like, or by position.
extension DocumentFormat {
  static let xml = DocumentFormat(
    "xml",
    [
      "*.svg", "*.xhtml", "*.storyboard", "*.xib", "*.xcscheme", "*.xcworkspacedata", "*.kml",
      "*.gpx", "*.xsd", "*.xsl", "*.xslt", "*.wsdl", "*.xaml", "*.nuspec", "*.targets",
      "*.vcxproj", "*.filters", "*.opml", "*.ui", "*.qrc", "*.drawio",
    ],
    identifiers: ["public.xml", "public.svg-image"], kind: .xml, engine: structure(XMLFormat()),
    signature: { $0.isXML },
    checks: [LostNames(MarkupPropertyNames(), MarkupNames()), MixedPairs(.keys)])

  /// XML with an unspecific name, including Android strings.
  static let androidStrings = xml.narrowed(
    "android-strings", ["*.xml"],
    adding: [OutdatedTranslations(commentedElements), RenumberedKeys(.attributes)])

  /// .NET strings.
  static let dotNetResources = xml.narrowed(
    "resx", ["*.resx", "*.resw"],
    adding: [OutdatedTranslations(dotNetStrings), RenumberedKeys(.attributes)])

  /// Sites and feeds, in which each page occurs once.
  static let feed = xml.narrowed(
    "feed", ["*.rss", "*.atom", "*sitemap*.xml", "*feed*.xml", "*rss*.xml"],
    adding: [NamesOnce(pages)])
}

/// The pages of a site, and the entries of a feed.
private let pages = LineEntries { line in
  let text = line.drop { $0 == " " || $0 == "\t" }
  guard let start = text.firstPlace(of: "<loc>") ?? text.firstPlace(of: "<guid") else { return nil }
  return text[start.lowerBound...].drop { $0 != ">" }.prefix { $0 != "<" }.lowercased()
}

extension DocumentSample {
  /// True if the document is declared as XML, or can be read as XML.
  var isXML: Bool {
    guard first == UInt8(ascii: "<"), !head.hasPrefix("<!doctype html"), !head.hasPrefix("<html")
    else { return false }
    return head.hasPrefix("<?xml") || tree(XMLFormat()) != nil
  }
}

private func commentedElements(_ text: TextLines, into translations: inout Translations) {
  let elements: Set<Substring> = ["string", "plurals", "string-array"]
  MarkupPieces(String(decoding: text.bytes, as: UTF8.self)).forEach(elements) { _, piece in
    guard let name = piece.attribute("name") else { return }
    translations.add(piece.content, of: piece.commentAbove, name: name)
  }
}

private func dotNetStrings(_ text: TextLines, into translations: inout Translations) {
  MarkupPieces(String(decoding: text.bytes, as: UTF8.self)).forEach(["data"]) { _, piece in
    var (value, comment): (Substring, Substring) = ("", "")
    MarkupPieces(piece.content).forEach(["value", "comment"]) { name, piece in
      if name == "value" { value = piece.content } else { comment = piece.content }
    }
    if let name = piece.attribute("name") { translations.add(value, of: comment, name: name) }
  }
}
