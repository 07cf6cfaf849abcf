/// Finds the elements of a document, and refuses documents that aren't well-formed.
///
/// No document type is read and no entity is replaced; a document type with its own declarations is refused.
struct XMLScanner {
  /// The maximum nesting of elements, each of which is two levels of the tree.
  static let depthLimit = StructureTreeBuilder.depthLimit / 2 - 2

  let bytes: [UInt8]
  /// All elements, each before its contents.
  private(set) var elements: [XMLElement] = []
  /// The values of all attributes that are unique identifiers in the whole document.
  private(set) var identifiers: [ArraySlice<UInt8>] = []
  /// The prefixes that are used without a declared namespace.
  private(set) var undeclared: Set<ArraySlice<UInt8>> = []
  private var reader: XMLReader
  private var open: [Int] = []
  private var declared: [(depth: Int, prefix: ArraySlice<UInt8>)] = []

  init(_ bytes: [UInt8]) {
    self.bytes = bytes
    reader = XMLReader(bytes)
  }

  /// Reads the document.
  mutating func scan() throws(MergeError) {
    try reader.skipProlog()
    guard reader.take("<") else { throw reader.invalid("an element") }
    try startTag(at: reader.position - 1)
    while let element = open.last {
      try content(of: element)
    }
    try reader.skipMiscellany()
    guard reader.position == bytes.count else { throw reader.invalid("nothing more") }
  }

  /// Reads the text before the next tag, and the tag.
  private mutating func content(of element: Int) throws(MergeError) {
    let start = reader.position
    try reader.skipText()
    let text = bytes[start..<reader.position]
    if !text.allSatisfy(\.isSpace) { elements[element].hasText = true }
    let place = reader.position
    if reader.take("<!--") {
      try reader.skipComment()
    } else if reader.take("<![CDATA[") {
      try reader.skip(past: "]]>")
      elements[element].hasText = true
    } else if reader.take("<?") {
      try reader.skipInstruction()
    } else if reader.take("</") {
      try endTag(of: element, at: place)
    } else if reader.take("<") {
      elements[element].hasElements = true
      try startTag(at: place)
    } else {
      throw reader.invalid("an end tag")
    }
  }

  private mutating func startTag(at start: Int) throws(MergeError) {
    guard open.count < Self.depthLimit else {
      throw MergeError(
        .tooDeep, "The document has more than \(Self.depthLimit) elements in one another.")
    }
    var element = XMLElement(start: start, name: try reader.name())
    element.keepsSpace =
      open.last.map { elements[$0].keepsSpace } ?? false
      || bytes[element.name].elementsEqual("pre".utf8)
    var names: Set<ArraySlice<UInt8>> = []
    while true {
      let end = reader.position
      reader.skipWhitespace()
      if reader.isAt(">") || reader.isAt("/>") { break }
      guard reader.position > end else { throw reader.invalid("space or the end of the tag") }
      let attribute = try reader.attribute()
      let name = bytes[attribute.name]
      guard names.insert(name).inserted else {
        throw reader.invalid("no attribute twice")
      }
      element.attributes.append(attribute)
      let value = bytes[attribute.value].dropFirst().dropLast()
      if name.elementsEqual("xml:space".utf8) {
        element.keepsSpace = value.elementsEqual("preserve".utf8)
      }
      if name.elementsEqual("id".utf8) || name.elementsEqual("xml:id".utf8) {
        identifiers.append(value)
      }
    }
    checkPrefixes(of: element)
    element.tagEnd = reader.position
    let isEmpty = reader.take("/>")
    if !isEmpty { _ = reader.take(">") }
    open.append(elements.count)
    elements.append(element)
    if isEmpty { close(contentEnd: reader.position) }
  }

  private mutating func endTag(of element: Int, at place: Int) throws(MergeError) {
    let name = try reader.name()
    guard bytes[name] == bytes[elements[element].name] else {
      throw reader.invalid(
        "</\(String(decoding: bytes[elements[element].name], as: UTF8.self))>")
    }
    reader.skipWhitespace()
    guard reader.take(">") else { throw reader.invalid("“>”") }
    if !elements[element].hasElements, !elements[element].hasText {
      // Space alone is layout only if it starts a line; other space may be intended.
      let content = bytes[elements[element].tagEnd + 1..<place]
      elements[element].hasText =
        !content.isEmpty && content.allSatisfy(\.isSpace) && !content.contains(.lineFeed)
    }
    close(contentEnd: place)
  }

  private mutating func close(contentEnd: Int) {
    guard let element = open.popLast() else { return }
    elements[element].contentEnd = contentEnd
    elements[element].end = reader.position
    elements[element].next = elements.count
    while let last = declared.last, last.depth > open.count { declared.removeLast() }
  }

  private mutating func checkPrefixes(of element: XMLElement) {
    let start = Array("xmlns:".utf8)
    for name in element.attributes.map({ bytes[$0.name] }) where name.starts(with: start) {
      declared.append((open.count + 1, name.dropFirst(start.count)))
    }
    for name in [element.name] + element.attributes.map(\.name) {
      guard let colon = bytes[name].firstIndex(of: UInt8(ascii: ":")) else { continue }
      let prefix = bytes[name.lowerBound..<colon]
      let isKnown =
        prefix.elementsEqual("xml".utf8) || prefix.elementsEqual("xmlns".utf8)
        || declared.contains { $0.prefix == prefix }
      if !isKnown { undeclared.insert(prefix) }
    }
  }
}
