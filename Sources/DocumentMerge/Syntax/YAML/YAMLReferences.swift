/// Reads anchors, tags and references, and determines the target of each reference.
struct YAMLReferences {
  /// The names of the open members.
  var path: [[UInt8]] = []
  /// The anchors of the document so far, with the place and the number of definitions of each.
  private var anchors: [[UInt8]: (place: [UInt8], count: Int)] = [:]

  /// Forgets the anchors of the previous document.
  mutating func beginDocument() { anchors = [:] }

  /// Reads an anchor and a tag, and the space after them; returns their range.
  mutating func properties(in scanner: inout YAMLScanner) throws(MergeError) -> Range<Int> {
    let start = scanner.position
    var end = start
    var (hasAnchor, hasTag) = (false, false)
    while let byte = scanner.peek, byte == UInt8(ascii: "&") || byte == UInt8(ascii: "!") {
      let first = scanner.position
      scanner.position += 1
      if byte == UInt8(ascii: "&") {
        guard !hasAnchor else { throw scanner.invalid("one anchor") }
        hasAnchor = true
        let name = Array(scanner.skipName())
        guard !name.isEmpty else { throw scanner.invalid("the name of an anchor") }
        let place = Array(path.joined(separator: [0]))
        anchors[name] = (place, (anchors[name]?.count ?? 0) + 1)
      } else {
        guard !hasTag else { throw scanner.invalid("one tag") }
        hasTag = true
        if scanner.peek == byte { scanner.position += 1 }
        let name = scanner.skipName(".:/")
        guard !name.isEmpty || scanner.position == first + 1 else { throw scanner.invalid("a tag") }
      }
      guard scanner.isBlank(scanner.position) else { throw scanner.invalid("a space") }
      end = scanner.position
      scanner.skipBlanks()
    }
    return start..<end
  }

  /// Returns the value of a reference, which differs for different anchors, because a reference refers to the
  /// last one defined before it.
  /// - Parameter start: The start of the reference, which ends at the scanner.
  func alias(from start: Int, in scanner: YAMLScanner) throws(MergeError) -> [UInt8] {
    guard let anchor = anchors[Array(scanner.bytes[(start + 1)..<scanner.position])] else {
      throw scanner.invalid("an anchor that stands before")
    }
    let again = anchor.count > 1 ? [0] + Array("\(anchor.count)".utf8) : []
    return scanner.bytes[start..<scanner.position] + [0] + anchor.place + again
  }
}
