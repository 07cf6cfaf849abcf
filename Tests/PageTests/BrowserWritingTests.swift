import DocumentTestSupport
import DocumentVersions
import Foundation
import Testing

/// Writing in a real browser: long texts, undoing, and operations on whole documents.
@Suite(
  "Page in a browser: writing", .serialized, .blocks,
  .enabled(if: Browser.program != nil, "Chromium is not installed: .ci/setup --tests brings it."))
struct BrowserWritingTests {
  private let folder: ScratchFolder

  init() throws {
    folder = try ScratchFolder()
    try FileManager.default.createDirectory(at: folder["A"], withIntermediateDirectories: true)
  }

  @Test("A key in a text of 1 MB takes less than 16 ms, and what is typed is at its place")
  func longText() throws {
    let line = "lorem ipsum dolor sit amet consectetur adipiscing elit sed do eiusmod\n"
    let text = String(repeating: line, count: 1_000_000 / line.utf8.count)
    try folder.write(text, to: "A/Long.md")
    let page = try PageProgram(folder["A"])
    let window = try Browser().open(page.address)
    try window.waits(until: .lists(1))
    try window.go(to: "Long.md")
    try window.waits(until: .text(contains: "lorem"))
    try window.waits(until: "!document.querySelector('textarea').readOnly")
    try window.run("document.querySelector('textarea').focus()")
    try window.press("End", isControlled: true)
    let before = try window.processorTime()
    for _ in 0..<20 { try window.press("x") }
    // The change of the last key is drawn.
    try window.value("new Promise((done) => requestAnimationFrame(() => setTimeout(done)))")
    let perKey = (try window.processorTime() - before) / 20
    #expect(perKey < 16, "A key takes \(perKey) ms of processor time.")
    try window.waits(until: .isSaved)
    #expect(try folder.read("A/Long.md") == text + String(repeating: "x", count: 20))
    try window.press("Home", isControlled: true)
    try window.press("y")
    try window.press("a", isControlled: true)
    #expect(
      try window.value("document.querySelector('textarea').value.length")
        == String(text.utf8.count + 21))
    try window.waits(until: .isSaved)
    #expect(
      try folder.read("A/Long.md") == "y" + text + String(repeating: "x", count: 20))
    try page.end()
  }

  @Test("The field of a long text has the text, whatever is typed, scrolled and changed elsewhere")
  func field() throws {
    let page = try PageProgram(folder["A"])
    let window = try Browser().open(page.address)
    try window.waits(until: "document.getElementById('count').textContent !== ''")
    let rounds = TestMode.pick(short: 80, full: 400)
    let failures = try window.value(
      """
      await import('/text.js').then(({ TextField }) => {
        let seed = 11, failures = 0;
        const random = (n) => { seed = (seed * 1103515245 + 12345) & 0x7fffffff; return Math.floor(seed / 65536) % n; };
        const field = new TextField({});
        field.area.className = 'test';
        document.getElementById('main').append(field.area);
        let text = Array.from({ length: 6000 }, (_, i) => `line ${i} ${'😀é'.repeat(random(20))}\\n`).join('');
        field.text = text;
        if (field.isWhole || field.area.value.length > 100000) failures += 1;
        for (let round = 0; round < \(rounds); round += 1) {
          const place = random(text.length), count = random(30);
          const piece = ['', 'new', 'two\\nlines\\n', 'x'.repeat(3000)][random(4)];
          const what = random(6);
          if (what === 0) {
            field.select(place, Math.min(text.length, place + count));
            if (field.start !== place) failures += 1;
          } else if (what === 1) {
            const [start, end] = [field.start, field.end];
            field.area.setRangeText(piece, field.area.selectionStart, field.area.selectionEnd, 'end');
            text = text.slice(0, start) + piece + text.slice(end);
            if (field.start !== start + piece.length) failures += 1;
          } else if (what === 2) {
            field.replace(place, Math.min(count, text.length - place), piece);
            text = text.slice(0, place) + piece + text.slice(place + count);
          } else if (what === 3) { field.area.scrollTop = random(2) * 1e6; field.slide(); } else if (what === 4) field.trim();
          else if (random(20) === 0) field.expand();
          if (field.text !== text) { failures += 1; text = field.text; }
        }
        field.area.remove();
        return failures;
      })
      """)
    #expect(failures == "0")
    try page.end()
  }

  @Test("Typing is undone and redone by name, in whichever window, and the file follows")
  func undoing() throws {
    try folder.write("one\n", to: "A/Note.txt")
    let page = try PageProgram(folder["A"])
    let browser = try Browser()
    let windows = try [browser.open(page.address), browser.open(page.address)]
    for window in windows {
      try window.waits(until: .lists(1))
      try window.go(to: "Note.txt")
      try window.waits(until: .text(contains: "one"))
      try window.waits(until: "!document.querySelector('textarea').readOnly")
    }
    let undo = "document.querySelector('.editor [aria-label^=Undo]')"
    #expect(try windows[0].value("\(undo).disabled") == "true")
    try windows[0].run("document.querySelector('textarea').focus()")
    try windows[0].press("End", isControlled: true)
    try windows[0].type("two")
    try windows[0].waits(until: .isSaved)
    try windows[0].press("Backspace")
    try windows[0].waits(until: "\(undo).title === 'Undo Deletion'")
    try windows[0].waits(until: .isSaved)
    #expect(try folder.read("A/Note.txt") == "one\ntw")
    try windows[0].press("z", isControlled: true)
    try windows[0].waits(until: .text(contains: "two"))
    try windows[0].waits(until: "\(undo).title === 'Undo Typing'")
    #expect(
      try windows[0].value("document.querySelector('.editor [aria-label^=Redo]').title")
        == "Redo Deletion")
    try windows[1].waits(until: .text(contains: "two"))
    try windows[1].run("\(undo).click()")
    for window in windows {
      try window.waits(until: "document.querySelector('textarea').value === 'one\\n'")
      try window.waits(until: .isSaved)
    }
    #expect(try folder.read("A/Note.txt") == "one\n")
    try windows[0].run("document.querySelector('.editor [aria-label^=Redo]').click()")
    try windows[0].waits(until: .text(contains: "two"))
    try windows[0].waits(until: .isSaved)
    #expect(try folder.read("A/Note.txt") == "one\ntwo")
    try page.end()
  }

  @Test("From the list, a document is moved, renamed, duplicated and deleted, and each comes back")
  func deeds() throws {
    try folder.write("one\n", to: "A/Note.txt")
    try folder.write("old\n", to: "A/Trips/Old.txt")
    let page = try PageProgram(folder["A"])
    let window = try Browser().open(page.address)
    try window.waits(until: .lists(2))
    let row = "document.querySelector('#list [data-path=\"Note.txt\"] a')"
    try window.run("\(row).focus()")
    try window.press("m")
    try window.waits(until: "document.activeElement.getAttribute('aria-label') === 'Folder'")
    try window.picture("move")
    try window.type("Trips")
    try window.press("Enter")
    try window.waits(
      until: "document.querySelector('#list [data-path=\"Trips/Note.txt\"]') !== null")
    #expect(try folder.read("A/Trips/Note.txt") == "one\n")
    try window.waits(until: "document.querySelector('.toast button') !== null")
    try window.run("document.querySelector('.toast button').click()")
    try window.waits(until: "\(row) !== null && !!\(row)")
    #expect(try folder.read("A/Note.txt") == "one\n")

    // An open document moves along.
    try window.go(to: "Note.txt")
    try window.waits(until: .text(contains: "one"))
    try window.run("\(row).nextElementSibling.click()")
    try window.waits(until: "document.activeElement.getAttribute('role') === 'menuitem'")
    try window.picture("menu")
    try window.press("Enter")
    try window.waits(until: "document.activeElement.getAttribute('aria-label') === 'Name'")
    try window.type("Greeting")
    try window.press("Enter")
    try window.waits(until: "location.hash === '#Greeting.txt'")
    #expect(try folder.read("A/Greeting.txt") == "one\n")
    try window.waits(until: "document.querySelector('.title')?.value === 'Greeting'")
    try window.waits(
      until: "document.querySelector('#list [data-path=\"Greeting.txt\"] a') !== null")
    try window.run("document.querySelector('#list [data-path=\"Greeting.txt\"] a').focus()")
    try window.press("Delete")
    try window.waits(until: .lists(1))
    try window.waits(
      until: "document.getElementById('toasts').textContent.includes('is deleted')")
    try window.run("[...document.querySelectorAll('.toast button')].at(-2).click()")
    try window.waits(until: .lists(2))
    #expect(try folder.read("A/Greeting.txt") == "one\n")
    try page.end()
  }
}
