/// Reads a set of lines into a tree, with each line as a member that includes the comments above it.
struct LineSetParser {
  private let lines: TextLines
  private let form: LineSetForm
  private var builder: StructureTreeBuilder

  init(_ bytes: [UInt8], _ form: LineSetForm) {
    lines = TextLines(bytes)
    self.form = form
    builder = StructureTreeBuilder(bytes)
  }

  /// Reads the document.
  consuming func parse() throws(MergeError) -> StructureTree {
    try builder.openDocument(.table)
    var start = 0
    for line in 0..<lines.count {
      let content = lines.content(of: line)
      guard let first = content.first, first != UInt8(ascii: "#") else { continue }
      guard let (keyEnd, valueStart) = form.cut(content) else {
        throw MergeError(
          .invalidDocument, "Line \(line + 1) is not one of a set: it depends on others.")
      }
      let end = lines.place(of: line).upperBound
      builder.beginMember(at: start)
      let condition = form.condition(of: content[valueStart...])
      let name = form.name(of: content[..<keyEnd]) + condition
      builder.beginValue(at: valueStart, key: content.startIndex, name: name[...])
      builder.leaf(upTo: content.endIndex, name: condition.isEmpty ? nil : name)
      builder.endMember(separator: content.endIndex..<content.endIndex, end: end)
      start = end
    }
    return builder.finishDocument(tail: start)
  }
}
