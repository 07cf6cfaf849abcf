/// Reads a calendar or an address book into a tree.
///
/// Components are tables, named by their identifiers; properties are their lines, named by their names. The
/// name of a repeatable property includes its parameters or its value.
struct CalendarParser: ByteReader {
  static let fault = "This is not a calendar or an address book"

  /// An open component.
  private struct Level {
    let kind: [UInt8]
    /// The names of the component's properties.
    let properties: ComponentProperties
  }

  let bytes: [UInt8]
  private var builder: StructureTreeBuilder
  var position = 0
  private var levels: [Level] = []

  init(_ bytes: [UInt8]) {
    self.bytes = bytes
    builder = StructureTreeBuilder(bytes)
  }

  /// Reads the document.
  consuming func parse() throws(MergeError) -> StructureTree {
    try builder.openDocument(.table)
    while true {
      let start = position
      skipEmptyLines()
      guard position < bytes.count else {
        guard levels.isEmpty else { throw invalid("“END”") }
        return builder.finishDocument(tail: start)
      }
      guard let line = ContentLine(at: position, in: bytes) else { throw invalid("a property") }
      if line.name.elementsEqual("BEGIN".utf8) {
        try begin(line, from: start)
      } else if line.name.elementsEqual("END".utf8) {
        try end(line, from: start)
      } else {
        try add(line, from: start)
      }
    }
  }

  private mutating func skipEmptyLines() {
    while let feed = bytes[position...].firstIndex(of: .lineFeed),
      bytes[position..<feed].allSatisfy(\.isSpace)
    {
      position = feed + 1
    }
  }

  // MARK: Components

  private mutating func begin(_ line: ContentLine, from start: Int) throws(MergeError) {
    let kind = line.component
    let lines = try properties(from: line.end)
    let name = ComponentName(kind, lines).name
    builder.beginMember(at: start)
    builder.beginValue(at: line.contentEnd, key: line.start, name: name[...])
    try builder.open(.table, name: name)
    levels.append(Level(kind: kind, properties: ComponentProperties(of: lines, in: kind)))
    position = line.end
  }

  private mutating func end(_ line: ContentLine, from start: Int) throws(MergeError) {
    guard let level = levels.popLast(), level.kind == line.component else {
      throw invalid("the end of the component that is open")
    }
    position = line.end
    builder.close(tail: start, closing: start, end: line.contentEnd)
    builder.endMember(separator: line.contentEnd..<line.contentEnd, end: position)
  }

  /// Returns the properties of the component that starts at a position, without those of inner components.
  private func properties(from start: Int) throws(MergeError) -> [ContentLine] {
    var lines: [ContentLine] = []
    var (position, depth) = (start, 0)
    while position < bytes.count {
      let feed = bytes[position...].firstIndex(of: .lineFeed) ?? bytes.count
      guard !bytes[position..<feed].allSatisfy(\.isSpace) else {
        position = min(feed + 1, bytes.count)
        continue
      }
      guard let line = ContentLine(at: position, in: bytes) else { throw invalid("a property") }
      position = line.end
      if line.name.elementsEqual("BEGIN".utf8) {
        depth += 1
      } else if line.name.elementsEqual("END".utf8) {
        depth -= 1
        if depth < 0 { break }
      } else if depth == 0 {
        lines.append(line)
      }
    }
    return lines
  }

  // MARK: Properties

  private mutating func add(_ line: ContentLine, from start: Int) throws(MergeError) {
    guard let level = levels.last else { throw invalid("“BEGIN”") }
    let name = level.properties.name(of: line)
    position = line.end
    builder.beginMember(at: start)
    builder.beginValue(at: line.restStart, key: line.start, name: name[...])
    builder.leaf(
      upTo: line.contentEnd, value: line.rest, name: name == line.name ? nil : name)
    builder.endMember(separator: line.contentEnd..<line.contentEnd, end: line.end)
  }
}

extension ContentLine {
  /// The kind of the component that begins or ends.
  fileprivate var component: [UInt8] { value.filter { !$0.isSpace }[...].capitals }
}
