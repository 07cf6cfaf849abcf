/// The headings of releases in a change log, in the forms of Markdown, reStructuredText, plain text and Debian.
struct ChangeLog {
  private struct Heading {
    let line: Int
    /// Indicates whether the release is yet to come.
    let isUpcoming: Bool
  }

  private let headings: [Heading]

  /// The lines that are read: changes that are yet to be released stand at the top.
  private static let limit = 2000

  /// Reads a text.
  init(_ text: TextLines) {
    func line(_ number: Int) -> ArraySlice<UInt8> {
      number < text.count ? text[number..<number + 1].drop { $0 == 0x20 } : []
    }
    var headings: [Heading] = []
    for number in 0..<min(text.count, Self.limit) {
      let words = line(number)
      guard let first = words.first, first >= 0x20 else { continue }
      let isMarked = first == UInt8(ascii: "#")
      let isUnderlined = line(number + 1).isUnderline
      let isAlone = number == 0 || line(number - 1).allSatisfy(\.isSpace)
      guard isMarked || isUnderlined || isAlone, words.count < 200 else { continue }
      let title = words.drop { $0 == UInt8(ascii: "#") }
      guard isMarked ? title.count < words.count && title.first == 0x20 : true,
        let isUpcoming = ReleaseTitle(title, isHeading: isMarked || isUnderlined)?.isUpcoming
      else { continue }
      headings.append(Heading(line: number, isUpcoming: isUpcoming))
    }
    self.headings = headings
  }

  /// Indicates whether any of the releases is yet to come.
  var hasUpcoming: Bool { headings.contains(where: \.isUpcoming) }

  /// Returns whether what stands before a line belongs to a release that is yet to come; `nil` for no release.
  func isUpcoming(before line: Int) -> Bool? { headings.last { $0.line < line }?.isUpcoming }

  /// Returns whether there is a heading of a release among some lines.
  func hasHeading(in lines: Range<Int>) -> Bool { headings.contains { lines.contains($0.line) } }
}

/// The title of a release.
private struct ReleaseTitle {
  let isUpcoming: Bool

  /// The words for a release that is yet to come.
  private static let upcoming: Set<String> = [
    "unreleased", "upcoming", "next", "head", "__next__", "tbd", "tba", "trunk",
  ]

  /// Reads a title; `nil` if it is none of a release.
  /// - Parameter isHeading: Whether it is marked as a heading; a line that stands alone has to say more.
  init?(_ title: ArraySlice<UInt8>, isHeading: Bool) {
    let text = String(decoding: title, as: UTF8.self).lowercased()
    let words = text.split { !($0.isLetter || $0.isNumber || "._-".contains($0)) }
    guard let first = words.first, words.count <= 12 else { return nil }
    if text.contains("; urgency=") {
      isUpcoming = words.contains("unreleased")
      return
    }
    let hasVersion = Self.isVersion(first) || words.count > 1 && Self.isVersion(words[1])
    let isNamed = words.contains { Self.upcoming.contains(String($0)) }
    let isNamedFirst = Self.upcoming.contains(String(first))
    if isNamedFirst, isHeading ? words.count <= 4 : words.count == 1 {
      isUpcoming = true
    } else if hasVersion, isHeading || Self.isVersion(first) && words.count <= 5 {
      isUpcoming = isNamed
    } else {
      return nil
    }
  }

  /// Returns whether a word is a version of two numbers or more, such as `v1.2.0-rc.1`.
  private static func isVersion(_ word: Substring) -> Bool {
    let numbers = word.drop { $0 == "v" }.prefix { $0 != "-" }
    let parts = numbers.split(separator: ".", omittingEmptySubsequences: false)
    return parts.count > 1
      && parts.prefix(2).allSatisfy { part in
        !part.isEmpty && part.allSatisfy(\.isNumber)
      }
  }
}

extension ArraySlice<UInt8> {
  /// Indicates whether a line underlines the one above it.
  fileprivate var isUnderline: Bool {
    let marks = prefix { $0 != .lineFeed && $0 != .carriageReturn }
    guard let first = marks.first, marks.count >= 3, "=-~^*+\"'`".utf8.contains(first) else {
      return false
    }
    return marks.allSatisfy { $0 == first }
  }
}
