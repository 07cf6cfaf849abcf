/// Sets of lines: patterns to leave out, sums of modules, required packages.
///
/// Their order means nothing, but is kept.
struct LineSetFormat: StructuredFormat {
  var form = LineSetForm.patterns

  var name: String { "set" }

  func separator(in kind: StructureTree.Kind) -> [UInt8] { [] }

  var identities: [MemberIdentity] { [] }

  func parse(_ text: [UInt8]) throws -> StructureTree {
    var parser = LineSetParser(text, form)
    return try parser.parse()
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

  /// The value of a line is no prose.
  func merged(_ leaves: MergeSides<ArraySlice<UInt8>>, by rules: LeafRules) throws -> [UInt8]? {
    nil
  }

  /// What is merged by lines has its own checks.
  func doubt(about lines: [UInt8], of sides: MergeSides<[UInt8]>) -> String? { nil }
}
