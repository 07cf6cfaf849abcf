/// The heading of a release's notes, such as `## [1.2.0] - 2024-05-01`.
struct ReleaseHeading {
  /// The number of `#` characters; 0 for a line that starts with the version.
  let level: Int
  /// The numbers of the version without trailing zeros; for unreleased changes, a number higher than all
  /// versions.
  let version: [Int]

  /// The words in the heading of unreleased changes.
  private static let upcoming = ["unreleased", "upcoming", "head", "next"]

  /// Reads a line; `nil` if it isn't such a heading.
  init?(_ line: ArraySlice<UInt8>) {
    let marks = line.prefix { $0 == UInt8(ascii: "#") }
    level = marks.count
    var rest = line.dropFirst(marks.count)
    guard level == 0 || rest.first == 0x20 else { return nil }
    rest = rest.drop { $0 == 0x20 || $0 == UInt8(ascii: "[") }
    let word = String(decoding: rest.prefix(while: \.isLetter), as: UTF8.self)
    if level > 0, Self.upcoming.contains(word.lowercased()) {
      version = [.max]
      return
    }
    if rest.first == UInt8(ascii: "v") { rest = rest.dropFirst() }
    let digits = rest.prefix { $0 == UInt8(ascii: ".") || $0.isDigit }
    let parts = digits.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
    let numbers = parts.compactMap { Int(String(decoding: $0, as: UTF8.self)) }
    // A version before a release has letters after its numbers, so the numbers don't determine its order.
    let end = rest.dropFirst(digits.count).first ?? 0x20
    guard numbers.count > 1, numbers.count == parts.count, " ])(:\n\r".utf8.contains(end) else {
      return nil
    }
    version = Array(numbers.reversed().drop { $0 == 0 }.reversed())
  }

  func isAfter(_ other: ReleaseHeading) -> Bool {
    other.version.lexicographicallyPrecedes(version)
  }
}

/// The notes of releases, newest first, if both sides added some.
struct ReleaseNotes {
  private struct Release {
    let heading: ReleaseHeading
    let bytes: ArraySlice<UInt8>
  }

  private let releases: [Release]

  /// Reads the notes that a side added; `nil` if it also added something else.
  private init?(_ lines: Range<Int>, of text: TextLines, _ kinds: [ProseLine]) {
    guard let level = Self.heading(lines.lowerBound, text, kinds)?.level else { return nil }
    func isHeading(_ line: Int, atMost level: Int) -> Bool {
      let marks = text[line].prefix { $0 == UInt8(ascii: "#") }.count
      return marks > 0 && marks <= level
    }
    var starts: [(line: Int, heading: ReleaseHeading)] = []
    for line in lines {
      if let heading = Self.heading(line, text, kinds), heading.level == level {
        starts.append((line, heading))
      } else if kinds[line] == .single, isHeading(line, atMost: level) {
        return nil
      }
    }
    let ends = starts.dropFirst().map(\.line) + [lines.upperBound]
    guard ends.allSatisfy({ kinds[$0 - 1] == .blank }) else { return nil }
    releases = zip(starts, ends).map { start, end in
      Release(heading: start.heading, bytes: text[start.line..<end])
    }
  }

  private static func heading(_ line: Int, _ text: TextLines, _ kinds: [ProseLine])
    -> ReleaseHeading?
  {
    kinds[line] == .code ? nil : ReleaseHeading(text[line])
  }

  /// Returns the notes that both sides added at one place, in the order of their versions.
  /// - Returns: `nil` if the document has a different order, or one release has two notes.
  static func merged(_ region: TextRegion, context: ProseContext) -> [UInt8]? {
    let (text, kinds) = (context.text, context.kinds)
    guard region.base.isEmpty, !region.ours.isEmpty, !region.theirs.isEmpty,
      let ours = ReleaseNotes(region.ours, of: text.ours, kinds.ours),
      let theirs = ReleaseNotes(region.theirs, of: text.theirs, kinds.theirs),
      let level = ours.releases.first?.heading.level, level == theirs.releases.first?.heading.level
    else { return nil }
    func heading(_ line: Int) -> ReleaseHeading? {
      Self.heading(line, text.base, kinds.base).flatMap { $0.level == level ? $0 : nil }
    }
    let place = region.base.lowerBound
    guard place < kinds.base.count, let next = heading(place) else { return nil }
    let known = Set(ours.releases.map(\.bytes))
    let all = (ours.releases + theirs.releases.filter { !known.contains($0.bytes) })
      .sorted { $0.heading.isAfter($1.heading) }
    let before = (0..<place).reversed().lazy.compactMap(heading).first
    let headings = [before].compactMap { $0 } + all.map(\.heading) + [next]
    guard zip(headings, headings.dropFirst()).allSatisfy({ $0.isAfter($1) }),
      !hasDoubledLine(all.map(\.bytes))
    else { return nil }
    return all.flatMap(\.bytes)
  }

  /// Returns whether two releases have a line in common that isn't a heading, because that change was written
  /// twice.
  private static func hasDoubledLine(_ releases: [ArraySlice<UInt8>]) -> Bool {
    var seen: Set<ArraySlice<UInt8>> = []
    for release in releases {
      let lines = Set(release.split(separator: .lineFeed)).filter { line in
        line.first != UInt8(ascii: "#") && line.last != UInt8(ascii: ":")
          && line.contains { !" -=*_\r".utf8.contains($0) }
      }
      guard seen.isDisjoint(with: lines) else { return true }
      seen.formUnion(lines)
    }
    return false
  }
}
