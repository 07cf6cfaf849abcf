/// Settings: keys with values, in sections.
///
/// A value with several lines is merged by lines.
struct SettingsFormat: StructuredFormat {
  var dialect = SettingsDialect.sections

  var name: String { "settings" }

  var hasPlainValues: Bool { true }

  func parse(_ text: [UInt8]) throws -> StructureTree { try SettingsParser(text, dialect).parse() }

  func name(ofKey key: ArraySlice<UInt8>) -> [UInt8] {
    let key = key.drop { $0.isSpace }
    let isHeader = dialect != .properties && key.first == UInt8(ascii: "[")
    return isHeader ? Array(key) : SettingsKey(at: key, dialect)?.name ?? Array(key)
  }

  func text(ofLeaf leaf: ArraySlice<UInt8>) -> [UInt8]? { Array(leaf) }

  func leaf(holding text: [UInt8], like model: ArraySlice<UInt8>) -> [UInt8]? { text }

  func merged(_ leaves: MergeSides<ArraySlice<UInt8>>, by rules: LeafRules) throws -> [UInt8]? {
    try rules.mergedLines(leaves)
  }

  func rulings(
    on trees: MergeSides<StructureTree>, options: MergeOptions
  ) -> MergeRulings {
    switch dialect {
    case .lists: ReplacedKeys(self).rulings(on: trees, options.labels)
    case .patterns: OverlappingSections(self).rulings(on: trees)
    case .sections, .properties: MergeRulings()
    }
  }

  /// The indentation inside values is kept.
  func indented(_ bytes: ArraySlice<UInt8>, _ shift: IndentShift) -> [UInt8] { Array(bytes) }

  var entries: any EntryReader { SettingEntries() }
}
