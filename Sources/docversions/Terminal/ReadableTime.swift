internal import DocumentVersions
internal import Foundation

/// Times in a form for people.
struct ReadableTime: Sendable {
  /// The present time; "today" is its day.
  let now: Date
  private let calendar = LocalCalendar.system
  private static let months = [
    "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
  ]

  init(now: Date) {
    self.now = now
  }

  /// Returns "today 14:02", "yesterday 18:40", "19 Nov 09:12" or "2025-11-19"; in a pipe always ISO 8601.
  func text(_ date: Date) -> String {
    Console.isTerminal ? words(date) : Timestamp.textInSeconds(date)
  }

  /// Returns the time in words, regardless of the output.
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
