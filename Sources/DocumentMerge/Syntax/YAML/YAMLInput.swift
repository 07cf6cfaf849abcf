/// A YAML document that is being read into a tree, shared by all its levels.
struct YAMLInput {
  var scanner: YAMLScanner
  var references = YAMLReferences()
  var builder: StructureTreeBuilder

  init(_ bytes: [UInt8]) {
    scanner = YAMLScanner(bytes)
    builder = StructureTreeBuilder(bytes)
  }

  var bytes: [UInt8] { scanner.bytes }

  var position: Int {
    get { scanner.position }
    set { scanner.position = newValue }
  }

  var peek: UInt8? { scanner.peek }

  func invalid(_ expected: String) -> MergeError { scanner.invalid(expected) }

  /// Reads an anchor and a tag, and the space after them; returns their range.
  mutating func properties() throws(MergeError) -> Range<Int> {
    try references.properties(in: &scanner)
  }

  /// Reads a reference, which is a leaf.
  /// - Parameter properties: The anchor and tag before it, which must be empty.
  mutating func alias(
    from start: Int, _ properties: Range<Int>, name: [UInt8]? = nil
  ) throws(MergeError) {
    guard properties.isEmpty else { throw invalid("a value") }
    let end = try scanner.skipAlias()
    builder.leaf(upTo: end, value: try references.alias(from: start, in: scanner), name: name)
  }
}
