internal import DocumentFiles
public import Foundation

/// What people type to name a version.
///
/// | selector | version |
/// | --- | --- |
/// | `current` | the current one |
/// | `1a2b3c4` | the one whose identifier begins so; at least four digits |
/// | `~2` | two before the current one, along its own line; `1a2b3c4~1` likewise |
/// | `conflict/1` | the first unresolved conflict version, as `log` lists them |
/// | `@{yesterday}`, `@{2 days ago}`, `@{2026-11-20}`, `@{2026-11-20 14:30}` | the one that was current then |
public struct VersionSelector: Sendable {
  private let text: String

  /// Keeps the text; what it means depends on the document.
  public init(_ text: String) {
    self.text = text
  }

  /// Finds the version in a document's history.
  ///
  /// - Parameters:
  ///   - history: the document's versions.
  ///   - now: what "ago" counts from.
  ///   - timeZone: where days begin; by default where the system is.
  /// - Throws: ``VersionError`` with code `noSuchVersion`, `ambiguousVersion` or `invalidArgument`.
  public func version(
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
    /// What stands between the braces.
    case time(String)
    /// A version, and what stands behind the tilde.
    case name(String, steps: String?)
  }

  private var meaning: Meaning {
    if text.hasPrefix("@{"), text.hasSuffix("}") {
      return .time(String(text.dropFirst(2).dropLast()))
    }
    let parts = text.split(separator: "~", maxSplits: 1, omittingEmptySubsequences: false)
    return .name(String(parts[0]), steps: parts.count == 2 ? String(parts[1]) : nil)
  }

  /// Where the version stands in the list, as far as that can be said without the list.
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
    if name.hasPrefix("conflict/") {
      let conflicts = history.unresolvedConflicts
      guard let number = Int(name.dropFirst("conflict/".count)),
        (1..<conflicts.count + 1).contains(number)
      else {
        throw notFound(
          history, "“\(history.name)” has \(conflicts.count) unresolved conflict versions.")
      }
      return conflicts[number - 1]
    }
    let digits = name.lowercased()
    let found = history.versions.filter { $0.persistentIdentifier.description.hasPrefix(digits) }
    guard digits.utf8.count >= Self.fewestDigits, let first = found.first else {
      throw notFound(history)
    }
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
        \(count == 1 ? "There is only one version" : "There are only \(count) versions") before \
        \(start.persistentIdentifier.short).
        """)
    }
    return line[steps]
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
      suggestion: SuggestedCommand("List them", "log"))
  }
}

extension DocumentHistory {
  /// The document's name, for messages.
  fileprivate var name: String { document.lastPathComponent }

  /// A version and those before it, each the first one that the next was made from.
  ///
  /// Versions that were removed are stepped over.
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
struct MomentInWords {
  let calendar: LocalCalendar
  let now: Date

  /// The moment; of a day without a time, its end.
  ///
  /// Nil for what is no time.
  func date(of text: String) -> Date? {
    let words = text.lowercased().split(separator: " ").map(String.init)
    switch words.count {
    case 1 where words[0] == "now": return now
    case 1 where words[0] == "today": return endOfDay(now)
    case 1 where words[0] == "yesterday":
      return calendar.date(byAdding: -1, .day, to: now).flatMap(endOfDay)
    case 3 where words[2] == "ago": return ago(words[0], words[1])
    case 1, 2: return fixed(words)
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

  private func fixed(_ words: [String]) -> Date? {
    guard let day = Self.numbers(in: words[0], between: "-"), day.count == 3 else { return nil }
    var parts = LocalCalendar.Parts(year: day[0], month: day[1], day: day[2])
    guard LocalCalendar.has(parts) else { return nil }
    guard words.count == 2 else { return calendar.date(of: parts).flatMap(endOfDay) }
    guard let time = Self.numbers(in: words[1], between: ":"), (2...3).contains(time.count) else {
      return nil
    }
    parts.hour = time[0]
    parts.minute = time[1]
    parts.second = time.count == 3 ? time[2] : 59
    return LocalCalendar.has(parts) ? calendar.date(of: parts) : nil
  }

  /// The numbers that a word is made of; nil where something else is among them.
  private static func numbers(in word: String, between separator: Character) -> [Int]? {
    let parts = word.split(separator: separator, omittingEmptySubsequences: false)
    let numbers = parts.compactMap { Int($0) }
    return numbers.count == parts.count ? numbers : nil
  }

  private func endOfDay(_ date: Date) -> Date? {
    calendar.date(byAdding: 1, .day, to: calendar.start(of: .day, holding: date))?
      .addingTimeInterval(-0.001)
  }
}
