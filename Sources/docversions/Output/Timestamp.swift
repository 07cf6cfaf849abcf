internal import Foundation

/// Times as programs read them: ISO 8601, in UTC, with milliseconds.
enum Timestamp {
  /// The time as text.
  static func text(_ date: Date) -> String {
    let milliseconds = Int64((date.timeIntervalSince1970 * 1_000).rounded())
    let (seconds, rest) = milliseconds.flooredDivision(by: 1_000)
    // The C library's calendar: Foundation's takes a millisecond to be ready.
    var time = time_t(seconds)
    var parts = tm()
    gmtime_r(&time, &parts)
    func digits(_ number: some BinaryInteger, _ count: Int) -> String {
      let text = String(number)
      return String(repeating: "0", count: max(0, count - text.count)) + text
    }
    let day = [Int(parts.tm_year) + 1_900, Int(parts.tm_mon) + 1, Int(parts.tm_mday)]
    let clock = [parts.tm_hour, parts.tm_min, parts.tm_sec].map { digits($0, 2) }
    return "\(digits(day[0], 4))-\(digits(day[1], 2))-\(digits(day[2], 2))T"
      + "\(clock.joined(separator: ":")).\(digits(rest, 3))Z"
  }

  /// The time that a text names: ISO 8601, or seconds since 1970; nil for anything else.
  static func date(_ text: String) -> Date? {
    if let seconds = Double(text), seconds.isFinite { return Date(timeIntervalSince1970: seconds) }
    let parsers = [true, false].map { Date.ISO8601FormatStyle(includingFractionalSeconds: $0) }
    return parsers.lazy.compactMap { parser in
      do { return try parser.parse(text) } catch { return nil }
    }.first
  }
}

extension Int64 {
  /// The quotient that is not above the exact one, and what is left.
  fileprivate func flooredDivision(by divisor: Int64) -> (quotient: Int64, remainder: Int64) {
    let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
    return remainder < 0 ? (quotient - 1, remainder + divisor) : (quotient, remainder)
  }
}

/// Times as people read them.
struct Moment {
  /// What "today" is measured from.
  let now: Date
  var calendar = Calendar.current

  /// "today 14:02", "yesterday 18:40", "19 Nov 09:12" or "2025-11-19"; in a pipe always ISO 8601.
  func text(_ date: Date) -> String {
    guard Console.isTerminal else { return plain(date) }
    return words(date)
  }

  /// The time in words, wherever they go.
  func words(_ date: Date) -> String {
    let parts = calendar.dateComponents([.year, .month, .day, .hour, .minute], from: date)
    guard let year = parts.year, let month = parts.month, let day = parts.day else {
      return plain(date)
    }
    let time = "\(two(parts.hour)):\(two(parts.minute))"
    if calendar.isDate(date, inSameDayAs: now) { return "today \(time)" }
    if let before = calendar.date(byAdding: .day, value: -1, to: now),
      calendar.isDate(date, inSameDayAs: before)
    {
      return "yesterday \(time)"
    }
    let isThisYear = calendar.component(.year, from: now) == year
    let names = calendar.shortMonthSymbols
    guard isThisYear, names.indices.contains(month - 1) else {
      return "\(year)-\(two(month))-\(two(day))"
    }
    return "\(day) \(names[month - 1]) \(time)"
  }

  private func plain(_ date: Date) -> String {
    String(Timestamp.text(date).prefix(19)) + "Z"
  }

  private func two(_ number: Int?) -> String {
    let number = number ?? 0
    return number < 10 ? "0\(number)" : "\(number)"
  }
}
