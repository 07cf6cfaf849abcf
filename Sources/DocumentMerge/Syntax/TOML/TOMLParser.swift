/// Reads TOML 1.0 into a tree.
///
/// The document is a table. Its members are its lines, followed by the tables with their full names, in
/// brackets as written. Consecutive tables of an array are a list without its own key; if other tables are
/// between them, there are two lists with the same name, unless each table is to be separate. The tables
/// inside such a table are its members, because their place determines which one they belong to.
struct TOMLParser: ByteReader {
  static let fault = "This is not TOML"

  /// An open container of lines.
  private struct Level {
    /// The path in the header; empty for the document.
    let path: [[UInt8]]
    /// True if the container is an array of tables.
    var isArray = false
    /// True if the container may have tables, because it is the document, or a member of an array of tables.
    var hasTables = false
  }

  let bytes: [UInt8]
  /// The headers of the document's arrays in which each table is a separate list.
  private let apart: Set<[UInt8]>
  private var builder: StructureTreeBuilder
  private var names = TOMLNames()
  var position = 0
  private var levels: [Level] = []
  /// The table whose lines are being read.
  private var table = TOMLNames.root

  /// Begins to read a document, with the headers of the arrays in which each table is to be a separate list.
  init(_ bytes: [UInt8], apart: Set<[UInt8]> = []) {
    (self.bytes, self.apart) = (bytes, apart)
    builder = StructureTreeBuilder(bytes)
  }

  /// Reads the document.
  consuming func parse() throws(MergeError) -> StructureTree {
    try builder.openDocument(.table)
    levels = [Level(path: [], hasTables: true)]
    while true {
      let start = position
      try skipSpace()
      guard let byte = peek else {
        while levels.count > 1 { closeLevel(at: start) }
        return builder.finishDocument(tail: start)
      }
      if byte == UInt8(ascii: "[") {
        try header(from: start)
      } else {
        try pair(from: start, in: table)
        let end = position
        try skipLine()
        builder.endMember(separator: end..<end, end: position)
      }
    }
  }

  private mutating func expect(_ token: String) throws(MergeError) {
    guard take(token) else { throw invalid("“\(token)”") }
  }

  // MARK: Tables

  private mutating func header(from start: Int) throws(MergeError) {
    let key = position
    let isArray = bytes[position...].starts(with: "[[".utf8)
    try expect(isArray ? "[[" : "[")
    let path = try path()
    try expect(isArray ? "]]" : "]")
    let end = position
    try skipLine()
    guard let (table, arrayDepth) = names.define(header: path, isArray: isArray) else {
      position = key
      throw invalid("a table that is not there yet")
    }
    self.table = table
    while let level = levels.last, levels.count > 1 {
      let isInside = level.hasTables && level.path.count < path.count
      if isInside && path.starts(with: level.path) { break }
      if isArray, level.isArray, level.path == path, !apart.contains(Self.header(path)) { break }
      closeLevel(at: start)
    }
    let isList = levels.last?.isArray ?? false
    let depth = isList ? levels.dropLast().last?.path.count : levels.last?.path.count
    guard depth == arrayDepth else {
      position = key
      throw invalid("the table next to the one it belongs to")
    }
    if isArray {
      if !isList { try openList(path, at: start) }
      builder.beginMember(at: start)
      builder.beginValue(at: key)
    } else {
      builder.beginMember(at: start)
      builder.beginValue(at: end, key: key, name: TOMLKeyReader.header(path)[...])
    }
    try builder.open(.table, comments: end..<position)
    levels.append(Level(path: path, hasTables: isArray))
  }

  private mutating func openList(_ path: [[UInt8]], at start: Int) throws(MergeError) {
    builder.beginMember(at: start)
    builder.beginValue(at: start)
    try builder.open(.tables, name: Self.header(path))
    levels.append(Level(path: path, isArray: true))
  }

  /// Returns the header of an array's tables.
  static func header(_ path: [[UInt8]]) -> [UInt8] {
    [UInt8(ascii: "[")] + TOMLKeyReader.header(path) + [UInt8(ascii: "]")]
  }

  private mutating func closeLevel(at end: Int) {
    levels.removeLast()
    builder.close(tail: end, closing: end, end: end)
    builder.endMember(at: end)
  }

  // MARK: Values

  private mutating func path() throws(MergeError) -> [[UInt8]] {
    var reader = TOMLKeyReader(bytes: bytes[position...])
    let path = reader.path()
    position = reader.position
    guard let path else { throw invalid("a key") }
    return path
  }

  /// Reads a key and its value, up to the separator.
  private mutating func pair(from start: Int, in table: Int) throws(MergeError) {
    let key = position
    let path = try path()
    guard names.define(key: path, in: table) else {
      position = key
      throw invalid("a key that is not there yet")
    }
    try expect("=")
    skipBlanks()
    builder.beginMember(at: start)
    builder.beginValue(at: position, key: key, name: TOMLKeyReader.name(path)[...])
    try value()
  }

  private mutating func value() throws(MergeError) {
    switch peek {
    case UInt8(ascii: "["):
      try builder.open(.list)
      position += 1
      try members(until: UInt8(ascii: "]"), table: nil)
    case UInt8(ascii: "{"):
      try builder.open(.mapping)
      position += 1
      try members(until: UInt8(ascii: "}"), table: names.newTable())
    case UInt8(ascii: "\""), UInt8(ascii: "'"):
      guard let string = TOMLString(at: position, in: bytes[...]) else { throw invalid("a string") }
      position = string.end
      builder.leaf(upTo: position, value: [UInt8(ascii: "\"")] + string.text)
    default:
      let start = position
      skipWord()
      // A space may be between a date and a time.
      if position - start == 10, bytes[position...].count > 3, bytes[position] == 0x20,
        bytes[position + 3] == UInt8(ascii: ":")
      {
        position += 1
        skipWord()
      }
      guard TOMLWord.isValid(bytes[start..<position]) else {
        position = start
        throw invalid("a value")
      }
      builder.leaf(upTo: position)
    }
  }

  private mutating func skipWord() {
    while let byte = peek, byte > 0x20, !",]}#=[{\"'".utf8.contains(byte) { position += 1 }
  }

  /// Reads the members of an array, or of an inline table, which must stay on its line.
  private mutating func members(until closing: UInt8, table: Int?) throws(MergeError) {
    var mayEnd = true
    while true {
      let start = position
      try skipSpace(inLine: table != nil)
      if peek == closing, mayEnd {
        position += 1
        return builder.close(tail: start, closing: position - 1, end: position)
      }
      if let table {
        try pair(from: start, in: table)
      } else {
        builder.beginMember(at: start)
        builder.beginValue(at: position)
        try value()
      }
      let end = position
      try skipSpace(inLine: table != nil)
      let hasSeparator = peek == UInt8(ascii: ",")
      guard hasSeparator || peek == closing else { throw invalid("“,” or the end") }
      let separator = hasSeparator ? position..<position + 1 : end..<end
      position = separator.upperBound
      if table == nil { try skipTrail() }
      builder.endMember(separator: separator, end: position)
      // Only an array may have a separator after its last member.
      mayEnd = table == nil || !hasSeparator
    }
  }

  // MARK: Space

  private mutating func skipBlanks() {
    while peek == 0x20 || peek == 0x09 { position += 1 }
  }

  /// Reads space and comments.
  /// - Parameter inLine: Whether to read only blanks.
  private mutating func skipSpace(inLine: Bool = false) throws(MergeError) {
    skipBlanks()
    while !inLine, let byte = peek {
      if byte == UInt8(ascii: "#") {
        try skipComment()
      } else if byte == .carriageReturn || byte == .lineFeed {
        try skipLineBreak()
      } else {
        return
      }
      skipBlanks()
    }
  }

  /// Reads the rest of a line, which may only contain a comment.
  private mutating func skipLine() throws(MergeError) {
    skipBlanks()
    if peek == UInt8(ascii: "#") { try skipComment() }
    if peek != nil { try skipLineBreak() }
  }

  /// Reads a comment that ends the line, without the line break.
  private mutating func skipTrail() throws(MergeError) {
    let start = position
    skipBlanks()
    if peek == UInt8(ascii: "#") { try skipComment() } else { position = start }
  }

  private mutating func skipComment() throws(MergeError) {
    while let byte = peek, byte != .lineFeed {
      if byte == .carriageReturn, bytes[position...].dropFirst().first == .lineFeed { return }
      guard byte >= 0x20 && byte != 0x7F || byte == 0x09 else { throw invalid("a comment") }
      position += 1
    }
  }

  private mutating func skipLineBreak() throws(MergeError) {
    if peek == .carriageReturn { position += 1 }
    guard peek == .lineFeed else { throw invalid("the end of the line") }
    position += 1
  }
}
