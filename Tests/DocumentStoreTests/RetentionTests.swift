import DocumentTestSupport
import DocumentWorld
import Foundation
import Testing

@testable import DocumentStore
import DocumentSync

/// Tests of which versions the rules of a policy keep, by dates alone.
struct RetentionPolicyTests {
  /// Returns the dates every six hours from Monday, 2 March 2026, 00:00, for a number of days, newest first.
  private func dates(days: Int) -> [Date] {
    (0..<(days * 4)).map { Date(timeIntervalSince1970: 1_772_409_600 + Double($0) * 21_600) }
      .reversed()
  }

  private func kept(
    _ policy: RetentionPolicy, of dates: [Date], in zone: String = "UTC", now: Date? = nil
  ) throws -> [String] {
    let zone = try #require(TimeZone(identifier: zone))
    var style = Date.ISO8601FormatStyle(timeZone: zone)
    style = style.month().day().time(includingFractionalSeconds: false)
    let reasons = policy.reasons(
      for: dates, calendar: LocalCalendar(zone), now: now ?? .distantFuture)
    return zip(dates, reasons).filter { !$1.isEmpty }.map {
      "\($0.formatted(style).prefix(8)): \($1.map(\.rawValue).joined(separator: ", "))"
    }
  }

  @Test("The last ones are kept, and all where there are fewer")
  func last() throws {
    let dates = dates(days: 1)
    #expect(
      try kept(RetentionPolicy(last: 2), of: dates) == ["03-02T18: last", "03-02T12: last"])
    #expect(try kept(RetentionPolicy(last: 9), of: dates).count == 4)
  }

  @Test("Of each day the newest is kept, and rules add up")
  func daily() throws {
    #expect(
      try kept(RetentionPolicy(last: 1, daily: 2), of: dates(days: 5))
        == ["03-06T18: last, daily", "03-05T18: daily"])
  }

  @Test("A count that cannot be filled keeps the oldest version too")
  func oldest() throws {
    #expect(
      try kept(RetentionPolicy(daily: 5), of: dates(days: 2))
        == ["03-03T18: daily", "03-02T18: daily", "03-02T00: oldest daily"])
    #expect(
      try kept(RetentionPolicy(daily: 2), of: dates(days: 2)) == [
        "03-03T18: daily", "03-02T18: daily",
      ])
  }

  @Test("A time of less than nothing keeps nothing, and one without end keeps all")
  func unlikelySpans() throws {
    let dates = dates(days: 2)
    for span in [
      RetentionSpan(days: -1), RetentionSpan(years: .min), RetentionSpan(),
      RetentionSpan(hours: -5),
    ] {
      #expect(RetentionPolicy(within: span).isEmpty)
      #expect(try kept(RetentionPolicy(within: span), of: dates) == [])
    }
    let endless = RetentionSpan(years: .max, hours: .min)
    #expect(try kept(RetentionPolicy(within: endless), of: dates).count == dates.count)
  }

  @Test("Weeks end on Sunday")
  func weeks() throws {
    // From Monday the 2nd to Monday the 16th.
    #expect(
      try kept(RetentionPolicy(weekly: 3), of: dates(days: 15))
        == ["03-16T18: weekly", "03-15T18: weekly", "03-08T18: weekly"])
  }

  @Test("Days begin where the caller is")
  func timeZones() throws {
    // In Kiritimati, 14 hours ahead, 18:00 is already 8:00 of the next day.
    #expect(
      try kept(RetentionPolicy(daily: 2), of: dates(days: 2), in: "Pacific/Kiritimati")
        == ["03-04T08: daily", "03-03T20: daily"])
  }

  @Test("Periods without a version do not count")
  func gaps() throws {
    let all = dates(days: 40)
    let dates = Array(all.prefix(2) + all.suffix(6))
    #expect(
      try kept(RetentionPolicy(daily: 2), of: dates) == ["04-10T18: daily", "03-03T06: daily"])
  }

  @Test("A time is measured back from the newest version, not from now")
  func within() throws {
    let span = try #require(RetentionSpan("12h"))
    #expect(
      try kept(RetentionPolicy(within: span), of: dates(days: 3))
        == ["03-04T18: within 12h", "03-04T12: within 12h"])
  }

  @Test(
    "What is no span is refused", arguments: ["", "1", "d", "d1", "1d1y", "1 d", "-1d", "٣d", "１d"])
  func noSpan(text: String) {
    #expect(RetentionSpan(text) == nil)
  }

  @Test("Of each day within a time one is kept")
  func dailyWithin() throws {
    var policy = RetentionPolicy()
    policy.spans[.day] = RetentionSpan(days: 2)
    #expect(
      try kept(policy, of: dates(days: 4))
        == ["03-05T18: daily within 2d", "03-04T18: daily within 2d"])
  }

  @Test("Versions from the future are kept, and count for nothing")
  func future() throws {
    let dates = dates(days: 2)
    #expect(
      try kept(RetentionPolicy(last: 1), of: dates, now: dates[2])
        == ["03-03T18: in the future", "03-03T12: in the future", "03-03T06: last"])
  }

  @Test("A span is read as people type it", arguments: ["2y5m7d3h", "3h", "10d", "1y1d"])
  func spans(text: String) {
    #expect(RetentionSpan(text)?.description == text)
  }

  @Test(
    "What is no span is refused", arguments: ["", "d", "3", "3h2d", "-1d", "1.5h", "2w", "3d "])
  func noSpans(text: String) {
    #expect(RetentionSpan(text) == nil)
  }
}

/// Thinning, pinning and restoring in a real store.
struct RetentionTests {
  private let desk: Device

  init() throws {
    desk = try Device()
  }

  private func thin(last: Int) throws -> ThinOutcome {
    desk.clock.advance(bySeconds: 60)
    return try desk.store.thin(desk["a.md"], keeping: RetentionPolicy(last: last))
  }

  private func reasons(_ outcome: ThinOutcome) -> [String] {
    outcome.decisions.map { $0.reasons.map(\.rawValue).joined(separator: ", ") }
  }

  private func save(_ texts: String...) throws {
    for text in texts { try desk.save(text, as: "a.md") }
  }

  @Test("Thinning reports for each version why it is kept")
  func outcome() throws {
    try save("one", "two", "three", "four")
    let outcome = try thin(last: 2)
    #expect(reasons(outcome) == ["current, shown, last", "last", "", ""])
    #expect(try desk.texts("a.md") == ["four", "three"])
    #expect(try desk.store.undo(desk["a.md"]).broughtBack == outcome.removed)
    #expect(try desk.texts("a.md") == ["four", "three", "two", "one"])
    try desk.expectSound()
  }

  @Test("A policy that keeps nothing is refused", arguments: [0, -1])
  func emptyPolicy(last: Int) throws {
    try save("one", "two")
    expectVersionError(.invalidArgument) { _ = try thin(last: last) }
    #expect(try desk.texts("a.md").count == 2)
  }

  @Test("A dry run decides the same and removes nothing")
  func dryRun() throws {
    try save("one", "two", "three")
    var store = desk.store
    store.isDryRun = true
    let outcome = try store.thin(desk["a.md"], keeping: RetentionPolicy(last: 1))
    #expect(outcome.removed.count == 2)
    #expect(try desk.texts("a.md").count == 3)
  }

  @Test("Conflict versions and their base are never thinned")
  func conflict() throws {
    try save("older")
    try desk.conflict(base: "base", other: "mine", current: "other", as: "a.md")
    #expect(
      try reasons(thin(last: 1)) == [
        "current, shown, last", "unresolved conflict", "base of a conflict", "",
      ])
  }

  @Test("A pinned version is not thinned, and removing it is refused until it is unpinned")
  func pinned() throws {
    try save("one", "two", "three")
    let first = try #require(try desk.history("a.md").versions.last)
    try first.setPinned(true)
    #expect(try reasons(thin(last: 1)) == ["current, shown, last", "", "pinned"])
    expectVersionError(.pinnedVersion) { try first.remove() }
    expectVersionError(.pinnedVersion) { try desk.store.removeOthers(of: desk["a.md"]) }
    #expect(try desk.texts("a.md") == ["three", "one"])
    #expect(try desk.history("a.md").versions.map(\.isPinned) == [false, true])
    try first.setPinned(false)
    try first.remove()
    #expect(try desk.texts("a.md") == ["three"])
    try desk.expectSound()
  }

  @Test("A pinned current version is not removed with a conflict that is settled in its favour")
  func pinnedInConflict() throws {
    let (_, other, current) = try desk.conflict(
      base: "base", other: "theirs", current: "ours", as: "a.md")
    try current.setPinned(true)
    expectVersionError(.pinnedVersion) { try desk.store.removeOthers(of: desk["a.md"]) }
    #expect(try desk.history("a.md").unresolvedConflicts == [other])
    try current.setPinned(false)
    try desk.store.removeOthers(of: desk["a.md"])
    #expect(try desk.texts("a.md") == ["ours"])
    try desk.expectSound()
  }

  @Test("A pin survives a rewrite of the content chain, and stays on its device")
  func pinIsLocal() throws {
    try save("one", "two", "three")
    let versions = try desk.history("a.md").versions
    try versions[2].setPinned(true)
    try versions[1].remove()
    try save("four")
    #expect(try desk.history("a.md").versions.filter(\.isPinned) == [versions[2]])
    let tom = try Device("Tom", in: desk.scratch, clock: desk.clock)
    for desk in [desk, tom] {
      try desk.store.exchange(desk.container, through: desk.scratch["cloud"])
    }
    #expect(try tom.history("a.md").versions.allSatisfy { !$0.isPinned })
    #expect(try desk.history("a.md").versions.filter(\.isPinned) == [versions[2]])
  }

  @Test("What no other device can have yet is kept, and what was published last")
  func notExchanged() throws {
    try save("one", "two")
    try desk.store.exchange(desk.container, through: desk.scratch["cloud"])
    try save("three", "four")
    #expect(
      try reasons(thin(last: 1)) == [
        "current, shown, not yet exchanged, last", "not yet exchanged", "last exchanged", "",
      ])
    try desk.store.exchange(desk.container, through: desk.scratch["cloud"])
    #expect(try reasons(thin(last: 1)) == ["current, shown, last exchanged, last", "", ""])
  }

  @Test("A damaged record of the published heads counts as empty")
  func damagedNote() throws {
    try save("one", "two")
    try desk.store.exchange(desk.container, through: desk.scratch["cloud"])
    let note = "\(try DocumentLocation(of: desk["a.md"]).store)/published"
    let text = try String(contentsOfFile: note, encoding: .utf8)
    #expect(text.split(separator: "\n").count == 2)
    try text.replacing(/[0-9a-f]\nsha/, with: "g\nsha").write(
      toFile: note, atomically: true, encoding: .utf8)
    #expect(try thin(last: 1).removed.isEmpty)
    try save("three")
    try desk.store.exchange(desk.container, through: desk.scratch["cloud"])
    #expect(try thin(last: 1).removed.count == 2)
  }

  // MARK: Bringing back

  @Test("Single versions are brought back, and the rest stays removed")
  func undelete() throws {
    try save("one", "two", "three", "four")
    let before = try desk.history("a.md").versions
    try desk.store.removeOthers(of: desk["a.md"])
    #expect(try desk.store.removedVersions(of: desk["a.md"]) == Array(before.dropFirst()))
    #expect(try desk.store.undelete([before[2]], of: desk["a.md"]) == [before[2]])
    #expect(try desk.texts("a.md") == ["four", "two"])
    #expect(try desk.store.removedVersions(of: desk["a.md"]) == [before[1], before[3]])
    // Not even with what comes from another device.
    for _ in 1...2 { try desk.store.exchange(desk.container, through: desk.scratch["cloud"]) }
    #expect(try desk.texts("a.md") == ["four", "two"])
    try desk.store.undelete(of: desk["a.md"])
    #expect(try desk.history("a.md").versions == before)
    #expect(try desk.texts("a.md") == ["four", "three", "two", "one"])
    try desk.expectSound()
  }

  @Test("A version that was added from elsewhere is brought back too")
  func undeleteAttached() throws {
    try save("one")
    let draft = try FileVersion.add(
      to: desk["a.md"], contentsOf: desk.write("draft", to: "draft.md"), store: desk.store)
    try save("two")
    try draft.remove()
    #expect(try desk.texts("a.md") == ["two", "one"])
    try desk.store.undelete([draft], of: desk["a.md"])
    #expect(try Set(desk.texts("a.md")) == ["two", "draft", "one"])
    try save("three")
    try desk.store.removeOthers(of: desk["a.md"])
    try desk.store.undelete(of: desk["a.md"])
    #expect(try Set(desk.texts("a.md")) == ["three", "two", "draft", "one"])
    try desk.expectSound()
  }

  @Test("What was collected is not brought back")
  func collected() throws {
    try save("one", "two")
    let first = try #require(try desk.history("a.md").versions.last)
    try first.remove()
    let store = try DocumentLocation(of: desk["a.md"]).store
    try FileManager.default.removeItem(atPath: "\(store)/refs/trash")
    #expect(try desk.store.removedVersions(of: desk["a.md"]).isEmpty)
    expectVersionError(.contentsNotLocal) {
      try desk.store.undelete([first], of: desk["a.md"])
    }
  }

  @Test("Each removal is a group of the trash with a date, later than any other")
  func groups() throws {
    try save("one", "two", "three")
    for version in try desk.history("a.md").versions.dropFirst() { try version.remove() }
    let store = try StoreReader(DocumentLocation(of: desk["a.md"]), in: desk.store.environment)
    let dates = try store.trash.groups().map(\.date)
    let now = Int64(desk.clock.now.timeIntervalSince1970 * 1_000)
    #expect(dates == [now, now + 1])
    #expect(try store.trash.groups().allSatisfy { $0.targets.count == 1 })
  }

  @Test("References from before removals had dates are still read")
  func undatedTrash() throws {
    try save("one", "two")
    let place = try DocumentLocation(of: desk["a.md"])
    try #require(try desk.history("a.md").versions.last).remove()
    let folder = "\(place.store)/refs/trash/"
    let name = try #require(try FileManager.default.contentsOfDirectory(atPath: folder).first)
    let old = try #require(name.split(separator: "-").last)
    try FileManager.default.moveItem(atPath: folder + name, toPath: folder + old)
    #expect(try StoreReader(place, in: desk.store.environment).trash.groups().map(\.date) == [0])
    #expect(try desk.store.undelete(of: desk["a.md"]).count == 1)
  }
}
