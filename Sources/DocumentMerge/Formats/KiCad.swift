/// KiCad schematics, boards and libraries: S-expressions whose lists are identified by their identifiers.
extension DocumentFormat {
  static let kiCad = DocumentFormat(
    "kicad", ["*.kicad_sch", "*.kicad_pcb", "*.kicad_sym", "*.kicad_mod"],
    engine: structure(ExpressionSyntax()), checks: [NamesOnce(objects), LostNames(objects)])
}

private let objects = ObjectNames(
  definitions: [
    .init(kind: "uuid", mark: "(uuid "), .init(kind: "uuid", mark: "(tstamp "),
    // An unindented list of a board is a definition.
    .init(kind: "net", start: "(net ", mark: "(net ", depth: 2, title: " \""),
    .init(kind: "lib_id", start: "(symbol \"", mark: "(symbol ", depth: 4),
    .init(kind: "Reference", start: "(property", mark: "\"Reference\" "),
    .init(kind: "Reference", mark: "(fp_text reference "),
  ],
  references: [.init(kind: "net", mark: "(net "), .init(kind: "lib_id", mark: "(lib_id ")])

/// Lists of atoms and lists: a mapping if each inner list has its own name, otherwise a single value.
private struct ExpressionSyntax: StructuredFormat {
  var name: String { "kicad" }

  func parse(_ text: [UInt8]) throws -> StructureTree {
    var rest = text.drop(while: \.isSpace)
    let root = try Expression(&rest, depth: 0)
    guard root.hasNames, rest.allSatisfy(\.isSpace) else {
      throw MergeError(.invalidDocument, "The document isn’t a list of lists with names.")
    }
    var builder = StructureTreeBuilder(text)
    try root.add(to: &builder, from: 0, upTo: text.count)
    return builder.finish()
  }

  /// Coordinates, numbers and names aren't texts.
  func text(ofLeaf leaf: ArraySlice<UInt8>) -> [UInt8]? { nil }
}

/// A list with its first atom and its contents.
private struct Expression {
  let start: Int
  let end: Int
  let tag: ArraySlice<UInt8>
  let atoms: [ArraySlice<UInt8>]
  let lists: [Expression]

  /// The lists that are distinguished by the following atom.
  private static let named: Set<String> = [
    "property", "symbol", "path", "net", "comment", "fp_text", "net_class",
  ]

  private var kind: String { String(decoding: tag, as: UTF8.self) }

  /// The name of the list: its identifier, the following atom if that is a name, or its kind.
  var name: [UInt8] {
    let identifier = lists.first { $0.kind == "uuid" || $0.kind == "tstamp" }?.atoms.first
    let isNamed = Self.named.contains(kind) && (atoms.count > 1 || !lists.isEmpty)
    let word = identifier ?? (isNamed ? atoms.first : nil)
    return Array(tag) + (word.map { [0x20] + $0 } ?? [])
  }

  /// True if the list contains lists with unique names, and atoms only before them.
  var hasNames: Bool {
    guard let first = lists.first, atoms.last?.endIndex ?? 0 <= first.start else { return false }
    return Set(lists.map(\.name)).count == lists.count
  }

  /// The atoms of the list and of its inner lists, without the bytes between them.
  var words: [UInt8] {
    let words = [tag] + atoms + lists.map { $0.words[...] }
    return [UInt8(ascii: "(")] + words.joined(separator: [0x20]) + [UInt8(ascii: ")")]
  }

  /// Adds the list, with the space before it from a position, and up to a position after it.
  func add(
    to builder: inout StructureTreeBuilder, from start: Int, upTo end: Int
  ) throws(MergeError) {
    builder.beginMember(at: start)
    builder.beginValue(at: self.start, name: name[...])
    if hasNames {
      try builder.open(.mapping, name: name)
      var position = tag.endIndex
      for (number, atom) in atoms.enumerated() {
        let role = Array("\(number)".utf8)
        builder.beginMember(at: position)
        builder.beginValue(at: atom.startIndex, name: role[...])
        builder.leaf(upTo: atom.endIndex, name: role)
        position = atom.endIndex
        builder.endMember(at: position)
      }
      for list in lists {
        try list.add(to: &builder, from: position, upTo: list.end)
        position = list.end
      }
      builder.close(tail: position, closing: self.end - 1, end: self.end)
    } else {
      builder.leaf(upTo: self.end, value: words, name: name)
    }
    builder.endMember(separator: self.end..<self.end, end: end)
  }
}

extension Expression {
  /// Reads the list at the start of a text.
  fileprivate init(_ text: inout ArraySlice<UInt8>, depth: Int) throws(MergeError) {
    guard depth < StructureTreeBuilder.depthLimit else {
      throw MergeError(.tooDeep, "The document is nested too deeply.")
    }
    start = text.startIndex
    guard text.popFirst() == UInt8(ascii: "(") else { throw Self.invalid(text) }
    tag = try Self.atom(&text)
    var (atoms, lists): ([ArraySlice<UInt8>], [Expression]) = ([], [])
    while true {
      text = text.drop(while: \.isSpace)
      if text.first == UInt8(ascii: ")") { break }
      if text.first == UInt8(ascii: "(") {
        lists.append(try Expression(&text, depth: depth + 1))
      } else {
        atoms.append(try Self.atom(&text))
      }
    }
    text.removeFirst()
    (self.atoms, self.lists, end) = (atoms, lists, text.startIndex)
  }

  private static func atom(_ text: inout ArraySlice<UInt8>) throws(MergeError) -> ArraySlice<UInt8>
  {
    var isEscaped = false
    let isQuoted = text.first == UInt8(ascii: "\"")
    let end = text.dropFirst(isQuoted ? 1 : 0).firstIndex { byte in
      defer { isEscaped = byte == UInt8(ascii: "\\") && !isEscaped }
      return isQuoted
        ? byte == UInt8(ascii: "\"") && !isEscaped : byte.isSpace || "()\"".utf8.contains(byte)
    }
    guard let end, end > text.startIndex else { throw invalid(text) }
    let atom = text[..<(isQuoted ? end + 1 : end)]
    text = text[atom.endIndex...]
    return atom
  }

  private static func invalid(_ text: ArraySlice<UInt8>) -> MergeError {
    MergeError(.invalidDocument, "Byte \(text.startIndex) is neither an atom nor a list.")
  }
}
