extension YAMLParser {
  /// Reads the stream of documents.
  mutating func parse() throws(MergeError) -> StructureTree {
    try YAMLScalar.checkCharacters(of: bytes)
    builder.beginMember(at: 0)
    builder.beginValue(at: 0)
    try builder.open(.blockList)
    var count = 0
    while true {
      let start = position
      guard try documentStart(isFirst: count == 0) else {
        position = bytes.count
        builder.close(tail: start, closing: position, end: position)
        builder.endMember(separator: position..<position, end: position)
        return builder.finish()
      }
      anchors = [:]
      builder.beginMember(at: start)
      try document(isFirst: count == 0)
      count += 1
    }
  }

  /// Takes what stands before a document.
  /// - Returns: Whether there is one.
  private mutating func documentStart(isFirst: Bool) throws(MergeError) -> Bool {
    var mayHaveDirectives = isFirst
    var needsMarker = !isFirst
    while true {
      guard let next = try content(after: position, throughMarkers: true) else {
        guard !hasDirective else { throw invalid("a document") }
        return false
      }
      let isAtStart = next.column == 0
      if isAtStart, isMarker(next.position) {
        let isEnd = bytes[next.position] == UInt8(ascii: ".")
        position = next.position + 3
        guard isEnd else { return true }
        guard !isFirst, !mayHaveDirectives else { throw invalid("a document before its end") }
        mayHaveDirectives = true
        skipBlanks()
        position = try lineEnd()
      } else if isAtStart, bytes[next.position] == UInt8(ascii: "%") {
        guard mayHaveDirectives, !hasDirective else { throw invalid("no directive") }
        position = next.position
        try directive()
        needsMarker = true
        hasDirective = true
      } else {
        guard !needsMarker else {
          position = next.position
          throw invalid("“---”")
        }
        return true
      }
    }
  }

  /// Only `%YAML 1.1` and the like.
  private mutating func directive() throws(MergeError) {
    guard bytes[position...].starts(with: "%YAML 1.".utf8), position + 8 < bytes.count,
      (UInt8(ascii: "1")...UInt8(ascii: "2")).contains(bytes[position + 8])
    else { throw invalid("“%YAML 1.1”") }
    position += 9
    skipBlanks()
    position = try lineEnd()
  }

  private mutating func document(isFirst: Bool) throws(MergeError) {
    let hasMarker = position >= 3 && bytes[(position - 3)..<position].elementsEqual("---".utf8)
    hasDirective = false
    let member = Member(column: -1, given: isFirst ? [] : nil)
    if hasMarker { return try value(of: member) }
    guard let next = try content(after: position) else { throw invalid("a document") }
    if isEntry(next.position) || YAMLKey(bytes[next.position...]) != nil {
      let start = leadEnd(before: next)
      return try block(member, at: BlockStart(value: start, members: start))
    }
    position = next.position
    try value(of: member)
  }

  /// Where the comments end that are about the document: at the last empty line before the first key.
  private func leadEnd(before next: Place) -> Int {
    var end = position
    var line = position
    while line < next.position {
      let feed = bytes[line...].firstIndex(of: .lineFeed) ?? next.position
      if feed < next.position, bytes[line..<feed].allSatisfy({ $0 == 0x20 }) { end = feed + 1 }
      line = feed + 1
    }
    return end
  }
}
