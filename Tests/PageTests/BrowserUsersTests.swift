import DocumentTestSupport
import DocumentVersions
import Foundation
import Testing

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// Folders of other users, and clocks that are wrong, in a real browser.
@Suite(
  "Page in a browser: users and clocks", .serialized, .blocks,
  .enabled(if: Browser.program != nil, "Chromium is not installed: .ci/setup --tests brings it."))
struct BrowserUsersTests {
  private let devices: Devices

  init() throws { devices = try Devices() }

  @Test(
    "A folder of another user is shown and can't be changed, and follows or says that it can't",
    .enabled(if: PageProgram.canBeOtherUser, "Only the administrator can be another user."),
    arguments: [false, true])
  func otherUser(hasVersions: Bool) async throws {
    try devices.folder.write("Ours\n\nto read\n", to: "A/Note.md")
    if hasVersions { try await devices.anna.save(devices.folder["A/Note.md"]) }
    try #require(
      Command.run("chmod", ["-R", "a+rX,go-w", devices.folder["A"].path]).exitCode == 0)
    let own = try PageProgram(devices.folder["A"])
    let other = try PageProgram(devices.folder["A"], isOtherUser: true)
    // Each has a separate page.
    #expect(own.port != other.port)
    let browser = try Browser()
    let window = try browser.open(other.address)
    try window.waits(until: .lists(1))
    try window.go(to: "Note.md")
    if hasVersions {
      // Versions of another user aren't trusted, but the text is shown.
      try window.waits(
        until: "document.querySelector('.part pre')?.textContent.includes('to read')")
      #expect(
        try window.value("document.querySelector('.empty').textContent.includes('another user')")
          == "true")
    } else {
      try window.waits(until: .text(contains: "to read"))
      try window.waits(until: "document.querySelector('.state').textContent === 'Read only'")
      #expect(try window.value("document.querySelector('textarea').readOnly") == "true")
    }
    try window.picture(hasVersions ? "other-user" : "read-only")
    try window.run("document.getElementById('new').click()")
    try window.waits(until: "document.querySelector('.toast') !== null")
    try window.waits(until: "!document.getElementById('new').disabled")
    #expect(try window.value("document.querySelectorAll('#list li').length") == "1")

    let editing = try browser.open(own.address)
    try editing.waits(until: .lists(1))
    try editing.go(to: "Note.md")
    try editing.waits(until: .text(contains: "to read"))
    try editing.run("document.querySelector('textarea').focus()")
    try editing.type("More than ")
    try editing.waits(until: .isSaved)
    // With the first version, the text belongs to untrusted versions, which the page reports.
    try window.waits(
      until: hasVersions
        ? "document.querySelector('.part pre')?.textContent.includes('More than Ours')"
        : "document.querySelector('.bar')?.textContent.includes('another user')")
    try own.end()
    try other.end()
  }

  @Test("Times of a clock that is wrong are shown as they are, and the current version stays it")
  func clock() async throws {
    try devices.folder.write("old\n", to: "A/Old.txt")
    try devices.folder.write("new\n", to: "A/New.txt")
    try devices.folder.write("of 2031\n", to: "A/Note.txt")
    for (name, date) in [
      ("Old.txt", -86_400.0), ("New.txt", 3_000_000_000), ("Note.txt", 1_935_824_889),
    ] {
      try FileManager.default.setAttributes(
        [.modificationDate: Date(timeIntervalSince1970: date)],
        ofItemAtPath: devices.folder["A/\(name)"].path)
    }
    let saved = try Command.run(
      BuiltProgram.url(of: "docversions").path, ["save", devices.folder["A/Note.txt"].path],
      environment: [
        "DOCVERSIONS_NOW": "2031-05-06T07:08:09Z", "DOCVERSIONS_AUTHOR": "Anna",
        "DOCVERSIONS_DEVICE": "laptop",
      ])
    try #require(saved.exitCode == 0, "\(saved.errorOutput)")
    try await devices.save("of today\n", as: "Note.txt", note: "today")
    let page = try PageProgram(devices.folder["A"])
    let window = try Browser().open(page.address)
    try window.waits(until: .lists(3))
    let names =
      "[...document.querySelectorAll('#list .name')].map((each) => each.firstChild.data).join()"
    #expect(try window.value(names) == "New,Note,Old")
    let dates =
      "[...document.querySelectorAll('#list time')].map((each) => each.textContent).join()"
    let shown = try window.value(dates)
    #expect(shown.contains("2065") && shown.contains("1969"), "\(shown)")
    try window.go(to: "Note.txt!history")
    try window.waits(until: "document.querySelectorAll('.timeline li').length === 2")
    #expect(
      try window.value("document.querySelector('.timeline').textContent.includes('2031')")
        == "true")
    let current =
      "document.querySelector('.timeline .tag')?.closest('li').textContent.includes('today')"
    #expect(try window.value(current) == "true")
    try window.picture("wrong-clock")
    try window.go(to: "Note.txt")
    try window.waits(until: .text(contains: "of today"))
    try window.waits(until: .isSaved)
    try page.end()
  }
}
