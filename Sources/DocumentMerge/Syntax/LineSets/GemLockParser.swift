/// Reads a Bundler lock file into a tree: a table for each section with a member for each line, and a table
/// of all gems.
///
/// A gem is named by its name and platform, and its dependencies by both; these lines are sorted by name, and
/// stay so.
struct GemLockParser {
  private let lines: TextLines
  private var builder: StructureTreeBuilder
  /// The gem of the lines below it.
  private var gem: [UInt8] = []
  /// The end of the last member.
  private var start = 0
  /// The number of open tables: that of a section, and that of its gems.
  private var depth = 0

  init(_ bytes: [UInt8]) {
    lines = TextLines(bytes)
    builder = StructureTreeBuilder(bytes)
  }

  /// Reads the document.
  consuming func parse() throws(MergeError) -> StructureTree {
    try builder.openDocument(.table)
    for line in 0..<lines.count {
      let content = lines.content(of: line)
      guard let first = content.first else { continue }
      if lines.place(of: line).lowerBound == content.startIndex {
        guard first.isCapital else { throw Self.error(at: line) }
        try openSection(line, content)
      } else {
        guard depth > 0 else { throw Self.error(at: line) }
        if content.elementsEqual("specs:".utf8), depth == 1 {
          try openTable(line, content, named: Array("specs".utf8))
        } else {
          add(line, content)
        }
      }
    }
    closeSection()
    return builder.finishDocument(tail: start)
  }

  private static func error(at line: Int) -> MergeError {
    MergeError(.invalidDocument, "Line \(line + 1) doesn’t belong in a Bundler lock file.")
  }

  private mutating func openSection(
    _ line: Int, _ content: ArraySlice<UInt8>
  ) throws(MergeError) {
    closeSection()
    // There may be several sources of one kind.
    let next = line + 1 < lines.count ? lines.content(of: line + 1) : []
    let source = next.starts(with: "remote:".utf8) ? [0x20] + next.dropFirst(8) : []
    try openTable(line, content, named: Array(content) + source)
  }

  private mutating func openTable(
    _ line: Int, _ content: ArraySlice<UInt8>, named name: [UInt8]
  ) throws(MergeError) {
    builder.beginMember(at: start)
    builder.beginValue(at: content.endIndex, key: content.startIndex, name: name[...])
    start = lines.place(of: line).upperBound
    try builder.open(.table, comments: content.endIndex..<start, name: name)
    depth += 1
    gem = []
  }

  private mutating func closeSection() {
    for _ in 0..<depth {
      builder.close(tail: start, closing: start, end: start)
      builder.endMember(at: start)
    }
    depth = 0
  }

  private mutating func add(_ line: Int, _ content: ArraySlice<UInt8>) {
    let place = lines.place(of: line)
    let indentation = content.startIndex - place.lowerBound
    let key = content.prefix { $0 != 0x20 && $0 != UInt8(ascii: "!") }
    let value = content[key.endIndex...].drop { $0 == 0x20 }
    // A version may be for one platform, with other versions of the same gem.
    let version = value.drop { "(=~><! ".utf8.contains($0) }.prefix { $0 != UInt8(ascii: ")") }
    let platform = version.drop { $0 != UInt8(ascii: "-") }
    var name = Array(key) + (platform.isEmpty ? [] : [0x20] + platform.dropFirst())
    switch indentation {
    case 3: name = Array("version".utf8)
    case 4: gem = name
    case 6...: name = gem + [0x20] + key
    default: gem = []
    }
    // The line of Bundler's own version contains only the version.
    let valueStart = indentation == 3 ? content.startIndex : value.startIndex
    builder.beginMember(at: start)
    builder.beginValue(at: valueStart, key: content.startIndex, name: name[...])
    builder.leaf(upTo: content.endIndex, name: name)
    start = place.upperBound
    builder.endMember(separator: content.endIndex..<content.endIndex, end: start)
  }
}
