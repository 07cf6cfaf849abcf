/// Reads settings into a tree.
///
/// The document is a table of keys, followed by sections, each of which is a table. Comments belong to the
/// member below them. If a key may occur several times, its name includes its value.
struct SettingsParser {
  private let bytes: [UInt8]
  private let dialect: SettingsDialect
  private var builder: StructureTreeBuilder
  private var isInSection = false

  init(_ bytes: [UInt8], _ dialect: SettingsDialect) {
    self.bytes = bytes
    self.dialect = dialect
    builder = StructureTreeBuilder(bytes)
  }

  /// Reads the document.
  consuming func parse() throws(MergeError) -> StructureTree {
    var scanner = SettingsScanner(bytes, dialect)
    try scanner.scan()
    try builder.openDocument(.table)
    var items = scanner.items[...]
    while let item = items.first {
      if item.isHeader { try openSection(item) }
      let entries = (item.isHeader ? items.dropFirst() : items).prefix { !$0.isHeader }
      add(entries)
      items = items[entries.endIndex...]
    }
    let end = scanner.items.last?.end ?? 0
    closeSection(at: end)
    return builder.finishDocument(tail: end)
  }

  private mutating func openSection(_ header: SettingsItem) throws(MergeError) {
    closeSection(at: header.start)
    builder.beginMember(at: header.start)
    builder.beginValue(at: header.valueStart, key: header.keyStart, name: header.name[...])
    try builder.open(.table, comments: header.valueStart..<header.end)
    isInSection = true
  }

  private mutating func closeSection(at end: Int) {
    guard isInSection else { return }
    builder.close(tail: end, closing: end, end: end)
    builder.endMember(at: end)
    isInSection = false
  }

  /// Adds the keys of a section.
  private mutating func add(_ entries: ArraySlice<SettingsItem>) {
    let repeated = dialect == .lists ? RepeatedKeys(entries, in: bytes).names : []
    for entry in entries {
      let value = bytes[entry.valueStart..<entry.valueEnd]
      let longName = repeated.contains(entry.name) ? entry.name + [UInt8(ascii: "=")] + value : nil
      builder.beginMember(at: entry.start)
      builder.beginValue(
        at: entry.valueStart, key: entry.keyStart, name: (longName ?? entry.name)[...])
      builder.leaf(upTo: entry.valueEnd, name: longName)
      builder.endMember(separator: entry.valueEnd..<entry.valueEnd, end: entry.end)
    }
  }
}

/// The keys of a section that occur several times, and whose order has no meaning.
private struct RepeatedKeys {
  let names: Set<[UInt8]>

  /// Finds the keys, except those of commands, which run in order, and those with an empty value, which
  /// resets earlier ones.
  init(_ entries: ArraySlice<SettingsItem>, in bytes: [UInt8]) {
    var counts: [[UInt8]: Int] = [:]
    var ordered: Set<[UInt8]> = []
    for entry in entries {
      counts[entry.name, default: 0] += 1
      if entry.valueStart == entry.valueEnd || entry.name.starts(with: "Exec".utf8) {
        ordered.insert(entry.name)
      }
    }
    names = Set(counts.filter { $0.value > 1 }.keys).subtracting(ordered)
  }
}
