/// The headings of releases in a change log, in the forms of Markdown, reStructuredText, AsciiDoc, plain
/// text, Debian and others.
struct ChangeLog {
  /// The forms of documents with change logs that aren't text for people.
  enum Form {
    /// Headings of HTML, and elements of releases.
    case markup
    /// Records with a version.
    case data
  }

  /// The style of a heading, which is the same for all releases of a log.
  fileprivate enum Style: Hashable {
    case marked(Int), underlined(UInt8), line
  }

  fileprivate struct Heading {
    let line: Int
    let style: Style
    /// True if the release is upcoming.
    let isUpcoming: Bool
  }

  private var headings: [Heading]

  /// Reads a text.
  init(_ text: TextLines) {
    func line(_ number: Int) -> ArraySlice<UInt8> {
      number < text.count ? text[number].drop { $0 == 0x20 } : []
    }
    var headings: [Heading] = []
    var isCode = false
    for number in 0..<text.count {
      let words = line(number)
      guard let first = words.first, first >= 0x21, words.count < 200 else { continue }
      if words.starts(with: "```".utf8) { isCode.toggle() }
      // An indented line is an entry, or code.
      guard !isCode, words.startIndex - text.place(of: number).lowerBound < 4 else { continue }
      // Equals signs and asterisks around a title also mark it.
      let marks = words.prefix { $0 == first && "#=*".utf8.contains($0) }
      let isMarked = marks.count > 0 && (first != UInt8(ascii: "*") || marks.count == 2)
      let underline = line(number + 1).underline
      let isAlone =
        number == 0 || line(number - 1).starts(with: "%changelog".utf8)
        || headings.last?.line == number - 1 || line(number - 1).allSatisfy(\.isSpace)
      guard isMarked || underline != nil || isAlone else { continue }
      var title = isMarked ? words.dropFirst(marks.count) : words
      let isCommand = words.starts(with: "\\".utf8) && words.contains(UInt8(ascii: "{"))
      if isCommand {
        title = words.drop { $0 != UInt8(ascii: "{") }.prefix { $0 != UInt8(ascii: "}") }
      }
      guard first != UInt8(ascii: "#") || title.first == 0x20,
        let title = ReleaseTitle(title, isHeading: isMarked || isCommand || underline != nil)
      else { continue }
      let style: Style =
        isMarked ? .marked(marks.count) : underline.map { .underlined($0) } ?? .line
      headings.append(Heading(line: number, style: style, isUpcoming: title.isUpcoming))
    }
    self.headings = headings
  }

  /// Returns the line of the heading of upcoming changes, if nothing is below it, and that of the next
  /// release.
  func emptyUpcoming(in text: TextLines) -> (upcoming: Int, release: Int)? {
    guard let place = headings.firstIndex(where: \.isUpcoming), place + 1 < headings.count,
      !headings[place + 1].isUpcoming
    else { return nil }
    let (upcoming, release) = (headings[place], headings[place + 1].line)
    var start = upcoming.line + 1
    if case .underlined = upcoming.style { start += 1 }
    guard start < release, text[start..<release].allSatisfy(\.isSpace) else { return nil }
    return (upcoming.line, release)
  }

  /// Returns the line of a heading that is equal to another one.
  func line(ofHeading heading: ArraySlice<UInt8>, in text: TextLines) -> Int? {
    headings.first { text[$0.line..<$0.line + 1] == heading }?.line
  }

  /// True if any of the releases is upcoming.
  var hasUpcoming: Bool { headings.contains(where: \.isUpcoming) }

  /// True if any of the releases is published.
  var hasReleased: Bool { headings.contains { !$0.isUpcoming } }

  /// Returns the same log with only the headings in the form of another log's headings.
  ///
  /// Other headings with a version aren't about releases.
  func only(headingsOf other: ChangeLog) -> ChangeLog {
    let styles = Set(other.headings.filter(\.isUpcoming).map(\.style))
    guard other.headings.contains(where: { !$0.isUpcoming && styles.contains($0.style) }) else {
      return self
    }
    var log = self
    log.headings.removeAll { !styles.contains($0.style) }
    return log
  }

  /// Returns whether the text before a line belongs to an upcoming release; `nil` if it belongs to no
  /// release.
  func isUpcoming(before line: Int) -> Bool? {
    let next = headings.partitioningIndex { $0.line >= line }
    return next > 0 ? headings[next - 1].isUpcoming : nil
  }

  /// Returns whether lines include the heading of a release.
  func hasHeading(in lines: Range<Int>) -> Bool { headings.contains { lines.contains($0.line) } }
}

// MARK: Markup and data

extension ChangeLog {
  /// Reads a document.
  init(_ text: TextLines, _ form: Form) {
    headings = (0..<text.count).compactMap { number in
      let line = text[number].drop { $0 == 0x20 || $0 == 0x09 }
      guard line.count < 400, let title = Self.title(of: line, form) else { return nil }
      guard title.isDevelopment || !title.text.isEmpty else { return nil }
      if title.isDevelopment {
        return Heading(line: number, style: .line, isUpcoming: true)
      }
      return ReleaseTitle(title.text, isHeading: true).map {
        Heading(line: number, style: .line, isUpcoming: $0.isUpcoming)
      }
    }
  }

  /// Returns the title of a release in a line of markup or data; `nil` for other lines.
  private static func title(
    of line: ArraySlice<UInt8>, _ form: Form
  ) -> (text: ArraySlice<UInt8>, isDevelopment: Bool)? {
    func isQuote(_ byte: UInt8) -> Bool { byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") }
    if form == .data {
      var rest = line.drop { "- {".utf8.contains($0) }.drop(while: isQuote)
      guard let key = ["version", "release", "tag"].first(where: { rest.starts(with: $0.utf8) })
      else { return nil }
      rest = rest.dropFirst(key.utf8.count).drop(while: isQuote).drop { $0 == 0x20 }
      guard rest.first == UInt8(ascii: ":") else { return nil }
      return (
        rest.dropFirst().drop { $0 == 0x20 }.drop(while: isQuote).prefix {
          !isQuote($0) && $0 != UInt8(ascii: ",")
        }, false
      )
    }
    if line.starts(with: "<release".utf8), let start = line.range(of: Array("version=".utf8)) {
      let isDevelopment = line.range(of: Array("\"development\"".utf8)) != nil
      return (line[start.upperBound...].drop(while: isQuote).prefix { !isQuote($0) }, isDevelopment)
    }
    guard line.starts(with: "<h".utf8), let level = line.dropFirst(2).first,
      (0x31...0x36).contains(level)
    else { return nil }
    // The contents of tags aren't part of the title.
    var (title, isTag): ([UInt8], Bool) = ([], false)
    for byte in line where byte != .lineFeed {
      if byte == UInt8(ascii: "<") { isTag = true }
      if !isTag { title.append(byte) }
      if byte == UInt8(ascii: ">") { isTag = false }
    }
    return (title[...], false)
  }
}

/// The title of a release.
private struct ReleaseTitle {
  let isUpcoming: Bool

  /// The words for an upcoming release.
  private static let upcoming: Set<String> = [
    "unreleased", "upcoming", "next", "v.next", "head", "tbd", "tba", "tbc", "trunk", "vnext",
    "unpublished", "develop", "dev", "devel", "master", "main", "nightly", "edge", "wip", "pending",
    "current", "future", "snapshot", "latest", "draft", "soon", "forthcoming", "yyyy-mm-dd",
    "xxxx-xx-xx", "20xx-xx-xx", "yyyy",
  ]
  /// The words that may surround a version or a word for an upcoming release.
  private static let around: Set<String> = [
    "version", "release", "released", "releases", "changes", "change", "in", "of", "the", "new",
    "what", "s", "whats", "news", "for", "since", "notes", "to", "be", "not", "yet", "date", "on",
    "development", "progress", "major", "minor", "patch", "candidate", "branch", "coming",
  ]

  private static let days: Set<Substring> = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"]

  /// The phrases for an upcoming release.
  private static let phrases = [
    "not yet released", "not released", "to be released", "in development", "in progress",
    "under development",
  ]

  /// Reads a title; `nil` if it isn't the title of a release.
  /// - Parameter isHeading: Whether it is marked as a heading; a separate line must be more specific.
  init?(_ title: ArraySlice<UInt8>, isHeading: Bool) {
    guard isHeading || Self.mayStandAlone(title) else { return nil }
    let text = String(decoding: title, as: UTF8.self).lowercased()
    let words = text.split { !($0.isLetter || $0.isNumber || "._-+".contains($0)) }
      .map { word in word.drop { "._-+".contains($0) }.trimmingSuffix { "._-+".contains($0) } }
      .filter { !$0.isEmpty }
    // The heading of a package's log: a day, a person, and the version after a dash.
    if let day = words.first, Self.days.contains(day), text.contains("@") {
      let behind = text.split(separator: ">").last?.split { " -:\n".contains($0) } ?? []
      guard !behind.isEmpty, text.contains(">") else { return nil }
      isUpcoming = behind.contains { Self.upcoming.contains(String($0)) }
      return
    }
    guard let first = words.first, words.count <= 12 else { return nil }
    if text.contains("; urgency=") {
      isUpcoming = words.contains("unreleased")
      return
    }
    let isNotReleased = Self.phrases.contains { text.contains($0) }
    let version = words.prefix(5).first(where: Self.isVersion)
    let isNamed =
      isNotReleased || words.contains { Self.upcoming.contains(String($0)) }
      || version.map(Self.isBeforeRelease) ?? false
    // Besides its subject, a title has few words.
    let rest = words.count { word in
      let word = String(word)
      return !Self.around.contains(word) && !Self.upcoming.contains(word) && !Self.isDate(word[...])
    }
    let isPlainTitle = isHeading ? words.count <= 6 : words.count <= 3 && text.first != "-"
    // A title starts with a version, or with the name of the released product.
    let names = words.prefix { !Self.isVersion($0) }.count { !Self.around.contains(String($0)) }
    if version != nil, names <= 1, isHeading || names == 0 && words.count <= 6 {
      isUpcoming = isNamed
    } else if isNamed, rest == 0, isPlainTitle,
      isHeading || Self.upcoming.contains(String(first)) && words.count <= 2
    {
      isUpcoming = true
    } else if isHeading, Self.isDate(first), words.count <= 3 {
      isUpcoming = isNamed
    } else {
      return nil
    }
  }

  /// Returns whether a line without marks may be a title, because it has few words, or is in a package's log.
  private static func mayStandAlone(_ line: ArraySlice<UInt8>) -> Bool {
    func isPartOfWord(_ byte: UInt8) -> Bool {
      byte.isLetter || byte.isDigit
    }
    return line.split(separator: 0x20).count { $0.contains(where: isPartOfWord) } <= 6
      || line.contains { $0 == UInt8(ascii: "@") || $0 == UInt8(ascii: ";") }
  }

  /// Returns whether a word is a version with at least two numbers, such as `v1.2.0-rc.1`.
  private static func isVersion(_ word: Substring) -> Bool {
    let numbers = word.drop { $0 == "v" }.prefix { $0 != "-" && $0 != "+" }
    let parts = numbers.split(separator: ".", omittingEmptySubsequences: false)
    return parts.count > 1
      && parts.prefix(2).allSatisfy { part in
        !part.isEmpty && (part.allSatisfy(\.isNumber) || part == "x")
      }
  }

  /// Returns whether a version is from before its release, such as `1.2.0-SNAPSHOT` and `1.2.dev0`.
  private static func isBeforeRelease(_ version: Substring) -> Bool {
    ["-snapshot", "-dev", ".dev", "-unreleased", "-wip", ".x"].contains { version.contains($0) }
  }

  /// Returns whether a word is a date such as `2024-05-01`.
  private static func isDate(_ word: Substring) -> Bool {
    let parts = word.split(separator: "-", omittingEmptySubsequences: false)
    return parts.map(\.count) == [4, 2, 2] && parts.allSatisfy { $0.allSatisfy(\.isNumber) }
  }
}

extension Collection<UInt8> {
  /// The sign with which a line underlines the one above it; `nil` if it doesn't.
  var underline: UInt8? {
    guard let first, "=-~^*+\"'`".utf8.contains(first) else { return nil }
    let marks = prefix { $0 == first }
    let next = self[marks.endIndex...].first
    guard marks.count >= 3 else { return nil }
    return next == nil || next == .lineFeed || next == .carriageReturn ? first : nil
  }
}
