/// Beancount ledgers: directives by their subjects, in any order.
extension DocumentFormat {
  static let beancount = DocumentFormat(
    "beancount", ["*.beancount", "*.bean"], engine: structure(DirectiveSyntax()),
    checks: ledgerChecks + [ClosedAccounts()])
}

/// Asks about accounts that one side closed, and in which the other side booked something after that day.
private struct ClosedAccounts: MergeCheck {
  func doubts(about merge: CleanMerge) -> [MergeDecision] {
    let found = accounts(in: merge.result)
    guard !found.isEmpty else { return [] }
    let known = merge.texts.map(accounts)
    return found.subtracting(known.ours).subtracting(known.theirs).sorted().map {
      .doubt("“\($0)” was closed by one side, and the other booked something in it after that.")
    }
  }

  /// Returns the accounts with postings after the day on which they were closed.
  private func accounts(in text: TextLines) -> Set<Substring> {
    guard text.has(" close ") else { return [] }
    var day: Substring = ""
    var closed: [Substring: Substring] = [:]
    var posted: [Substring: Substring] = [:]
    for number in 0..<text.count {
      let line = text.line(number)
      if let account = AccountNames.posted(by: line) {
        posted[account] = max(day, posted[account] ?? day)
      } else if line.first?.isNumber ?? false {
        let words = line.split(whereSeparator: \.isWhitespace)
        day = words[0]
        if words.count > 2, words[1] == "close" { closed[words[2]] = day }
      }
    }
    return Set(posted.filter { account, day in closed[account].map { $0 < day } ?? false }.keys)
  }
}

/// Directives with the lines below them, each as one value, because two changes of a transaction may not
/// balance.
private struct DirectiveSyntax: StructuredFormat {
  var name: String { "beancount" }

  /// Reads directives; comments and blank lines belong to the directive below them.
  func parse(_ text: [UInt8]) throws -> StructureTree {
    let lines = TextLines(text)
    var builder = StructureTreeBuilder(text)
    try builder.openDocument(.table)
    var (names, start, line): (Set<[UInt8]>, Int, Int) = ([], 0, 0)
    while line < lines.count {
      let first = line
      line += 1
      guard let name = try Self.name(of: lines[first..<line]) else { continue }
      guard names.insert(name).inserted else {
        throw MergeError(
          .invalidDocument, "“\(String(decoding: name, as: UTF8.self))” is there twice.")
      }
      while line < lines.count, Self.isPosting(lines[line]) { line += 1 }
      let whole = lines[first..<line]
      let end = whole.last == .lineFeed ? whole.endIndex - 1 : whole.endIndex
      builder.beginMember(at: start)
      builder.beginValue(at: whole.startIndex, name: name[...])
      builder.leaf(upTo: end, name: name)
      builder.endMember(separator: end..<end, end: whole.endIndex)
      start = whole.endIndex
    }
    return builder.finishDocument(tail: start)
  }

  /// Returns the subject of a directive; `nil` for a comment, a heading or a blank line.
  private static func name(of line: ArraySlice<UInt8>) throws(MergeError) -> [UInt8]? {
    guard let first = line.first, first > 0x20, !";*#!".utf8.contains(first) else {
      guard let mark = line.first(where: { !$0.isSpace }), line.first != mark,
        mark != UInt8(ascii: ";")
      else { return nil }
      throw MergeError(.invalidDocument, "A posting belongs to no directive.")
    }
    let words = line.split(whereSeparator: \.isSpace).map(Array.init)
    guard first.isDigit, words.count > 2 else {
      let isApart = ["option", "include", "plugin"].contains { line.starts(with: $0.utf8) }
      // A push or pop applies to the directives between them.
      guard isApart else {
        throw MergeError(.invalidDocument, "A line depends on those around it.")
      }
      // An option has one value, unless it is a list.
      let isOption = words.count > 2 && words[0].elementsEqual("option".utf8)
      let isSingle = isOption && !lists.contains(words[1])
      return Array((isSingle ? words.prefix(2) : words[...]).joined(separator: [0x20]))
    }
    switch String(decoding: words[1], as: UTF8.self) {
    case "open", "close", "commodity": return Array(words[1...2].joined(separator: [0x20]))
    case "balance", "price", "pad": return Array(words[0...2].joined(separator: [0x20]))
    default: return Array(words.joined(separator: [0x20]))
    }
  }

  /// The options that may be given several times.
  private static let lists = Set(
    [
      "operating_currency", "documents", "plugin", "inferred_tolerance_default",
      "display_precision",
    ].map { Array("\"\($0)\"".utf8) })

  private static func isPosting(_ line: ArraySlice<UInt8>) -> Bool {
    (line.first == 0x20 || line.first == 0x09) && !line.allSatisfy(\.isSpace)
  }

  func text(ofLeaf leaf: ArraySlice<UInt8>) -> [UInt8]? { nil }
}
