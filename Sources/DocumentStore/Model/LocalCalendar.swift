package import Foundation

/// The Gregorian calendar, with the days and hours of a time zone.
///
/// Foundation's calendar loads the data of all calendars and time zones, which nearly doubles the launch time
/// of a small program; this one uses the C library.
package struct LocalCalendar: Sendable {
  /// The supported units of time; a week begins on Monday.
  package enum Unit: Sendable { case second, minute, hour, day, week, month, year }

  /// The date and time that a local clock and calendar show.
  package struct Parts: Equatable, Sendable {
    package var year: Int, month = 1, day = 1, hour = 0, minute = 0, second = 0

    package init(
      year: Int, month: Int = 1, day: Int = 1, hour: Int = 0, minute: Int = 0, second: Int = 0
    ) {
      (self.year, self.month, self.day) = (year, month, day)
      (self.hour, self.minute, self.second) = (hour, minute, second)
    }
  }

  /// The calendar of the system's time zone.
  package static let system = LocalCalendar { moment in
    var time = time_t(moment)
    var parts = tm()
    return localtime_r(&time, &parts) == nil ? 0 : Int(parts.tm_gmtoff)
  }

  package static let utc = LocalCalendar { _ in 0 }

  /// The offset of local time from UTC at a moment, both in seconds; the moment is since 1970.
  private let offset: @Sendable (Int) -> Int

  private init(offset: @escaping @Sendable (Int) -> Int) {
    self.offset = offset
  }

  /// - Parameter zone: the time zone; `nil` for the system's.
  package init(_ zone: TimeZone?) {
    guard let zone else {
      self = .system
      return
    }
    self.init { zone.secondsFromGMT(for: Date(timeIntervalSince1970: Double($0))) }
  }

  // MARK: Reading

  /// Returns the local date and time of a moment.
  package func parts(of date: Date) -> Parts {
    Self.parts(atLocal: local(date))
  }

  /// Returns the beginning of the day, week or other unit around a moment.
  package func start(of unit: Unit, holding date: Date) -> Date {
    var parts = parts(of: date)
    switch unit {
    case .second: return wholeSecond(date)
    case .minute: return wholeSecond(date) - Double(parts.second)
    // Not from local time, which may repeat an hour.
    case .hour: return wholeSecond(date) - Double(parts.minute * 60 + parts.second)
    case .day: break
    case .week: parts.day -= Self.daysSinceMonday(atLocal: local(date))
    case .month: parts.day = 1
    case .year: (parts.month, parts.day) = (1, 1)
    }
    (parts.hour, parts.minute, parts.second) = (0, 0, 0)
    return self.date(of: parts) ?? date
  }

  // MARK: Calculating

  /// Returns the moment of a local date and time; an excess in one part, such as a 32nd day, carries over.
  ///
  /// If clocks are set forward over it, the moment is later by that difference; if they are set back, it is the first
  /// of two.
  ///
  /// - Returns: the moment; `nil` for a time outside the calendar.
  package func date(of parts: Parts) -> Date? {
    guard let local = Self.local(of: parts) else { return nil }
    let (before, after) = (offset(local - 86_400), offset(local + 86_400))
    let isBefore = offset(local - before) == before || offset(local - after) != after
    return Date(timeIntervalSince1970: Double(local - (isBefore ? before : after)))
  }

  /// Returns a later moment.
  ///
  /// Adding days, months or years keeps the local time of day; in a shorter month, the result is its last day.
  ///
  /// - Returns: the moment; `nil` for a time outside the calendar.
  package func date(byAdding count: Int, _ unit: Unit, to date: Date) -> Date? {
    var parts = parts(of: date)
    // The most that a part can hold, which is far more than a real date needs.
    guard Int32(exactly: count) != nil else { return nil }
    switch unit {
    case .second: return date + Double(count)
    case .minute: return date + Double(count) * 60
    case .hour: return date + Double(count) * 3_600
    case .day: parts.day += count
    case .week: parts.day += count * 7
    case .month: parts.month += count
    case .year: parts.year += count
    }
    if unit == .month || unit == .year {
      let end = Parts(year: parts.year, month: parts.month + 1, day: 0)
      guard let end = Self.local(of: end) else { return nil }
      parts.day = min(parts.day, Self.parts(atLocal: end).day)
    }
    return self.date(of: parts).map { $0 + date.timeIntervalSince(wholeSecond(date)) }
  }

  /// Returns whether the date exists in the calendar, and the time on the clock.
  package static func has(_ parts: Parts) -> Bool {
    local(of: parts).map(self.parts(atLocal:)) == parts
  }

  // MARK: Seconds since 1970, in UTC or in local time

  private func wholeSecond(_ date: Date) -> Date {
    Date(timeIntervalSince1970: date.timeIntervalSince1970.rounded(.down))
  }

  private func local(_ date: Date) -> Int {
    let moment = Int(max(-1e15, min(1e15, date.timeIntervalSince1970.rounded(.down))))
    return moment + offset(moment)
  }

  private static func parts(atLocal seconds: Int) -> Parts {
    var time = time_t(seconds)
    var parts = tm()
    gmtime_r(&time, &parts)
    return Parts(
      year: Int(parts.tm_year) + 1_900, month: Int(parts.tm_mon) + 1, day: Int(parts.tm_mday),
      hour: Int(parts.tm_hour), minute: Int(parts.tm_min), second: Int(parts.tm_sec))
  }

  private static func daysSinceMonday(atLocal seconds: Int) -> Int {
    var time = time_t(seconds)
    var parts = tm()
    gmtime_r(&time, &parts)
    return (Int(parts.tm_wday) + 6) % 7
  }

  private static func local(of parts: Parts) -> Int? {
    guard (-1_000_000...1_000_000).contains(parts.year),
      let month = Int32(exactly: parts.month), let day = Int32(exactly: parts.day),
      let hour = Int32(exactly: parts.hour), let minute = Int32(exactly: parts.minute),
      let second = Int32(exactly: parts.second)
    else { return nil }
    var time = tm()
    (time.tm_year, time.tm_mon, time.tm_mday) = (Int32(parts.year - 1_900), month - 1, day)
    (time.tm_hour, time.tm_min, time.tm_sec) = (hour, minute, second)
    return Int(timegm(&time))
  }
}
