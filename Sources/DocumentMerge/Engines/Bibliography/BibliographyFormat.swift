/// BibTeX bibliographies: entries by their keys, fields by their names.
struct BibliographyFormat: StructuredFormat {
  var name: String { "bibliography" }

  func separator(in kind: StructureTree.Kind) -> [UInt8] {
    kind == .mapping ? [UInt8(ascii: ",")] : []
  }

  func parse(_ text: [UInt8]) throws -> StructureTree { try BibliographyParser(text).parse() }

  /// Returns the name of a field.
  func name(ofKey key: ArraySlice<UInt8>) -> [UInt8] {
    key.prefix { !$0.isSpace && $0 != UInt8(ascii: "=") }.smallLetters
  }

  /// Returns the contents of a single pair of braces or quotes.
  func text(ofLeaf leaf: ArraySlice<UInt8>) -> [UInt8]? {
    guard let first = leaf.first, let last = leaf.last, leaf.count > 1,
      first == UInt8(ascii: "{") && last == UInt8(ascii: "}")
        || first == UInt8(ascii: "\"") && last == first
    else { return nil }
    let text = leaf.dropFirst().dropLast()
    return Self.isBalanced(text) && !text.contains(UInt8(ascii: "\"")) ? Array(text) : nil
  }

  func leaf(holding text: [UInt8], like model: ArraySlice<UInt8>) -> [UInt8]? {
    guard Self.isBalanced(text[...]), let first = model.first, let last = model.last,
      first != UInt8(ascii: "\"") || !text.contains(first)
    else { return nil }
    return [first] + text + [last]
  }

  /// Returns whether the braces in a text are balanced.
  private static func isBalanced(_ text: ArraySlice<UInt8>) -> Bool {
    var depth = 0
    var rest = text
    while let byte = rest.popFirst(), depth >= 0 {
      switch byte {
      case UInt8(ascii: "\\"): if rest.popFirst() == nil { return false }
      case UInt8(ascii: "{"): depth += 1
      case UInt8(ascii: "}"): depth -= 1
      default: break
      }
    }
    return depth == 0
  }

  /// Refuses the merge if both sides changed the type of an entry, which is part of its key.
  func rulings(
    on trees: MergeSides<StructureTree>, options: MergeOptions
  ) -> MergeRulings {
    let types = trees.map(types)
    let changed = types.ours.first { name, type in
      guard let other = types.theirs[name], other != type else { return false }
      return types.base?[name] != type && types.base?[name] != other
    }
    guard let changed else { return MergeRulings() }
    let name = String(decoding: changed.key, as: UTF8.self)
    return MergeRulings(refusal: "Both sides gave “\(name)” another type, differently.")
  }

  /// Returns the types of the entries, by their keys.
  private func types(in tree: StructureTree) -> [[UInt8]: [UInt8]] {
    var types: [[UInt8]: [UInt8]] = [:]
    for entry in tree.members(of: StructureTree.root) where tree[entry].kind == .mapping {
      let key = tree.bytes[tree[entry].key]
      types[tree.name(of: entry, self)] = key.prefix { $0 != UInt8(ascii: "{") }.smallLetters
    }
    return types
  }

  /// Line breaks in values are content.
  func indented(_ bytes: ArraySlice<UInt8>, _ shift: IndentShift) -> [UInt8] {
    guard !shift.isNothing, bytes.allSatisfy(\.isSpace) else { return Array(bytes) }
    return shift.applied(to: bytes)
  }

  var entries: any EntryReader { WorkEntries() }
}
