extension YAMLParser {
  /// Reads the stream of documents.
  consuming func parse() throws(MergeError) -> StructureTree {
    try YAMLScalar.checkCharacters(of: input.bytes)
    try input.builder.openDocument(.blockList)
    var count = 0
    while true {
      let start = input.position
      guard try documentStart(isFirst: count == 0) else {
        input.position = input.bytes.count
        return input.builder.finishDocument(tail: start)
      }
      input.references.beginDocument()
      input.builder.beginMember(at: start)
      try document(isFirst: count == 0)
      count += 1
    }
  }

  /// Reads the bytes before a document.
  /// - Returns: Whether there is one.
  private mutating func documentStart(isFirst: Bool) throws(MergeError) -> Bool {
    var mayHaveDirectives = isFirst
    var needsMarker = !isFirst
    while true {
      guard let next = try input.scanner.content(after: input.position, throughMarkers: true) else {
        guard !hasDirective else { throw input.invalid("a document") }
        return false
      }
      let isAtStart = next.column == 0
      if isAtStart, input.scanner.isMarker(next.position) {
        let isEnd = input.bytes[next.position] == UInt8(ascii: ".")
        input.position = next.position + 3
        guard isEnd else { return true }
        guard !isFirst, !mayHaveDirectives else { throw input.invalid("a document before its end") }
        mayHaveDirectives = true
        input.scanner.skipBlanks()
        input.position = try input.scanner.lineEnd()
      } else if isAtStart, input.bytes[next.position] == UInt8(ascii: "%") {
        guard mayHaveDirectives, !hasDirective else { throw input.invalid("no directive") }
        input.position = next.position
        try directive()
        needsMarker = true
        hasDirective = true
      } else {
        guard !needsMarker else {
          input.position = next.position
          throw input.invalid("“---”")
        }
        return true
      }
    }
  }

  /// Reads a directive; only `%YAML 1.1` and the like are allowed.
  private mutating func directive() throws(MergeError) {
    guard input.bytes[input.position...].starts(with: "%YAML 1.".utf8),
      input.position + 8 < input.bytes.count,
      (UInt8(ascii: "1")...UInt8(ascii: "2")).contains(input.bytes[input.position + 8])
    else { throw input.invalid("“%YAML 1.1”") }
    input.position += 9
    input.scanner.skipBlanks()
    input.position = try input.scanner.lineEnd()
  }

  private mutating func document(isFirst: Bool) throws(MergeError) {
    let hasMarker =
      input.position >= 3
      && input.bytes[(input.position - 3)..<input.position].elementsEqual("---".utf8)
    hasDirective = false
    let member = Member(column: -1, given: isFirst ? [] : nil)
    if hasMarker { return try value(of: member) }
    guard let next = try input.scanner.content(after: input.position) else {
      throw input.invalid("a document")
    }
    if input.scanner.isEntry(next.position) || YAMLKey(input.bytes[next.position...]) != nil {
      let start = BlockStart(value: input.position, members: input.position)
      return try block(member, at: start)
    }
    input.position = next.position
    try value(of: member)
  }
}
