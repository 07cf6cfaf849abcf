internal import DocumentVersions
internal import Foundation

extension Timestamp {
  /// The range of dates in records: from the first day of the year 1 to the last day of 9999.
  static let possible =
    Date(timeIntervalSince1970: -62_135_596_800)...Date(timeIntervalSince1970: 253_402_300_799)

  /// Returns the time that a text names: ISO 8601, a day and a time on the clock here, or seconds since 1970;
  /// `nil` for anything else.
  static func date(_ text: String) -> Date? {
    if let seconds = Double(text), seconds.isFinite { return Date(timeIntervalSince1970: seconds) }
    let parsers = [true, false].map { Date.ISO8601FormatStyle(includingFractionalSeconds: $0) }
    return parsers.lazy.compactMap { parser in
      do { return try parser.parse(text) } catch { return nil }
    }.first ?? localDate(text)
  }

  /// Reads "2026-11-20", "2026-11-20 14:30" or "2026-11-20T14:30:05" in the system's time zone.
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
