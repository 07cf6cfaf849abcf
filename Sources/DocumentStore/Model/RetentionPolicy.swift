internal import Foundation

/// The versions that thinning keeps, in addition to those that it always keeps; the rules are those of
/// restic.
///
/// Each rule keeps more versions. `counts[.day] = 7` keeps the newest version of each of the last seven days
/// with a version; `spans[.day]` keeps the newest version of each day in that time before the newest version.
/// A count that can't be filled also keeps the oldest version. Versions from the future are kept, because
/// some clock is wrong, and it isn't known which.
package struct RetentionPolicy: Hashable, Sendable {
  /// A period in which one version is kept.
  package enum Period: String, CaseIterable, Hashable, Sendable {
    /// Each version is a separate period.
    case version
    case hour, day
    /// A week from Monday to Sunday.
    case week
    case month, year
  }

  /// The number of periods, counted back from the newest version.
  package var counts: [Period: Int]
  /// The time spans, counted back from the newest version.
  package var spans: [Period: RetentionSpan]

  /// Creates a policy.
  ///
  /// - Parameters:
  ///   - last: the number of newest versions to keep.
  ///   - hourly: the number of hours in which to keep one version; likewise for the other periods.
  ///   - within: the time before the newest version in which to keep all versions.
  package init(
    last: Int = 0, hourly: Int = 0, daily: Int = 0, weekly: Int = 0, monthly: Int = 0,
    yearly: Int = 0, within: RetentionSpan? = nil
  ) {
    counts = [
      .version: last, .hour: hourly, .day: daily, .week: weekly, .month: monthly, .year: yearly,
    ]
    spans = within.map { [.version: $0] } ?? [:]
  }

  /// True if the policy has no rule that keeps versions.
  package var isEmpty: Bool {
    counts.values.allSatisfy { $0 <= 0 } && spans.values.allSatisfy(\.isEmpty)
  }

  /// Returns the reasons why each of several versions is kept; no reason for those that are not.
  ///
  /// - Parameters:
  ///   - dates: the dates on which they were made, newest first.
  ///   - calendar: the calendar in which days begin.
  ///   - now: the present time; later versions are from the future.
  func reasons(for dates: [Date], calendar: LocalCalendar, now: Date) -> [[RetentionReason]] {
    var reasons = dates.map { $0 > now ? [RetentionReason.future] : [] }
    let past = dates.indices.filter { dates[$0] <= now }
    for period in Period.allCases {
      // The newest of each period, and the oldest of all.
      var steps: [(index: Int, isOldest: Bool)] = []
      var previous: Date?
      for index in past {
        let start = period.start(of: dates[index], in: calendar)
        if period == .version || start != previous {
          steps.append((index, false))
        } else if index == past.last {
          steps.append((index, true))
        }
        previous = start
      }
      for step in steps.prefix(max(0, counts[period] ?? 0)) {
        reasons[step.index].append(.period(period, isOldest: step.isOldest))
      }
      guard let span = spans[period], !span.isEmpty, let newest = past.first,
        case let limit = span.start(before: dates[newest], in: calendar)
      else { continue }
      for step in steps where dates[step.index] > limit {
        reasons[step.index].append(.period(period, within: span))
      }
    }
    return reasons
  }
}

extension RetentionPolicy.Period {
  /// Returns the start of the period around a date.
  fileprivate func start(of date: Date, in calendar: LocalCalendar) -> Date? {
    let unit: LocalCalendar.Unit? =
      switch self {
      case .version: nil
      case .hour: .hour
      case .day: .day
      case .week: .week
      case .month: .month
      case .year: .year
      }
    return unit.map { calendar.start(of: $0, holding: date) }
  }
}

/// A length of time by the calendar, such as `2y5m7d3h`.
package struct RetentionSpan: Hashable, Sendable, CustomStringConvertible {
  /// The number of each unit; negative numbers count as 0.
  package var years = 0, months = 0, days = 0, hours = 0

  /// Creates a span.
  package init(years: Int = 0, months: Int = 0, days: Int = 0, hours: Int = 0) {
    (self.years, self.months, self.days, self.hours) = (years, months, days, hours)
  }

  /// Parses a span of numbers followed by `y`, `m`, `d` or `h`, in this order; `nil` for anything else.
  package init?(_ text: String) {
    guard !text.isEmpty,
      let match = text.wholeMatch(
        of: /(?:([0-9]{1,4})y)?(?:([0-9]{1,4})m)?(?:([0-9]{1,6})d)?(?:([0-9]{1,6})h)?/)
    else { return nil }
    func number(_ digits: Substring?) -> Int { digits.flatMap { Int($0) } ?? 0 }
    self.init(
      years: number(match.1), months: number(match.2), days: number(match.3),
      hours: number(match.4))
  }

  /// True if the span is empty.
  package var isEmpty: Bool { parts.isEmpty }

  /// The span in the form that people type.
  package var description: String {
    parts.map { "\($0.count)\($0.letter)" }.joined()
  }

  /// Returns the time that is the span before another one; the distant past if the calendar doesn't reach
  /// back that far.
  fileprivate func start(before date: Date, in calendar: LocalCalendar) -> Date {
    parts.reduce(date) { date, part in
      calendar.date(byAdding: -part.count, part.unit, to: date) ?? .distantPast
    }
  }

  /// The parts of the span that are not zero.
  private var parts: [(count: Int, unit: LocalCalendar.Unit, letter: String)] {
    [(years, .year, "y"), (months, .month, "m"), (days, .day, "d"), (hours, .hour, "h")]
      .filter { $0.0 > 0 }
  }
}

/// A reason why thinning keeps a version.
package struct RetentionReason: RawRepresentable, Hashable, Sendable, Codable {
  /// The reason in words, as in lists and JSON output.
  package let rawValue: String

  /// Creates a reason.
  package init(rawValue: String) { self.rawValue = rawValue }

  /// It is the current version.
  package static let current = RetentionReason(rawValue: "current")
  /// It is in an unresolved conflict.
  package static let unresolvedConflict = RetentionReason(rawValue: "unresolved conflict")
  /// The versions of an unresolved conflict are based on it, so merging them needs it.
  package static let conflictBase = RetentionReason(rawValue: "base of a conflict")
  /// The version is pinned.
  package static let pinned = RetentionReason(rawValue: "pinned")
  /// No other device can have it yet.
  package static let notExchanged = RetentionReason(rawValue: "not yet exchanged")
  /// It is the version that this device published last, which would be the base of a conflict with other
  /// devices.
  package static let lastExchanged = RetentionReason(rawValue: "last exchanged")
  /// The document on disk was last saved as it, or written from it.
  package static let shown = RetentionReason(rawValue: "shown")
  /// Its date is later than the present.
  package static let future = RetentionReason(rawValue: "in the future")

  /// Returns the reason for a rule of the policy.
  static func period(
    _ period: RetentionPolicy.Period, isOldest: Bool = false, within span: RetentionSpan? = nil
  ) -> RetentionReason {
    let name =
      switch period {
      case .version: span == nil ? "last" : ""
      case .hour: "hourly"
      case .day: "daily"
      case .week: "weekly"
      case .month: "monthly"
      case .year: "yearly"
      }
    let words = [isOldest ? "oldest" : "", name, span.map { "within \($0)" } ?? ""]
    return RetentionReason(rawValue: words.filter { !$0.isEmpty }.joined(separator: " "))
  }
}
