/// Property lists in the text form of OpenStep: localized strings, and the projects of Apple's tools.
///
/// Dictionaries are `{ key = value; }`, arrays `( a, b )`, data `<0a 1b>`; a strings file is a dictionary
/// without its braces.
struct OpenStepFormat: StructuredFormat {
  var hasPlainValues: Bool { true }

  var name: String { "openstep" }

  func separator(in kind: StructureTree.Kind) -> [UInt8] {
    [UInt8(ascii: kind == .mapping ? ";" : ",")]
  }

  func endsWithSeparator(in kind: StructureTree.Kind) -> Bool { kind == .mapping }

  var identities: [MemberIdentity] {
    [MemberIdentity("isa", "name"), MemberIdentity("name"), MemberIdentity("id")]
  }

  /// The identifiers of a project's objects.
  func isIdentifier(_ text: [UInt8]) -> Bool {
    (text.count == 24 || text.count == 32)
      && text.allSatisfy("0123456789ABCDEFabcdef".utf8.contains)
  }

  /// Returns the objects of a project, which refer to each other.
  func targets(in tree: StructureTree) -> Set<Int> {
    var targets: Set<Int> = []
    for node in 0..<tree.count where tree[node].kind == .mapping && !tree[node].key.isEmpty {
      let name = tree.name(of: node, self)
      if isIdentifier(name) { targets.insert(tree.hash(of: name[...])) }
    }
    return targets
  }

  func reference(of leaf: Int, in tree: StructureTree) -> Int? { tree[leaf].valueHash }

  func parse(_ text: [UInt8]) throws -> StructureTree { try OpenStepParser(text).parse() }

  /// A comment that begins or ends a section isn't a place.
  func isPlace(_ name: [UInt8]) -> Bool { !name.starts(with: "/*".utf8) }

  func name(ofKey key: ArraySlice<UInt8>) -> [UInt8] {
    guard isPlace(Array(key)) else { return Array(key) }
    return OpenStepParser.text(ofLiteral: key) ?? Array(key)
  }

  func text(ofLeaf leaf: ArraySlice<UInt8>) -> [UInt8]? {
    // Data isn't text.
    guard leaf.first != UInt8(ascii: "<"), !OpenStepParser.hasOtherEscapes(leaf) else { return nil }
    return OpenStepParser.text(ofLiteral: leaf)
  }

  func leaf(holding text: [UInt8], like model: ArraySlice<UInt8>) -> [UInt8]? {
    var written = [UInt8(ascii: "\"")]
    for byte in text {
      switch byte {
      case UInt8(ascii: "\""), UInt8(ascii: "\\"): written += [UInt8(ascii: "\\"), byte]
      case .lineFeed: written += Array("\\n".utf8)
      default: written.append(byte)
      }
    }
    return written + [UInt8(ascii: "\"")]
  }

  /// Line breaks inside quotes are content.
  func indented(_ bytes: ArraySlice<UInt8>, _ shift: IndentShift) -> [UInt8] {
    shift.applied(to: bytes, outside: "\"") {
      OpenStepParser.end(ofQuotedAt: $0, in: bytes) ?? bytes.endIndex
    }
  }
}
