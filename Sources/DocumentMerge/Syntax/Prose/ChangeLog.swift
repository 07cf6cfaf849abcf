/// The headings of releases in a change log, in the forms of Markdown, reStructuredText, AsciiDoc, plain text, Debian and
/// others.
struct ChangeLog {
  /// The form of a heading, which is the same for all releases of a log.
  private enum Form: Hashable {
    case marked(Int), underlined(UInt8), line
  }

  private struct Heading {
    let line: Int
    let form: Form
    /// Indicates whether the release is yet to come.
    let isUpcoming: Bool
  }

  private var headings: [Heading]

  /// Reads a text.
  init(_ text: TextLines) {
    func line(_ number: Int) -> ArraySlice<UInt8> {
      number < text.count ? text[number..<number + 1].drop { $0 == 0x20 } : []
    }
    var headings: [Heading] = []
    var isCode = false
    for number in 0..<text.count {
      let words = line(number)
      guard let first = words.first, first >= 0x21, words.count < 200 else { continue }
      if words.starts(with: "```".utf8) { isCode.toggle() }
      // What is indented is an entry, or code.
      guard !isCode, words.startIndex - text.place(of: number).lowerBound < 4 else { continue }
      // Equals signs and asterisks around a title mark it, too.
      let marks = words.prefix { $0 == first && "#=*".utf8.contains($0) }
      let isMarked = marks.count > 0 && (first != UInt8(ascii: "*") || marks.count == 2)
      let underline = line(number + 1).underline
      let isAlone =
        number == 0 || headings.last?.line == number - 1 || line(number - 1).allSatisfy(\.isSpace)
      guard isMarked || underline != nil || isAlone else { continue }
      var title = isMarked ? words.dropFirst(marks.count) : words
      let isCommand = words.starts(with: "\\".utf8) && words.contains(UInt8(ascii: "{"))
      if isCommand {
        title = words.drop { $0 != UInt8(ascii: "{") }.prefix { $0 != UInt8(ascii: "}") }
      }
      guard first != UInt8(ascii: "#") || title.first == 0x20,
        let title = ReleaseTitle(title, isHeading: isMarked || isCommand || underline != nil)
      else { continue }
      let form: Form =
        isMarked ? .marked(marks.count) : underline.map { .underlined($0) } ?? .line
      headings.append(Heading(line: number, form: form, isUpcoming: title.isUpcoming))
    }
    self.headings = headings
  }

  /// The lines of the heading of what is yet to come, if nothing stands below it, and of that of the release behind it.
  func emptyUpcoming(in text: TextLines) -> (upcoming: Int, release: Int)? {
    guard let place = headings.firstIndex(where: \.isUpcoming), place + 1 < headings.count,
      !headings[place + 1].isUpcoming
    else { return nil }
    let (upcoming, release) = (headings[place], headings[place + 1].line)
    var start = upcoming.line + 1
    if case .underlined = upcoming.form { start += 1 }
    guard start < release, text[start..<release].allSatisfy(\.isSpace) else { return nil }
    return (upcoming.line, release)
  }

  /// The line of a heading that is equal to another one.
  func line(ofHeading heading: ArraySlice<UInt8>, in text: TextLines) -> Int? {
    headings.first { text[$0.line..<$0.line + 1] == heading }?.line
  }

  /// Indicates whether any of the releases is yet to come.
  var hasUpcoming: Bool { headings.contains(where: \.isUpcoming) }

  /// Indicates whether any of the releases is out.
  var hasReleased: Bool { headings.contains { !$0.isUpcoming } }

  /// The same log with only the headings of the form that those of releases have in another one.
  ///
  /// Other headings that name a version are about something else.
  func only(headingsOf other: ChangeLog) -> ChangeLog {
    let forms = Set(other.headings.filter(\.isUpcoming).map(\.form))
    guard other.headings.contains(where: { !$0.isUpcoming && forms.contains($0.form) }) else {
      return self
    }
    var log = self
    log.headings.removeAll { !forms.contains($0.form) }
    return log
  }

  /// Returns whether what stands before a line belongs to a release that is yet to come; `nil` for no release.
  func isUpcoming(before line: Int) -> Bool? {
    let next = headings.partitioningIndex { $0.line >= line }
    return next > 0 ? headings[next - 1].isUpcoming : nil
  }

  /// Returns whether there is a heading of a release among some lines.
  func hasHeading(in lines: Range<Int>) -> Bool { headings.contains { lines.contains($0.line) } }
}

/// The title of a release.
private struct ReleaseTitle {
  let isUpcoming: Bool

  /// The words for a release that is yet to come.
  private static let upcoming: Set<String> = [
    "unreleased", "upcoming", "next", "v.next", "head", "tbd", "tba", "tbc", "trunk", "vnext",
    "unpublished", "develop", "dev", "devel", "master", "main", "nightly", "edge", "wip", "pending",
    "current", "future", "snapshot", "latest", "draft", "soon", "forthcoming", "yyyy-mm-dd",
    "xxxx-xx-xx", "20xx-xx-xx", "yyyy",
  ]
  /// The words that may stand around a version or a word for what is yet to come.
  private static let around: Set<String> = [
    "version", "release", "released", "releases", "changes", "change", "in", "of", "the", "new",
    "what", "s", "whats", "news", "for", "since", "notes", "to", "be", "not", "yet", "date", "on",
    "development", "progress", "major", "minor", "patch", "candidate", "branch", "coming",
  ]

  /// The phrases for it.
  private static let phrases = [
    "not yet released", "not released", "to be released", "in development", "in progress",
    "under development",
  ]

  /// Reads a title; `nil` if it is none of a release.
  /// - Parameter isHeading: Whether it is marked as a heading; a line that stands alone has to say more.
  init?(_ title: ArraySlice<UInt8>, isHeading: Bool) {
    let text = String(decoding: title, as: UTF8.self).lowercased()
    let words = text.split { !($0.isLetter || $0.isNumber || "._-+".contains($0)) }
      .map { word in word.drop { "._-+".contains($0) }.trimmingSuffix { "._-+".contains($0) } }
      .filter { !$0.isEmpty }
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
    // Besides what it is about, a title says little else.
    let rest = words.count { word in
      let word = String(word)
      return !Self.around.contains(word) && !Self.upcoming.contains(word) && !Self.isDate(word[...])
    }
    let isPlainTitle = isHeading ? words.count <= 6 : words.count <= 3 && text.first != "-"
    // A title starts with a version, or with the name of what is released.
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

  /// Returns whether a word is a version of two numbers or more, such as `v1.2.0-rc.1`.
  private static func isVersion(_ word: Substring) -> Bool {
    let numbers = word.drop { $0 == "v" }.prefix { $0 != "-" && $0 != "+" }
    let parts = numbers.split(separator: ".", omittingEmptySubsequences: false)
    return parts.count > 1
      && parts.prefix(2).allSatisfy { part in
        !part.isEmpty && (part.allSatisfy(\.isNumber) || part == "x")
      }
  }

  /// Returns whether a version is of the time before its release, such as `1.2.0-SNAPSHOT` and `1.2.dev0`.
  private static func isBeforeRelease(_ version: Substring) -> Bool {
    ["-snapshot", "-dev", ".dev", "-unreleased", "-wip", ".x"].contains { version.contains($0) }
  }

  /// Returns whether a word is a date such as `2024-05-01`.
  private static func isDate(_ word: Substring) -> Bool {
    let parts = word.split(separator: "-", omittingEmptySubsequences: false)
    return parts.map(\.count) == [4, 2, 2] && parts.allSatisfy { $0.allSatisfy(\.isNumber) }
  }
}

extension ArraySlice<UInt8> {
  /// The sign by which a line underlines the one above it; `nil` if it does not.
  var underline: UInt8? {
    let marks = prefix { $0 != .lineFeed && $0 != .carriageReturn }
    guard let first = marks.first, marks.count >= 3, "=-~^*+\"'`".utf8.contains(first) else {
      return nil
    }
    return marks.allSatisfy { $0 == first } ? first : nil
  }
}
