internal import DocumentVersions
internal import Foundation

extension Timestamp {
  /// From the first day of the year 1 to the last of 9999: what records can have.
  static let possible =
    Date(timeIntervalSince1970: -62_135_596_800)...Date(timeIntervalSince1970: 253_402_300_799)

  /// The time that a text names: ISO 8601, a day and a time on the clock here, or seconds since 1970; nil for
  /// anything else.
  static func date(_ text: String) -> Date? {
    if let seconds = Double(text), seconds.isFinite { return Date(timeIntervalSince1970: seconds) }
    let parsers = [true, false].map { Date.ISO8601FormatStyle(includingFractionalSeconds: $0) }
    return parsers.lazy.compactMap { parser in
      do { return try parser.parse(text) } catch { return nil }
    }.first ?? localDate(text)
  }

  /// "2026-11-20", "2026-11-20 14:30" or "2026-11-20T14:30:05", where the system is.
  private static func localDate(_ text: String) -> Date? {
    let form = /([0-9]{4})-([0-9]{2})-([0-9]{2})(?:[ Tt]([0-9]{2}):([0-9]{2})(?::([0-9]{2}))?)?/
    guard let found = text.wholeMatch(of: form)?.output, let year = Int(found.1),
      let month = Int(found.2), let day = Int(found.3)
    else { return nil }
    let time = [found.4, found.5, found.6].map { $0.flatMap { Int($0) } ?? 0 }
    var parts = LocalCalendar.utc.parts(of: Date(timeIntervalSince1970: 0))
    (parts.year, parts.month, parts.day) = (year, month, day)
    (parts.hour, parts.minute, parts.second) = (time[0], time[1], time[2])
    return LocalCalendar.has(parts) ? LocalCalendar.system.date(of: parts) : nil
  }
}

/// Times as people read them.
struct Moment {
  /// What "today" is measured from.
  let now: Date
  private let calendar = LocalCalendar.system
  private static let months = [
    "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
  ]

  init(now: Date) {
    self.now = now
  }

  /// "today 14:02", "yesterday 18:40", "19 Nov 09:12" or "2025-11-19"; in a pipe always ISO 8601.
  func text(_ date: Date) -> String {
    Console.isTerminal ? words(date) : Timestamp.textInSeconds(date)
  }

  /// The time in words, wherever they go.
  func words(_ date: Date) -> String {
    let (parts, today) = (calendar.parts(of: date), calendar.parts(of: now))
    let time = "\(two(parts.hour)):\(two(parts.minute))"
    if parts.isSameDay(as: today) { return "today \(time)" }
    let yesterday = calendar.date(byAdding: -1, .day, to: now).map(calendar.parts(of:))
    if let yesterday, parts.isSameDay(as: yesterday) { return "yesterday \(time)" }
    guard parts.year == today.year, Self.months.indices.contains(parts.month - 1) else {
      return "\(parts.year)-\(two(parts.month))-\(two(parts.day))"
    }
    return "\(parts.day) \(Self.months[parts.month - 1]) \(time)"
  }

  private func two(_ number: Int) -> String {
    number < 10 ? "0\(number)" : "\(number)"
  }
}

extension LocalCalendar.Parts {
  fileprivate func isSameDay(as other: Self) -> Bool {
    (year, month, day) == (other.year, other.month, other.day)
  }
}
