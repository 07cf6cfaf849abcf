/// Elements of markup that are read piece by piece, whether the markup is valid or not.
struct MarkupPieces {
  /// An element with its content.
  struct Piece {
    /// The element with its tags.
    let whole: Substring
    /// The start tag without its name and brackets.
    let attributes: Substring
    let content: Substring
    /// The text between the previous element and this one.
    let before: Substring

    /// Returns the value of an attribute.
    func attribute(_ name: String) -> Substring? {
      guard let start = attributes.firstPlace(of: " \(name)=") else { return nil }
      let value = attributes[start.upperBound...]
      guard let quote = value.first, quote == "\"" || quote == "'" else { return nil }
      return value.dropFirst().prefix { $0 != quote }
    }

    /// The comment directly above the element.
    var commentAbove: Substring {
      let text = before.trimmingSuffix(while: \.isWhitespace)
      guard text.hasSuffix("-->"), before[text.endIndex...].count(where: \.isNewline) <= 1 else {
        return ""
      }
      var rest = text
      while let start = rest.firstPlace(of: "<!--") {
        let comment = rest[start.upperBound...]
        guard comment.firstPlace(of: "<!--") != nil else { return comment.dropLast(3) }
        rest = comment
      }
      return ""
    }
  }

  private let text: Substring

  init(_ text: some StringProtocol) { self.text = Substring(text) }

  /// Visits the outermost elements with the given names.
  func forEach(_ names: Set<Substring>, _ body: (_ name: Substring, _ piece: Piece) -> Void) {
    var rest = text
    var end = text.startIndex
    // The end of an element without one is looked for only once.
    var names = names
    while let start = rest.firstIndex(of: "<") {
      let tag = rest[start...].dropFirst()
      if tag.hasPrefix("!--") {
        guard let close = tag.firstPlace(of: "-->") else { break }
        rest = tag[close.upperBound...]
        continue
      }
      let name = tag.prefix { $0.isLetter || $0 == "-" }
      rest = tag[name.endIndex...]
      guard names.contains(name), let close = rest.firstIndex(of: ">") else { continue }
      let attributes = rest[..<close]
      guard attributes.last != "/" else { continue }
      let content = rest[close...].dropFirst()
      guard let last = content.firstPlace(of: "</\(name)>") else {
        names.remove(name)
        continue
      }
      let piece = Piece(
        whole: text[start..<last.upperBound], attributes: attributes,
        content: content[..<last.lowerBound], before: text[end..<start])
      rest = rest[last.upperBound...]
      end = rest.startIndex
      body(name, piece)
    }
  }
}
