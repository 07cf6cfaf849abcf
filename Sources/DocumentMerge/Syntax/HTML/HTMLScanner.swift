/// Finds the elements of HTML, including those with omitted end tags and unquoted values.
///
/// Only certain nesting is read; documents that a browser would have to repair, and those of template
/// languages, are refused.
struct HTMLScanner: ByteReader {
  static let fault = "The nesting of this HTML is not certain"

  /// An element with its properties in HTML.
  struct Element {
    var place: XMLElement
    let name: String
    /// True if the element ends with an end tag.
    var hasEndTag = false
    /// True if the element contains independent elements.
    var hasBlocks = false
    /// True if the element is part of a drawing or a formula, which are XML.
    let isForeign: Bool
  }

  let bytes: [UInt8]
  /// All elements, each before its contents.
  private(set) var elements: [Element] = []
  private var open: [Int] = []
  var position = 0
  /// The end of the last markup, or of the last text other than space.
  private var lastEnd = 0

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  /// Reads the document.
  mutating func scan() throws(MergeError) {
    while position < bytes.count {
      let start = position
      guard bytes[position] == UInt8(ascii: "<") else {
        try text()
        continue
      }
      if take("<!--") {
        try skip(past: "-->")
      } else if take("</") {
        try endTag(at: start)
      } else if take("<!") || take("<?") {
        try declaration(from: start)
      } else if position + 1 < bytes.count, bytes[position + 1].isLetter {
        position += 1
        try startTag(at: start)
      } else {
        try text()
      }
      lastEnd = max(lastEnd, position)
    }
    while let last = open.last {
      guard HTMLNames.optional.contains(elements[last].name) else {
        throw invalid("</\(elements[last].name)>")
      }
      close(last, contentEnd: nil)
    }
  }

  // MARK: Text and tags

  private mutating func text() throws(MergeError) {
    let start = position
    position += 1
    while position < bytes.count, bytes[position] != UInt8(ascii: "<") { position += 1 }
    guard let last = bytes[start..<position].lastIndex(where: { !$0.isSpace }) else { return }
    lastEnd = last + 1
    if let element = open.last { elements[element].place.hasText = true }
  }

  /// Reads a document type, or an instruction, which HTML doesn't have.
  private mutating func declaration(from start: Int) throws(MergeError) {
    let isType = bytes[position...].prefix(7).map { $0 | 0x20 }.elementsEqual("doctype".utf8)
    let isInstruction = bytes[start + 1] == UInt8(ascii: "?")
    guard isType || isInstruction else { throw invalid("a document type") }
    try skip(past: ">")
    guard isType || bytes[position - 2] == UInt8(ascii: "?") else { throw invalid("“?>”") }
  }

  private mutating func startTag(at start: Int) throws(MergeError) {
    let range = name()
    let name = String(decoding: HTMLNames.lowercased(bytes[range]), as: UTF8.self)
    guard name.utf8.allSatisfy({ $0 < 0x80 }), name != "plaintext" else {
      throw invalid("an element")
    }
    try closeEnded(by: name)
    // Browsers ignore a second one.
    if ["html", "head", "body"].contains(name), open.contains(where: { elements[$0].name == name })
    {
      throw invalid("no second <\(name)>")
    }
    guard open.count < XMLScanner.depthLimit else {
      throw MergeError(
        .tooDeep, "The document has more than \(XMLScanner.depthLimit) elements in one another.")
    }
    let isForeign =
      open.last.map { elements[$0].isForeign } ?? false || name == "svg" || name == "math"
    var element = Element(
      place: XMLElement(start: start, name: range), name: name, isForeign: isForeign)
    element.place.keepsSpace =
      name == "pre" || (open.last.map { elements[$0].place.keepsSpace } ?? false)
    try attributes(of: &element.place)
    element.place.tagEnd = position
    let isClosed = take("/>")
    if !isClosed, !take(">") { throw invalid("“>”") }
    let isVoid = HTMLNames.void.contains(name) && !isForeign
    guard !isClosed || isVoid || isForeign else { throw invalid("an end tag of its own") }
    if let parent = open.last {
      elements[parent].place.hasElements = true
      if !HTMLNames.inline.contains(name), !isForeign { elements[parent].hasBlocks = true }
    }
    open.append(elements.count)
    elements.append(element)
    if isVoid || isClosed {
      close(elements.count - 1, contentEnd: position, end: position)
    } else if HTMLNames.raw.contains(name), !isForeign {
      elements[elements.count - 1].place.keepsSpace = true
      try rawText(of: name)
    }
  }

  /// Ends the elements that the start of another one ends.
  private mutating func closeEnded(by name: String) throws(MergeError) {
    let ended = HTMLNames.ended(by: name)
    while let last = open.last, ended.contains(elements[last].name) {
      // An item ends only items of its own list.
      let isOwn = elements[last].name == name && name != "p"
      close(last, contentEnd: nil)
      if isOwn { break }
    }
    // A browser must repair a paragraph that ends in the middle of other elements.
    for index in open.reversed() {
      guard HTMLNames.inline.contains(elements[index].name) || elements[index].name == "p" else {
        break
      }
      if elements[index].name == "p", HTMLNames.blocks.contains(name) {
        throw invalid("the end of a paragraph")
      }
    }
  }

  private mutating func attributes(of element: inout XMLElement) throws(MergeError) {
    var names: Set<[UInt8]> = []
    while true {
      let end = position
      skipWhitespace()
      guard position < bytes.count else { throw invalid("the end of the tag") }
      if isAt(">") || isAt("/>") { return }
      guard position > end else { throw invalid("space or the end of the tag") }
      let name = name()
      guard !name.isEmpty, !bytes[name].contains(where: { "\"'<{}%/".utf8.contains($0) }),
        names.insert(HTMLNames.lowercased(bytes[name])).inserted
      else { throw invalid("an attribute") }
      let afterName = position
      skipWhitespace()
      guard take("=") else {
        position = afterName
        element.attributes.append(.init(name: name, value: afterName..<afterName))
        continue
      }
      skipWhitespace()
      element.attributes.append(.init(name: name, value: try value()))
    }
  }

  private mutating func value() throws(MergeError) -> Range<Int> {
    let start = position
    guard position < bytes.count else { throw invalid("a value") }
    if isAt("\"") || isAt("'") {
      position += 1
      guard let end = bytes[position...].firstIndex(of: bytes[start]) else {
        throw invalid("the end of the value")
      }
      position = end + 1
      return start..<position
    }
    while position < bytes.count, !bytes[position].isSpace, bytes[position] != UInt8(ascii: ">") {
      guard !"\"'<=`{}".utf8.contains(bytes[position]) else { throw invalid("a value in quotes") }
      position += 1
    }
    guard position > start else { throw invalid("a value") }
    return start..<position
  }

  private mutating func endTag(at start: Int) throws(MergeError) {
    let name = String(decoding: HTMLNames.lowercased(bytes[name()]), as: UTF8.self)
    skipWhitespace()
    guard take(">") else { throw invalid("“>”") }
    while let last = open.last, elements[last].name != name {
      guard HTMLNames.optional.contains(elements[last].name) else {
        throw invalid("</\(elements[last].name)>")
      }
      close(last, contentEnd: nil)
    }
    guard let last = open.last else { throw invalid("no end tag") }
    elements[last].hasEndTag = true
    close(last, contentEnd: start, end: position)
  }

  /// Reads the content of an element without markup in it.
  private mutating func rawText(of name: String) throws(MergeError) {
    let end = Array("</\(name)".utf8)
    var place = position
    while place + end.count < bytes.count {
      if bytes[place] == UInt8(ascii: "<"),
        bytes[place..<place + end.count].elementsEqual(end, by: { ($0 | 0x20) == ($1 | 0x20) }),
        [UInt8(ascii: ">"), UInt8(ascii: "/")].contains(bytes[place + end.count])
          || bytes[place + end.count].isSpace
      {
        position = place + 2
        return try endTag(at: place)
      }
      place += 1
    }
    throw invalid("</\(name)>")
  }

  /// Ends the innermost element; without an end tag, it ends after its last content.
  private mutating func close(_ element: Int, contentEnd: Int?, end: Int? = nil) {
    open.removeLast()
    let implied = max(lastEnd, elements[element].place.tagEnd + 1)
    elements[element].place.contentEnd = contentEnd ?? implied
    elements[element].place.end = end ?? implied
    elements[element].place.next = elements.count
    // The content of an inline element belongs to its line.
    if let parent = open.last, elements[element].hasBlocks { elements[parent].hasBlocks = true }
  }

  // MARK: Bytes

  private mutating func name() -> Range<Int> {
    let start = position
    while position < bytes.count, !bytes[position].isSpace, !"=>".utf8.contains(bytes[position]),
      !isAt("/>")
    { position += 1 }
    return start..<position
  }
}
