import DocumentTestSupport
import Foundation
import Testing

@testable import DocumentStore

/// The calendar, compared with Foundation's.
@Suite("Local calendar")
struct LocalCalendarTests {
  private static let zones = [
    "UTC", "Europe/Berlin", "America/New_York", "Asia/Kolkata", "Australia/Lord_Howe",
    "America/Sao_Paulo", "Pacific/Apia", "Pacific/Kiritimati",
  ]

  /// Moments from 1970 to 2040, the same each time; every other one is close to a time when clocks may be
  /// set.
  private let moments: [Date] = {
    var random = SeededGenerator(seed: 1)
    return (0..<4_000).map { _ in Double.random(in: 0..<2.2e9, using: &random).rounded() }
      .map { Date(timeIntervalSince1970: $0) }
  }()

  private static let days: [LocalCalendar.Unit] = [.day, .week, .month, .year]

  private func foundation(_ zone: TimeZone) -> Calendar {
    var calendar = Calendar(identifier: .iso8601)
    calendar.timeZone = zone
    return calendar
  }

  @Test("Shows the same on the wall", arguments: zones)
  func parts(zone: String) throws {
    let zone = try #require(TimeZone(identifier: zone))
    let (own, other) = (LocalCalendar(zone), foundation(zone))
    for moment in moments {
      let parts = own.parts(of: moment)
      let expected = other.dateComponents(
        [.year, .month, .day, .hour, .minute, .second], from: moment)
      #expect(
        [parts.year, parts.month, parts.day, parts.hour, parts.minute, parts.second]
          == [
            expected.year, expected.month, expected.day, expected.hour, expected.minute,
            expected.second,
          ])
      // Clocks set back show this twice.
      let again = try #require(own.date(of: parts))
      #expect([0, 1_800, 3_600].contains(moment.timeIntervalSince(again)))
    }
  }

  @Test("Lets days, weeks and months begin at the same moment", arguments: zones)
  func starts(zone: String) throws {
    let zone = try #require(TimeZone(identifier: zone))
    let (own, other) = (LocalCalendar(zone), foundation(zone))
    let units: [(LocalCalendar.Unit, Calendar.Component)] = [
      (.hour, .hour), (.day, .day), (.week, .weekOfYear), (.month, .month), (.year, .year),
    ]
    for moment in moments {
      for (unit, component) in units {
        #expect(
          own.start(of: unit, holding: moment)
            == other.dateInterval(of: component, for: moment)?.start,
          "\(unit) of \(moment.timeIntervalSince1970)")
      }
    }
  }

  // Two of the zones have moved across the date line, and left out a day that Foundation does not count.
  @Test("Counts days, weeks, months and years alike", arguments: zones.dropLast(2))
  func adding(zone: String) throws {
    let zone = try #require(TimeZone(identifier: zone))
    let (own, other) = (LocalCalendar(zone), foundation(zone))
    let units: [(LocalCalendar.Unit, Calendar.Component)] = [
      (.second, .second), (.minute, .minute), (.hour, .hour), (.day, .day), (.week, .weekOfYear),
      (.month, .month), (.year, .year),
    ]
    var random = SeededGenerator(seed: 2)
    for moment in moments {
      let count = Int.random(in: -40...40, using: &random)
      for (unit, component) in units {
        let expected = try #require(other.date(byAdding: component, value: count, to: moment))
        let found = try #require(own.date(byAdding: count, unit, to: moment))
        // When clocks are set back, Foundation sometimes takes the second of the two.
        let isSameWall = own.parts(of: found) == own.parts(of: expected) && found <= expected
        #expect(
          found == expected || isSameWall && Self.days.contains { $0 == unit },
          "\(count) \(unit) after \(moment.timeIntervalSince1970): \(found), not \(expected)")
      }
    }
  }

  @Test("Knows where the system is")
  func system() {
    // The zone comes from the C library, so that it is right without Foundation's data.
    let zone = TimeZone.current
    for moment in moments {
      #expect(LocalCalendar.system.parts(of: moment) == LocalCalendar(zone).parts(of: moment))
    }
  }

  @Test(
    "A clock set forward or back",
    arguments: [
      // 02:30 on the day that summer begins is not; on the day that it ends there are two.
      (
        LocalCalendar.Parts(year: 2026, month: 3, day: 29, hour: 2, minute: 30),
        "2026-03-29T01:30:00.000Z"
      ),
      (
        LocalCalendar.Parts(year: 2026, month: 10, day: 25, hour: 2, minute: 30),
        "2026-10-25T00:30:00.000Z"
      ),
      (LocalCalendar.Parts(year: 2026, month: 13, day: 32), "2027-01-31T23:00:00.000Z"),
    ])
  func clockChange(parts: LocalCalendar.Parts, text: String) throws {
    let zone: TimeZone = try #require(TimeZone(identifier: "Europe/Berlin"))
    let berlin = LocalCalendar(zone)
    #expect(berlin.date(of: parts).map(Timestamp.text) == text)
  }

  @Test("Times as text are those of ISO 8601")
  func text() {
    let style = Date.ISO8601FormatStyle(includingFractionalSeconds: true)
    for moment in moments {
      let date = moment.addingTimeInterval(0.25)
      #expect(Timestamp.text(date) == style.format(date))
      #expect(Timestamp.textInSeconds(date) == Date.ISO8601FormatStyle().format(date))
    }
    func text(_ seconds: Double) -> String {
      Timestamp.text(Date(timeIntervalSince1970: seconds))
    }
    #expect(text(-0.001) == "1969-12-31T23:59:59.999Z")
    #expect(text(0.9996) == "1970-01-01T00:00:01.000Z")
    #expect(text(-62_135_596_800) == "0001-01-01T00:00:00.000Z")
    #expect(text(253_402_300_799.999) == "9999-12-31T23:59:59.999Z")
    #expect(text(253_402_300_800) == "10000-01-01T00:00:00.000Z")
    #expect(text(-62_198_755_200) == "-1-01-01T00:00:00.000Z")
    #expect(text(1e15) == "31690708-07-05T01:46:40.000Z")
  }

  @Test("A time that no calendar holds is none")
  func impossible() {
    #expect(LocalCalendar.utc.date(of: LocalCalendar.Parts(year: .max)) == nil)
    #expect(LocalCalendar.utc.date(of: LocalCalendar.Parts(year: 1, day: .min)) == nil)
    #expect(LocalCalendar.utc.date(byAdding: .min, .month, to: .now) == nil)
    _ = LocalCalendar.system.parts(of: .distantFuture)
    _ = LocalCalendar.system.parts(of: Date(timeIntervalSince1970: .infinity))
  }
}
