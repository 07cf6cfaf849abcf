/// QML user interfaces: elements with an `id`, which expressions refer to.
extension DocumentFormat {
  static let qml = DocumentFormat("qml", ["*.qml"], checks: [LostNames(ElementNames())])
}

/// The elements of user interfaces that have an `id`, which expressions refer to.
private struct ElementNames: NameReader {
  mutating func read(_ line: Substring, into names: inout ReferenceNames) {
    let text = line.drop { $0 == " " || $0 == "\t" }
    if text.hasPrefix("id:") {
      names.define(text.dropFirst(3).drop { $0 == " " }.prefix(while: \.isNamePart))
    } else {
      for word in text.split(whereSeparator: { !$0.isNamePart }) where word.has(".") {
        names.refer(to: word.prefix { $0 != "." })
      }
    }
  }
}
