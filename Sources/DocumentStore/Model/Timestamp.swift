package import Foundation

/// Times as programs read them: ISO 8601, in UTC, with milliseconds.
package enum Timestamp {
  /// The time as text.
  package static func text(_ date: Date) -> String {
    let milliseconds = (date.timeIntervalSince1970 * 1_000).rounded()
    let seconds = (milliseconds / 1_000).rounded(.down)
    let parts = LocalCalendar.utc.parts(of: Date(timeIntervalSince1970: seconds))
    let day = [digits(parts.year, 4), digits(parts.month), digits(parts.day)]
    let clock = [parts.hour, parts.minute, parts.second].map { digits($0) }
    return "\(day.joined(separator: "-"))T\(clock.joined(separator: ":"))."
      + "\(digits(Int(milliseconds - seconds * 1_000), 3))Z"
  }

  private static func digits(_ number: Int, _ count: Int = 2) -> String {
    let text = String(number)
    return String(repeating: "0", count: max(0, count - text.count)) + text
  }
}
