import DocumentTestSupport
import Foundation
import Testing

/// The page for people without a mouse or a display, in a real browser.
@Suite(
  "Page in a browser: focus and names", .serialized, .blocks,
  .enabled(if: Browser.program != nil, "Chromium is not installed: .ci/setup --tests brings it."))
struct BrowserFocusTests {
  private let folder: ScratchFolder

  init() throws {
    folder = try ScratchFolder()
    try folder.write("one\n", to: "A/Note.md")
    try folder.write("two\n", to: "A/Other.md")
  }

  private func open(_ page: PageProgram, _ count: Int) throws -> BrowserWindow {
    let window = try Browser().open(page.address)
    try window.waits(until: .lists(count))
    return window
  }

  /// Returns whether an element that a selector finds has the focus.
  private func hasFocus(_ selector: String) -> PageCondition {
    "document.activeElement.matches('\(selector)')"
  }

  @Test("Menus and dialogs close with Escape, and give the focus back")
  func escape() throws {
    let page = try PageProgram(folder["A"])
    let window = try open(page, 2)
    let row = "#list li[data-path=\"Note.md\"]"
    try window.run("document.querySelector('\(row) a').focus()")
    for key in ["F2", "m"] {
      try window.press(key)
      try window.waits(until: hasFocus("dialog input"))
      try window.press("Escape")
      try window.waits(until: hasFocus("\(row) a"))
      try window.waits(until: "document.querySelector('dialog') === null")
    }
    try window.run("document.querySelector('\(row) button').click()")
    try window.waits(until: hasFocus("[role=menuitem]"))
    try window.press("Escape")
    try window.waits(until: hasFocus("\(row) button"))
    try window.go(to: "Note.md")
    try window.waits(until: hasFocus("textarea"))
    try window.run("document.querySelector('.menu summary').focus()")
    try window.press("Enter")
    try window.waits(until: "document.querySelector('.menu').open")
    try window.run("document.querySelector('.menu button').focus()")
    try window.press("Escape")
    try window.waits(until: hasFocus(".menu summary"))
    #expect(try window.value("document.querySelector('.menu').open") == "false")
    // A menu's question gives the focus back to the menu.
    try window.press("Enter")
    try window.waits(until: "document.querySelector('.menu').open")
    try window.run("[...document.querySelectorAll('.menu button')].at(-2).click()")
    try window.waits(until: hasFocus("dialog input"))
    try window.press("Escape")
    try window.waits(until: hasFocus(".menu summary"))
    try page.end()
  }

  @Test("The focus stays in the list when a row gets another name, or goes")
  func list() throws {
    let page = try PageProgram(folder["A"])
    let window = try open(page, 2)
    try window.run("document.querySelector('#list li[data-path=\"Note.md\"] a').focus()")
    try window.press("F2")
    try window.waits(until: hasFocus("dialog input"))
    try window.type("Zebra")
    try window.press("Enter")
    try window.waits(until: hasFocus("#list li[data-path=\"Zebra.md\"] a"))
    try window.press("Delete")
    try window.waits(until: .lists(1))
    try window.waits(until: hasFocus("#list li[data-path=\"Other.md\"] a"))
    try page.end()
  }

  @Test("The link to the document leads there, and opens no other")
  func skip() throws {
    let page = try PageProgram(folder["A"])
    let window = try open(page, 2)
    try window.go(to: "Note.md")
    try window.waits(until: hasFocus("textarea"))
    try window.run("document.querySelector('.skip').focus()")
    try window.press("Enter")
    try window.waits(until: hasFocus("textarea"))
    #expect(try window.value("location.hash") == "#Note.md")
    try page.end()
  }

  @Test(
    "A document with any name is opened by its row",
    arguments: [
      "#a!history.md", "100%25.md", "ع\u{202E}gnp.md", String(repeating: "n", count: 240) + ".md",
    ])
  func names(name: String) throws {
    try folder.write("of \(name.utf8.count)\n", to: "A/\(name)")
    let page = try PageProgram(folder["A"])
    let window = try open(page, 3)
    try window.run(
      "[...document.querySelectorAll('#list li')].find((row) => !/^(Note|Other).md$/.test(row.dataset.path)).firstChild.click()"
    )
    try window.waits(until: .text(contains: "of \(name.utf8.count)"))
    try window.run("document.querySelector('.head a.subtle').click()")
    try window.waits(until: "document.activeElement.closest('.history') !== null")
    try window.press("Escape")
    try window.waits(until: .text(contains: "of \(name.utf8.count)"))
    #expect(
      try window.value("document.querySelector('#list').textContent.includes('\\u202e')") == "false"
    )
    #expect(try window.value("document.documentElement.scrollWidth <= innerWidth") == "true")
    try page.end()
  }
}
