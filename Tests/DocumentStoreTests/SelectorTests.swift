import DocumentTestSupport
import DocumentWorld
import Foundation
import Testing

@testable import DocumentStore

@Suite("Version selectors")
struct SelectorTests {
  /// Four versions: two of yesterday, two of today.
  private func makeHistory() throws -> (desk: Device, history: DocumentHistory) {
    let desk = try Device()
    try desk.save("0", as: "a.md")
    desk.clock.advance(bySeconds: 6 * 3_600)
    try desk.save("1", as: "a.md")
    desk.clock.advance(bySeconds: 16 * 3_600)
    try desk.save("2", as: "a.md")
    desk.clock.advance(bySeconds: 3_600)
    try desk.save("3", as: "a.md")
    return (desk, try desk.history("a.md"))
  }

  @Test(
    "What people type finds the version that they mean",
    arguments: [
      ("current", "3"), ("~0", "3"), ("~", "2"), ("~1", "2"), ("~3", "0"), ("current~2", "1"),
      ("@{yesterday}", "1"), ("@{today}", "3"), ("@{now}", "3"), ("@{90 minutes ago}", "1"),
      ("@{20 hours ago}", "0"), ("@{2026-11-21}", "1"), ("@{2026-11-21 15:00}", "0"),
      ("@{2026-11-22 10:30:00}", "2"),
      ("@{yesterday 15:00}", "0"), ("@{today 10:30}", "2"), ("@{2026-11-22T10:30}", "2"),
      ("@{2026-11-22T10:30:00Z}", "2"), ("@{2026-11-22T11:30:00.500+01:00}", "2"),
      ("@{2026-11-21T11:30-0330}", "0"),
    ])
  func found(selector: String, text: String) throws {
    let (desk, history) = try makeHistory()
    let version = try VersionSelector(selector)
      .version(in: history, now: desk.clock.now, timeZone: .gmt)
    #expect(try String(decoding: version.contents(), as: UTF8.self) == text)
    let direct = try desk.store.version(
      VersionSelector(selector), of: desk["a.md"], timeZone: .gmt)
    #expect(direct == version)
  }

  @Test("Identifiers can be shortened, and have versions before them")
  func identifiers() throws {
    let (_, history) = try makeHistory()
    for version in history.versions {
      #expect(try VersionSelector(version.id.description).version(in: history) == version)
      #expect(try VersionSelector(version.id.short.uppercased()).version(in: history) == version)
    }
    let third = history.versions[1]
    #expect(try VersionSelector("\(third.id.short)~2").version(in: history) == history.versions[3])
  }

  @Test(
    "What fits no version is refused with what there is",
    arguments: [
      "99999999", "abc", "~9", "~x", "~\(Int.min)", "~\(Int.max)", "conflict/0", "conflict/1",
      "conflict/x", "conflict/\(Int.min)", "@{2020-01-01}", "nonsense",
    ])
  func missing(selector: String) throws {
    let (desk, history) = try makeHistory()
    expectVersionError(.noSuchVersion) {
      _ = try VersionSelector(selector)
        .version(in: history, now: desk.clock.now, timeZone: .gmt)
    }
  }

  @Test(
    "A time that is none is a mistake of its own",
    arguments: [
      "@{soon}", "@{2026-13}", "@{2026-13-01}", "@{2026-11-31}", "@{2026-11-19 25:70}",
      "@{x days ago}", "@{\(Int.min) days ago}", "@{2026-x-11-19}", "@{2026-11-1o-19}",
      "@{2026-11-19 9:x:15}", "@{2026--11-19}",
      "@{today 25:00}", "@{2026-11-22T}", "@{2026-11-22T10:30:00ZZ}", "@{2026-11-22T10Z}",
      "@{2026-11-22T10:30:00.Z}", "@{2026-11-22T10:30:00+99:00}", "@{yesterday noon}",
    ])
  func noTime(selector: String) throws {
    let (_, history) = try makeHistory()
    expectVersionError(.invalidArgument) { _ = try VersionSelector(selector).version(in: history) }
  }

  @Test("An ambiguous identifier names its candidates")
  func ambiguous() throws {
    let desk = try Device()
    try desk.save("1", as: "a.md")
    let listing = FileVersion.Listing(
      of: desk["a.md"], at: ReferenceDigest([:]), environment: desk.store.environment)
    // Records that differ in their notes only, until two share four digits: some 300 of them.
    var versions: [FileVersion] = []
    var digits: [String: Int] = [:]
    var shared: String?
    for number in 0..<10_000 where shared == nil {
      let facts = Record.Facts(
        document: "", kind: .save, path: "a.md", author: "Mira", device: "laptop", date: 1,
        modified: 1, note: "\(number)")
      let version = FileVersion(
        listed: ListedVersion(try Record.make(facts, parents: []).record, content: nil),
        listing: listing, isUnresolved: false, isCurrent: false)
      versions.append(version)
      let prefix = String(version.id.description.prefix(4))
      digits[prefix, default: 0] += 1
      if digits[prefix] == 2 { shared = prefix }
    }
    let prefix = try #require(shared)
    let history = DocumentHistory(
      document: desk["a.md"], documentIdentifier: "", versions: versions, count: versions.count,
      current: nil, unresolvedConflicts: [], shown: nil,
      conflictBase: nil)
    expectVersionError(.ambiguousVersion) {
      _ = try VersionSelector(prefix).version(in: history)
    }
  }

  @Test("Three digits are too few")
  func tooShort() throws {
    let desk = try Device()
    let id = try desk.save("1", as: "a.md").id.description
    let history = try desk.history("a.md")
    expectVersionError(.noSuchVersion) {
      _ = try VersionSelector(String(id.prefix(3))).version(in: history)
    }
    #expect(try VersionSelector(String(id.prefix(4))).version(in: history) == history.current)
  }

  @Test("Conflict versions are counted as the list shows them")
  func conflicts() throws {
    let desk = try Device()
    let versions = try desk.conflict(base: "1", other: "2", current: "3", as: "a.md")
    let history = try desk.history("a.md")
    #expect(try VersionSelector("conflict/1").version(in: history) == versions.other)
    #expect(try VersionSelector("conflict/1~1").version(in: history) == versions.base)
    expectVersionError(.noSuchVersion) {
      _ = try VersionSelector("conflict/2").version(in: history)
    }
  }

  @Test("A removed version is stepped over")
  func removed() throws {
    let (desk, before) = try makeHistory()
    try before.versions[1].remove()
    let history = try desk.history("a.md")
    let version = try VersionSelector("~1").version(in: history)
    #expect(try String(decoding: version.contents(), as: UTF8.self) == "1")
  }
}
