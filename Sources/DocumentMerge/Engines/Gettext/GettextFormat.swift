/// Gettext catalogs: entries by text and context, the header by its fields.
///
/// Strings are compared by their texts, so different wrapping isn't a clash.
struct GettextFormat: StructuredFormat {
  var name: String { "gettext" }

  /// The members of entries that both sides added are merged.
  func isMap(_ name: [UInt8]) -> Bool { true }

  func parse(_ text: [UInt8]) throws -> StructureTree { try GettextParser(text).parse() }

  /// Returns a keyword, the mark of a comment, or the name of a header field.
  func name(ofKey key: ArraySlice<UInt8>) -> [UInt8] {
    let words = key.drop { $0.isSpace }
    guard words.first == UInt8(ascii: "\"") else { return Array(words.prefix { !$0.isSpace }) }
    return Array(words.dropFirst().prefix { $0 != UInt8(ascii: ":") })
  }

  /// Returns the text of a string or a header field; `nil` for comments.
  func text(ofLeaf leaf: ArraySlice<UInt8>) -> [UInt8]? {
    if leaf.first == UInt8(ascii: "\"") { return GettextString.text(of: leaf) }
    let isField = !leaf.contains(UInt8(ascii: "\"")) && !leaf.contains(.lineFeed)
    return isField && leaf.first?.isSpace == false && leaf.first != UInt8(ascii: "#")
      ? Array(leaf) : nil
  }

  func leaf(holding text: [UInt8], like model: ArraySlice<UInt8>) -> [UInt8]? {
    guard model.first != UInt8(ascii: "\"") else { return GettextString.literal(for: text) }
    return text.contains(.lineFeed) ? nil : GettextString.escaped(text)
  }

  /// Merges flags as a set, and comments by lines.
  ///
  /// Two different translations of one text are a clash.
  func merged(_ leaves: MergeSides<ArraySlice<UInt8>>, by rules: LeafRules) throws -> [UInt8]? {
    guard let base = leaves.base else { return nil }
    if base.starts(with: GettextEntry.flags) { return GettextFlags.merged(leaves) }
    return base.first.map { "\"#".utf8.contains($0) } ?? true ? nil : try rules.mergedLines(leaves)
  }

  func rulings(
    on trees: MergeSides<StructureTree>, options: MergeOptions
  ) -> MergeRulings { GettextRulings(trees).rulings(options.labels) }

  /// Returns a doubt if the result translates a text twice.
  func doubt(about lines: [UInt8], of sides: MergeSides<[UInt8]>) -> String? {
    EntryNames.doubled(in: lines, of: sides, MessageEntries()).first.map {
      "With both changes, \($0) stands twice."
    }
  }
}
