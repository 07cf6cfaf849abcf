internal import DocumentFiles
package import Foundation

/// A name of a version, as a person types it.
///
/// | selector | version |
/// | --- | --- |
/// | `current` | the current version |
/// | `@` | the version that the document on disk was last saved as or written from |
/// | `1a2b3c4` | the version whose identifier begins with these digits; at least four |
/// | `~2` | two versions before the current one, following its first parents; `1a2b3c4~1` likewise |
/// | `conflict/1` | the first unresolved conflict version, as `log` lists them |
/// | `@{yesterday}`, `@{2 days ago}`, `@{yesterday 18:40}` | the version that was current then |
/// | `@{2026-11-20}`, `@{2026-11-20 14:30}`, `@{2026-11-20T14:30:00Z}` | likewise; a day means its end |
public struct VersionSelector: Sendable {
  private let text: String

  /// Creates a selector from text, whose meaning depends on the document.
  public init(_ text: String) {
    self.text = text
  }

  /// Finds the version in a document's history.
  ///
  /// - Parameters:
  ///   - history: the document's versions.
  ///   - now: the time from which "ago" counts.
  ///   - timeZone: the time zone in which days begin; by default the system's.
  /// - Throws: ``VersionError`` with code `noSuchVersion`, `ambiguousVersion` or `invalidArgument`.
  package func version(
    in history: DocumentHistory, now: Date = Date(), timeZone: TimeZone? = nil
  ) throws -> FileVersion {
    switch meaning {
    case .time(let time): return try version(at: time, history, now, LocalCalendar(timeZone))
    case .name(let name, let steps):
      let start = try name.isEmpty ? current(history) : named(name, history)
      guard let steps else { return start }
      guard let steps = steps.isEmpty ? 1 : Int(steps), steps >= 0 else { throw notFound(history) }
      return try version(steps, before: start, history)
    }
  }

  private enum Meaning {
    /// The text between the braces.
    case time(String)
    /// A version, and the text after the tilde.
    case name(String, steps: String?)
  }

  private var meaning: Meaning {
    if text.hasPrefix("@{"), text.hasSuffix("}") {
      return .time(String(text.dropFirst(2).dropLast()))
    }
    let parts = text.split(separator: "~", maxSplits: 1, omittingEmptySubsequences: false)
    return .name(String(parts[0]), steps: parts.count == 2 ? String(parts[1]) : nil)
  }

  /// Returns the place of the version in the list, if it can be determined without the list.
  func place(now: Date, timeZone: TimeZone?) -> ListedPlace.Wanted? {
    switch meaning {
    case .time(let time):
      return MomentInWords(calendar: LocalCalendar(timeZone), now: now).date(of: time)
        .map { .date($0) }
    case .name("", nil), .name("current", nil): return .steps(0)
    case .name("", let steps?), .name("current", let steps?):
      guard let count = steps.isEmpty ? 1 : Int(steps), count >= 0 else { return nil }
      return .steps(count)
    case .name(let digits, nil) where digits.utf8.count >= Self.fewestDigits:
      return .identifier(Array(digits.utf8))
    case .name: return nil
    }
  }

  private static let fewestDigits = 4

  private func named(_ name: String, _ history: DocumentHistory) throws -> FileVersion {
    if name == "current" { return try current(history) }
    if name == "@" {
      guard let shown = history.shown else { throw notFound(history) }
      return shown
    }
    if name.hasPrefix("conflict/") {
      let conflicts = history.unresolvedConflicts
      guard let number = Int(name.dropFirst("conflict/".count)),
        (1..<conflicts.count + 1).contains(number)
      else {
        let detail =
          switch conflicts.count {
          case 0: "It is in no conflict."
          case 1: "It has 1 unresolved conflict version."
          default: "It has \(conflicts.count) unresolved conflict versions."
          }
        throw notFound(history, detail)
      }
      return conflicts[number - 1]
    }
    let digits = name.lowercased()
    let found = history.versions.filter { $0.persistentIdentifier.description.hasPrefix(digits) }
    guard digits.utf8.count >= Self.fewestDigits || !digits.allSatisfy(\.isHexDigit) else {
      throw notFound(history, "An identifier needs four digits or more.")
    }
    guard let first = found.first else { throw notFound(history) }
    guard found.count == 1 else {
      let list = found.prefix(5).map { $0.persistentIdentifier.description.prefix(12) }
      throw VersionError(
        .ambiguousVersion, document: history.name,
        message: "“\(text)” could be \(found.count) versions: \(list.joined(separator: ", ")).",
        hint: "Type more of the identifier.")
    }
    return first
  }

  private func current(_ history: DocumentHistory) throws -> FileVersion {
    guard let current = history.current else { throw notFound(history) }
    return current
  }

  private func version(
    _ steps: Int, before start: FileVersion, _ history: DocumentHistory
  ) throws -> FileVersion {
    let line = history.line(from: start)
    guard line.indices.contains(steps) else {
      let count = line.count - 1
      throw notFound(
        history,
        """
        \(Self.words(count)) before \(start.persistentIdentifier.short).
        """)
    }
    return line[steps]
  }

  private static func words(_ count: Int) -> String {
    switch count {
    case 0: "There is no version"
    case 1: "There is only one version"
    default: "There are only \(count) versions"
    }
  }

  private func version(
    at time: String, _ history: DocumentHistory, _ now: Date,
    _ calendar: LocalCalendar
  ) throws -> FileVersion {
    guard let moment = MomentInWords(calendar: calendar, now: now).date(of: time) else {
      throw VersionError(
        .invalidArgument, document: history.name, message: "“\(time)” is not a time.",
        hint: "Try @{yesterday}, @{2 days ago}, @{2026-11-20} or @{2026-11-20 14:30}.")
    }
    let line = try history.line(from: current(history))
    guard let version = line.first(where: { $0.savingDate <= moment }) else {
      throw notFound(history, "“\(history.name)” had no version then.")
    }
    return version
  }

  private func notFound(_ history: DocumentHistory, _ detail: String? = nil) -> VersionError {
    let count = history.versions.count
    let newest =
      history.versions.first.map { "; the newest is \($0.persistentIdentifier.short)" } ?? ""
    return VersionError(
      .noSuchVersion, document: history.name,
      message: """
        “\(history.name)” has no version “\(text)”. \
        \(detail ?? "It has \(count) \(count == 1 ? "version" : "versions")\(newest).")
        """,
      recovery: .listVersions)
  }
}

extension DocumentHistory {
  /// The document's name, for messages.
  fileprivate var name: String { document.lastPathComponent }

  /// Returns a version and its line of first parents.
  ///
  /// It skips removed versions.
  func line(from start: FileVersion) -> [FileVersion] {
    let known = Dictionary(
      versions.map { ($0.persistentIdentifier, $0) }, uniquingKeysWith: { first, _ in first })
    var line = [start]
    // A removed parent leaves a gap that only dates can bridge.
    while let last = line.last, !last.parents.isEmpty {
      let before =
        last.parents.first.flatMap { known[$0] }
        ?? versions.first { $0.savingDate < last.savingDate && !$0.isConflict }
      guard let before else { break }
      line.append(before)
    }
    return line
  }
}

/// Times as people type them.
package struct MomentInWords {
  private let calendar: LocalCalendar
  private let now: Date
  /// True if a day, a minute or a second stands for its beginning, and not for its end.
  private let isBeginning: Bool

  package init(calendar: LocalCalendar, now: Date, isBeginning: Bool = false) {
    self.calendar = calendar
    self.now = now
    self.isBeginning = isBeginning
  }

  /// Returns the moment; `nil` if the text isn't a time.
  package func date(of text: String) -> Date? {
    let words = text.lowercased().split(separator: " ").map(String.init)
    switch words.count {
    case 1 where words[0] == "now": return now
    case 1, 2: return standard(words) ?? local(words)
    case 3 where words[2] == "ago": return ago(words[0], words[1])
    default: return nil
    }
  }

  private func ago(_ count: String, _ unit: String) -> Date? {
    let units: [String: LocalCalendar.Unit] = [
      "second": .second, "minute": .minute, "hour": .hour, "day": .day, "week": .week,
      "month": .month, "year": .year,
    ]
    let name = unit.hasSuffix("s") ? String(unit.dropLast()) : unit
    guard let count = Int(count), count >= 0, let unit = units[name] else { return nil }
    return calendar.date(byAdding: -count, unit, to: now)
  }

  /// Parses a day and an optional local time.
  private func local(_ words: [String]) -> Date? {
    guard let parts = day(words[0]) else { return nil }
    if words.count == 2 { return moment(parts, words[1]) }
    return calendar.date(of: parts).flatMap { isBeginning ? $0 : endOfDay($0) }
  }

  /// Parses ISO 8601, as in listings and JSON: `2026-11-20t14:30:00z`, with an offset, or without either.
  private func standard(_ words: [String]) -> Date? {
    guard words.count == 1, let sign = words[0].firstIndex(of: "t"),
      words[0].first?.isNumber == true
    else { return nil }
    let day = String(words[0][..<sign])
    let time = words[0][words[0].index(after: sign)...]
    guard let end = time.firstIndex(where: { "z+-".contains($0) }) else {
      return local([day, String(time)])
    }
    guard let seconds = Self.offset(time[end...]), let zone = TimeZone(secondsFromGMT: seconds)
    else { return nil }
    return MomentInWords(calendar: LocalCalendar(zone), now: now, isBeginning: isBeginning)
      .local([day, String(time[..<end])])
  }

  /// Returns the number of seconds by which "z", "+01:00" or "-0330" is ahead of UTC.
  private static func offset(_ text: Substring) -> Int? {
    if text == "z" { return 0 }
    let digits = text.dropFirst().filter { $0 != ":" }
    guard text.first != "z", digits.count == 4, areDigits(digits[...]),
      let hours = Int(digits.prefix(2)),
      let minutes = Int(digits.suffix(2)), (0..<24).contains(hours), (0..<60).contains(minutes)
    else { return nil }
    let seconds = hours * 3_600 + minutes * 60
    return text.first == "-" ? -seconds : seconds
  }

  private func day(_ word: String) -> LocalCalendar.Parts? {
    let days = ["today": 0, "yesterday": -1]
    if let count = days[word] {
      return calendar.date(byAdding: count, .day, to: now).map(calendar.parts(of:)).map {
        LocalCalendar.Parts(year: $0.year, month: $0.month, day: $0.day)
      }
    }
    guard let day = Self.numbers(in: word, between: "-"), day.count == 3 else { return nil }
    let parts = LocalCalendar.Parts(year: day[0], month: day[1], day: day[2])
    return LocalCalendar.has(parts) ? parts : nil
  }

  private func moment(_ day: LocalCalendar.Parts, _ time: String) -> Date? {
    // Listings omit the fraction of the second or of the millisecond.
    let parts = time.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
    let fraction = parts.count == 2 ? Self.fraction(parts[1]) : isBeginning ? 0 : 0.999
    guard let fraction, let time = Self.numbers(in: String(parts[0]), between: ":"),
      (parts.count == 2 ? 3...3 : 2...3).contains(time.count)
    else { return nil }
    var moment = day
    moment.hour = time[0]
    moment.minute = time[1]
    moment.second = time.count == 3 ? time[2] : isBeginning ? 0 : 59
    return LocalCalendar.has(moment)
      ? calendar.date(of: moment).map { $0 + fraction + (isBeginning ? 0 : 0.000_5) } : nil
  }

  /// Returns the fraction of a second for the digits after the point.
  private static func fraction(_ digits: Substring) -> Double? {
    guard !digits.isEmpty, areDigits(digits) else { return nil }
    return Double("0.\(digits)")
  }

  private static func areDigits(_ text: Substring) -> Bool {
    text.utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
  }

  /// Returns the numbers in a word; `nil` if it contains anything else.
  private static func numbers(in word: String, between separator: Character) -> [Int]? {
    let parts = word.split(separator: separator, omittingEmptySubsequences: false)
    let numbers = parts.filter(areDigits).compactMap { Int($0) }
    return numbers.count == parts.count ? numbers : nil
  }

  private func endOfDay(_ date: Date) -> Date? {
    calendar.date(byAdding: 1, .day, to: calendar.start(of: .day, holding: date))?
      .addingTimeInterval(-0.001)
  }
}
