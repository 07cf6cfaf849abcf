/// Sets of lines: ignore patterns, module checksums, required packages, the gems of a lock file.
///
/// Their order has no meaning, but is kept.
struct LineSetFormat: StructuredFormat {
  var form = LineSetForm.patterns

  var name: String { "set" }

  func parse(_ text: [UInt8]) throws -> StructureTree {
    try form == .gems ? GemLockParser(text).parse() : LineSetParser(text, form).parse()
  }

  /// Returns the gems of a lock file.
  func targets(in tree: StructureTree) -> Set<Int> {
    guard form == .gems else { return [] }
    return Set(gemLines(of: tree).compactMap { $0.isGem ? tree.hash(of: $0.name) : nil })
  }

  /// Returns the gem that a line names as a dependency of another gem.
  func reference(of leaf: Int, in tree: StructureTree) -> Int? {
    guard form == .gems, let line = gemLine(leaf, of: tree), !line.isGem else { return nil }
    return tree.hash(of: line.name)
  }

  private func gemLines(of tree: StructureTree) -> [(isGem: Bool, name: ArraySlice<UInt8>)] {
    (0..<tree.count).compactMap { gemLine($0, of: tree) }
  }

  /// Returns the gem that a line in a source section describes; `nil` for other lines.
  private func gemLine(
    _ leaf: Int, of tree: StructureTree
  ) -> (isGem: Bool, name: ArraySlice<UInt8>)? {
    let key = tree[leaf].key
    guard tree[leaf].kind == .leaf, !key.isEmpty else { return nil }
    let line = tree.bytes[..<key.lowerBound].reversed().prefix { $0 == 0x20 }.count
    guard line == 4 || line == 6 else { return nil }
    return (line == 4, tree.bytes[key].prefix { $0 != 0x20 && $0 != UInt8(ascii: "!") })
  }

  func name(ofKey key: ArraySlice<UInt8>) -> [UInt8] {
    var key = key
    while key.last?.isSpace ?? false { key.removeLast() }
    return form.name(of: key)
  }

  func text(ofLeaf leaf: ArraySlice<UInt8>) -> [UInt8]? { Array(leaf) }

  func leaf(holding text: [UInt8], like model: ArraySlice<UInt8>) -> [UInt8]? {
    text.contains(.lineFeed) ? nil : text
  }

  /// The value of a line isn't prose.
  func merged(_ leaves: MergeSides<ArraySlice<UInt8>>, by rules: LeafRules) throws -> [UInt8]? {
    nil
  }

  /// Documents that are merged by lines have their own checks.
  func doubt(about lines: [UInt8], of sides: MergeSides<[UInt8]>) -> String? { nil }
}
