import DocumentTestSupport
import DocumentVersions
import Foundation
import Testing

/// The page as a person uses it, in a real browser.
@Suite(
  "Page in a browser", .serialized, .blocks,
  .enabled(if: Browser.program != nil, "Chromium is not installed: .ci/setup --tests brings it."))
struct BrowserTests {
  private let folder: ScratchFolder

  init() throws {
    folder = try ScratchFolder()
    try FileManager.default.createDirectory(at: folder["A"], withIntermediateDirectories: true)
  }

  private let ben = VersionStore(identity: Identity(author: "Ben", device: "desktop"))
  private let anna = VersionStore(identity: Identity(author: "Anna", device: "laptop"))

  @Test("What is typed is saved, and what another program writes appears")
  func writing() throws {
    try folder.write("# Trip\n\nFriday\n", to: "A/Trip.md")
    let page = try PageProgram(folder["A"])
    let window = try Browser().open(page.address)
    try window.waits(until: "document.querySelectorAll('#list li').length === 1")
    try window.run("document.getElementById('new').click()")
    try window.waits(
      until: "location.hash === '#Note%201.md' && document.activeElement.tagName === 'TEXTAREA'")
    try window.type("Buy a “map”\n")
    try window.waits(until: .isSaved)
    #expect(try folder.read("A/Note 1.md") == "Buy a “map”\n")

    try window.go(to: "Trip.md")
    try window.waits(until: .text(contains: "Friday"))
    try folder.write("# Trip\n\nSaturday\n", to: "A/Trip.md")
    try window.waits(until: .text(contains: "Saturday"))
    try window.picture("editor")
    try window.run("document.querySelector('.title').focus()")
    try window.run("document.querySelector('.title').value = 'Alps'")
    try window.press("Enter")
    try window.waits(until: "location.hash === '#Alps.md'")
    #expect(FileManager.default.fileExists(atPath: folder["A/Alps.md"].path))
    try page.end()
  }

  @Test("Two windows on one document show what the other types")
  func twoWindows() throws {
    try folder.write("one\ntwo\n", to: "A/List.txt")
    let page = try PageProgram(folder["A"])
    let browser = try Browser()
    let windows = try [browser.open(page.address), browser.open(page.address)]
    for window in windows {
      try window.waits(until: "document.querySelectorAll('#list li').length === 1")
      try window.go(to: "List.txt")
      try window.waits(until: .text(contains: "two"))
      try window.waits(until: "!document.querySelector('textarea').readOnly")
    }
    for (number, window) in windows.enumerated() {
      // The first writes at the start, the second at the end.
      try window.run(
        "const a = document.querySelector('textarea'); a.focus(); a.setSelectionRange(\(number) * a.value.length, \(number) * a.value.length)"
      )
      try window.type(number == 0 ? "zero\n" : "three\n")
    }
    for window in windows {
      try window.waits(
        until: "document.querySelector('textarea').value === 'zero\\none\\ntwo\\nthree\\n'")
      try window.waits(until: .isSaved)
    }
    #expect(try folder.read("A/List.txt") == "zero\none\ntwo\nthree\n")
    try page.end()
  }

  @Test(
    "A conflict that a second device makes while the page is open is resolved by keyboard alone")
  func conflict() async throws {
    let packing =
      "# Packing\n\nTent for three\nStove\nMap\n\n## Food\n\nBread\nCheese\nApples\n\n## Money\n\nAll bring 50.\n"
    try folder.write(packing, to: "A/Packing.md")
    for name in ["B", "X"] {
      try FileManager.default.createDirectory(at: folder[name], withIntermediateDirectories: true)
    }
    try await anna.save(folder["A/Packing.md"], note: "first list")
    try await anna.exchange(folder["A"], through: folder["X"])
    try await ben.exchange(folder["B"], through: folder["X"])
    let theirs = packing.replacing("Tent for three", with: "Two small tents")
      .replacing("Apples", with: "Apples and nuts").replacing("bring 50", with: "bring 80")
    try folder.write(theirs, to: "B/Packing.md")
    try await ben.save(folder["B/Packing.md"], note: "more of all")
    try await ben.exchange(folder["B"], through: folder["X"])

    let page = try PageProgram(folder["A"])
    let window = try Browser().open(page.address)
    try window.waits(until: "document.querySelectorAll('#list li').length === 1")
    try window.go(to: "Packing.md")
    try window.waits(until: .text(contains: "three"))
    let ours = packing.replacing("Tent for three", with: "Tent for four")
      .replacing("Bread", with: "Dark bread").replacing("bring 50", with: "bring 60")
    try window.run("const a = document.querySelector('textarea'); a.focus(); a.select()")
    try window.type(ours)
    try window.waits(until: .isSaved)
    // The other device's version arrives.
    try await anna.save(folder["A/Packing.md"], note: "four of us")
    try await anna.exchange(folder["A"], through: folder["X"])
    try window.waits(until: "!document.querySelector('.resolve').hidden")
    try window.waits(until: "document.querySelector('#list .mark.conflict') !== null")

    try window.run("document.querySelector('.resolve').focus()")
    try window.press("Enter")
    try window.waits(until: "document.activeElement.classList.contains('card')")
    try window.picture("conflict")
    let names = try window.accessibleNames()
    #expect(names.contains { $0.role == "group" && $0.name == "Question 1: line 3" })
    #expect(names.filter { $0.role == "radio" }.allSatisfy { !$0.name.isEmpty })
    #expect(names.filter { $0.role == "button" }.allSatisfy { !$0.name.isEmpty })
    try window.press("1")
    try window.waits(
      until: "document.activeElement.getAttribute('aria-label').startsWith('Question 2')")
    try window.press("2")
    try window.waits(until: "document.activeElement.textContent === 'Resolve'")
    try window.picture("conflict-answered")
    try window.press("Enter")
    try window.waits(until: .text(contains: "bring 80"))
    try window.waits(until: .isSaved)
    let merged = ours.replacing("Apples", with: "Apples and nuts").replacing(
      "bring 60", with: "bring 80")
    #expect(try folder.read("A/Packing.md") == merged)
    #expect(try await Conflict.of(folder["A/Packing.md"], store: anna) == nil)

    try window.go(to: "Packing.md!history")
    try window.waits(
      until:
        "document.querySelectorAll('.timeline li').length >= 4 && !!document.querySelector('.difference')"
    )
    try window.picture("history")
    try page.end()
  }

  @Test("Nothing is wider than a small telephone, and dark is dark")
  func smallAndDark() throws {
    try folder.write(
      "# A long heading that goes on and on\n\n\(String(repeating: "word ", count: 200))\n",
      to: "A/A very long name of a document that does not fit.md")
    let page = try PageProgram(folder["A"])
    let window = try Browser().open(page.address, size: (360, 640), isDark: true)
    try window.waits(until: "document.querySelectorAll('#list li').length === 1")
    try window.picture("small-list")
    let fits = "document.documentElement.scrollWidth <= 360"
    #expect(try window.value(fits) == "true")
    try window.run("document.querySelector('#list a').click()")
    try window.waits(until: .text(contains: "heading"))
    try window.picture("small-editor")
    #expect(try window.value(fits) == "true")
    #expect(
      try window.value("getComputedStyle(document.body).backgroundColor") == "rgb(27, 27, 30)")
    try window.run("location.hash += '!history'")
    try window.waits(
      until: "document.querySelector('.history .content .empty, .history .difference') !== null")
    #expect(try window.value(fits) == "true")
    try page.end()
  }

  @Test("Hostile names and contents are shown as text, and run nothing")
  func hostile() throws {
    let script = "<script>window.hostile = 1</script><img src=x onerror='window.hostile = 2'>"
    try folder.write(
      "\(script)\n\n[a](javascript:window.hostile=3) ![b](http://127.0.0.1:1/x.png)\n\n| \(script) |\n| --- |\n",
      to: "A/<img src=x onerror='window.hostile=4'>.md")
    let page = try PageProgram(folder["A"])
    let window = try Browser().open(page.address)
    try window.waits(until: "document.querySelectorAll('#list li').length === 1")
    try window.run("document.querySelector('#list a').click()")
    try window.waits(until: .text(contains: "hostile"))
    try window.run("document.querySelector('button[aria-pressed]').click()")
    try window.waits(until: "document.querySelector('.preview').textContent.includes('<script>')")
    #expect(try window.value("window.hostile") == "undefined")
    #expect(
      try window.value(
        "document.querySelectorAll('main img, main script, main a[href^=javascript]').length")
        == "0")
    try page.end()
  }

  @Test("What was typed when the program was killed is saved when it is back")
  func connectionLost() throws {
    try folder.write("one\n", to: "A/Note.txt")
    let first = try PageProgram(folder["A"])
    let browser = try Browser()
    let window = try browser.open(first.address)
    try window.waits(until: "document.querySelectorAll('#list li').length === 1")
    try window.go(to: "Note.txt")
    try window.waits(until: .text(contains: "one"))
    first.program.kill()
    _ = try first.program.wait()
    try window.waits(until: "document.querySelector('.state').textContent === 'No connection'")
    try window.run(
      "const a = document.querySelector('textarea'); a.focus(); a.setSelectionRange(4, 4)")
    try window.type("two\n")
    try window.waits(until: "document.querySelector('.state').textContent.startsWith('Unsaved')")
    let second = try PageProgram(folder["A"], port: first.port)
    let other = try browser.open(second.address)
    try other.waits(until: "document.querySelectorAll('#list li').length === 1")
    try other.go(to: "Note.txt")
    try other.waits(until: .text(contains: "two"))
    try other.waits(until: .isSaved)
    #expect(try folder.read("A/Note.txt") == "one\ntwo\n")
    try second.end()
  }

  @Test("Differences put together give both texts, and what is the same is the longest there is")
  func differences() throws {
    let page = try PageProgram(folder["A"])
    let window = try Browser().open(page.address)
    try window.waits(until: "document.getElementById('count').textContent !== ''")
    let failures = try window.value(
      """
      await import('/difference.js').then(({ lineParts, patch }) => {
        let seed = 7, failures = 0;
        const random = (n) => { seed = (seed * 1103515245 + 12345) & 0x7fffffff; return seed % n; };
        const text = () => Array.from({ length: 1 + random(10) }, () => 'abc'[random(3)]);
        const longest = (a, b) => {
          const d = Array.from({ length: a.length + 1 }, () => new Array(b.length + 1).fill(0));
          for (let i = a.length - 1; i >= 0; i -= 1) for (let j = b.length - 1; j >= 0; j -= 1)
            d[i][j] = a[i] === b[j] ? d[i + 1][j + 1] + 1 : Math.max(d[i + 1][j], d[i][j + 1]);
          return d[0][0];
        };
        for (let round = 0; round < 1000; round += 1) {
          const [a, b] = [text(), text()];
          const [old, now] = [a.join('\\n'), b.join('\\n')];
          const parts = lineParts(old, now);
          const same = parts.filter((part) => part.isSame).flatMap((part) => part.old);
          const change = patch(old, now) ?? { start: 0, removed: 0, inserted: '' };
          if (parts.flatMap((part) => part.old).join('\\n') !== old) failures += 1;
          if (parts.flatMap((part) => part.new).join('\\n') !== now) failures += 1;
          if (same.length !== longest(a, b)) failures += 1;
          if (old.slice(0, change.start) + change.inserted + old.slice(change.start + change.removed) !== now) failures += 1;
        }
        return failures;
      })
      """)
    #expect(failures == "0")
    try page.end()
  }

  @Test("Taking all places from one version gives that version, whatever the texts")
  func places() throws {
    let page = try PageProgram(folder["A"])
    let window = try Browser().open(page.address)
    try window.waits(until: "document.getElementById('count').textContent !== ''")
    let failures = try window.value(
      #"""
      await import('/places.js').then(({ placesOf, chosen }) => {
        let seed = 7, failures = 0;
        const random = (n) => { seed = (seed * 1103515245 + 12345) % 2147483648; return Math.floor(seed / 65536) % n; };
        const lines = ['"a": 1', '"b": 2,', 'x,1,2', 'y,"3, 4",5', '', '  - id: q', 'n: 1', 'n: 2', '<k>v</k>', 'z', 'z,9'];
        const text = (rows) => rows.map((row) => row + '\n').join('') + (random(4) ? '' : 'end');
        const edited = (rows) => rows.flatMap((row) => [[row], [row], [row], [], [lines[random(11)]], [row, lines[random(11)]], [row + random(3)]][random(7)]);
        for (let round = 0; round < 2000; round += 1) {
          const base = Array.from({ length: random(12) }, () => lines[random(11)]);
          const texts = Array.from({ length: 2 + random(2) }, () => text(edited(base)));
          const merged = text(edited(base)).replaceAll('\n', ['\n', '\r\n'][random(2)]);
          const baseText = random(5) ? text(base) : null;
          const name = `x.${['csv', 'json', 'yaml', 'txt', 'xml', 'tsv'][random(6)]}`;
          const { parts, ending } = placesOf({ merged, texts, baseText }, name, null);
          const all = (side) => parts.map((part) => chosen(part, side)).join('');
          if (all().replaceAll('\n', ending) !== merged) failures += 1;
          texts.forEach((each, side) => { if (all(String(side)) !== each) failures += 1; });
          if (baseText !== null && all('base') !== baseText) failures += 1;
          const keys = parts.filter((part) => part.sides).map((part) => part.key);
          if (new Set(keys).size !== keys.length) failures += 1;
        }
        return failures;
      })
      """#)
    #expect(failures == "0")
    try page.end()
  }
}
