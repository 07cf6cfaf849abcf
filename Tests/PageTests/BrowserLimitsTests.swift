import DocumentTestSupport
import DocumentVersions
import Foundation
import Testing

/// Unusual cases in a real browser: documents that are elsewhere or too long, and displays of all kinds.
@Suite(
  "Page in a browser: limits", .serialized, .blocks,
  .enabled(if: Browser.program != nil, "Chromium is not installed: .ci/setup --tests brings it."))
struct BrowserLimitsTests {
  private let devices: Devices

  init() throws { devices = try Devices() }

  @Test("A document that is only listed is downloaded when it is opened")
  func listed() async throws {
    let git = try Command.run("/usr/bin/git", ["init", "--bare", devices.folder["R.git"].path])
    try #require(git.exitCode == 0)
    let remote = try Remote(name: "origin", address: "file://\(devices.folder["R.git"].path)")
    try devices.folder.write("one\n", to: "B/Note.txt")
    try devices.folder.write("\0\u{1}", to: "B/Bytes.png")
    for name in ["Note.txt", "Bytes.png"] {
      try await devices.ben.save(devices.folder["B/\(name)"])
    }
    try await devices.ben.addRemote(remote, to: devices.folder["B"])
    try await devices.ben.sync(devices.folder["B"])
    try FileManager.default.removeItem(at: devices.folder["A"])
    try await devices.anna.clone(remote, to: devices.folder["A"], listing: true)

    let page = try PageProgram(devices.folder["A"])
    let window = try Browser().open(page.address)
    try window.waits(until: .lists(2))
    try window.waits(until: "document.querySelectorAll('#list .mark.away').length === 2")
    try window.picture("listed")
    try window.go(to: "Note.txt")
    try window.waits(until: .text(contains: "one"))
    try window.waits(until: .isSaved)
    #expect(try devices.folder.read("A/Note.txt") == "one\n")
    try window.waits(until: "document.querySelectorAll('#list .mark.away').length === 1")
    // A document that can't be edited is downloaded on request.
    try window.go(to: "Bytes.png")
    try window.waits(until: "document.querySelector('.other .primary') !== null")
    // Without the remote, the page reports that, and the download can be tried again.
    try FileManager.default.moveItem(at: devices.folder["R.git"], to: devices.folder["R"])
    try window.run("document.querySelector('.other .primary').click()")
    try window.waits(until: "document.querySelector('.toast') !== null")
    try window.waits(until: "!document.querySelector('.other .primary').disabled")
    try FileManager.default.moveItem(at: devices.folder["R"], to: devices.folder["R.git"])
    try window.run("document.querySelector('.other .primary').click()")
    try window.waits(until: "document.querySelectorAll('#list .mark.away').length === 0")
    try page.end()
  }

  @Test("A slow download shows how far it is; where it fails it says so, and is tried again")
  func slowDownload() async throws {
    var random = SeededGenerator(seed: 1)
    // Digits that compress to about half.
    let lines = (0..<60_000).map { _ in String(random.next() as UInt64, radix: 16) }
    let text = lines.joined(separator: "\n") + "\n"
    let server = try GitServer(.git)
    let line = try CuttableLine(to: server.port)
    let own = try Remote(name: "origin", address: server.makeRepository("notes"))
    try server.git([
      "-C", server.folder("notes").path, "config", "uploadpack.allowReachableSHA1InWant", "true",
    ])
    try devices.folder.write(text, to: "B/Long.txt")
    try await devices.ben.save(devices.folder["B/Long.txt"])
    try await devices.ben.addRemote(own, to: devices.folder["B"])
    try await devices.ben.sync(devices.folder["B"])
    try FileManager.default.removeItem(at: devices.folder["A"])
    let slow = try Remote(
      name: "origin", address: server.address(of: "notes", port: line.port))
    try await devices.anna.clone(slow, to: devices.folder["A"], listing: true)

    let page = try PageProgram(devices.folder["A"])
    let window = try Browser().open(page.address)
    try window.waits(until: .lists(1))
    line.cut(afterSeconds: 600, atSpeed: 200_000)
    try window.go(to: "Long.txt")
    try window.waits(
      until: "/^Downloading… [1-9][0-9]? %$/.test(document.querySelector('.state')?.textContent)")
    try window.picture("downloading")
    line.cut(after: 0)
    try window.waits(until: "document.querySelector('.other .primary')?.textContent === 'Download'")
    #expect(
      try window.value("document.querySelector('.other .empty p').textContent.length > 20")
        == "true")
    try window.picture("download-failed")
    line.cut(after: nil)
    line.cut(afterSeconds: nil)
    try window.run("document.querySelector('.other .primary').click()")
    try window.waits(until: "document.querySelector('textarea')?.value.length > 1000")
    try window.waits(until: .isSaved)
    #expect(try devices.folder.read("A/Long.txt") == text)
    try page.end()
  }

  @Test("A document of 200 MB is shown by parts, in little memory")
  func large() throws {
    let line = String(repeating: "x", count: 127) + "\n"
    let part = Data(String(repeating: line, count: 8192).utf8)
    let place = devices.folder["A/Large.txt"]
    _ = FileManager.default.createFile(atPath: place.path, contents: nil)
    let file = try FileHandle(forWritingTo: place)
    for _ in 0..<200 { try file.write(contentsOf: part) }
    try file.close()
    let page = try PageProgram(devices.folder["A"])
    let window = try Browser().open(page.address)
    try window.waits(until: .lists(1))
    try window.go(to: "Large.txt")
    try window.waits(until: "document.querySelector('.part pre')?.textContent.length > 1000")
    #expect(
      try window.value("document.querySelector('.other').textContent.includes('8 MB')") == "true")
    for _ in 0..<3 {
      try window.run(
        "document.querySelector('.part').dataset.old = ''; [...document.querySelectorAll('.part button')].at(-1).click()"
      )
      try window.waits(until: "document.querySelector('.part[data-old]') === null")
    }
    let status = try String(
      contentsOfFile: "/proc/\(page.program.identifier)/status", encoding: .utf8)
    let peak = status.split(separator: "\n").first { $0.hasPrefix("VmHWM:") } ?? ""
    let kilobytes = try #require(Int(peak.filter(\.isNumber)))
    #expect(kilobytes < 150_000, "\(peak)")
    try page.end()
  }

  /// The luminance contrast ratios, according to WCAG 2, of all texts that a page shows.
  private static let contrasts = """
    (() => {
      const parse = (colour) => {
        const context = document.createElement('canvas').getContext('2d', { willReadFrequently: true });
        context.fillStyle = colour;
        context.fillRect(0, 0, 1, 1);
        return [...context.getImageData(0, 0, 1, 1).data].map((each, i) => (i === 3 ? each / 255 : each));
      };
      const over = (top, under) => top.slice(0, 3).map((each, i) => each * top[3] + under[i] * (1 - top[3]));
      const luminance = (rgb) => {
        const [r, g, b] = rgb.map((each) => { const c = each / 255; return c <= 0.03928 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4; });
        return 0.2126 * r + 0.7152 * g + 0.0722 * b;
      };
      const ground = (node) => {
        const above = [];
        for (let each = node; each; each = each.parentElement) above.push(parse(getComputedStyle(each).backgroundColor));
        return above.reverse().reduce((under, top) => over(top, under), [255, 255, 255]);
      };
      const failing = [];
      const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
      for (let text = walker.nextNode(); text; text = walker.nextNode()) {
        const node = text.parentElement;
        const style = getComputedStyle(node);
        if (!text.data.trim() || !node.checkVisibility() || node.closest('.hidden, .skip, :disabled, select')) continue;
        const under = ground(node);
        const [a, b] = [luminance(over(parse(style.color), under)), luminance(under)];
        const ratio = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
        if (ratio < 4.5) failing.push(`${node.tagName}.${node.className} “${text.data.trim().slice(0, 20)}” ${ratio.toFixed(2)}`);
      }
      return failing.join('\\n');
    })()
    """

  @Test("All texts have the contrast of WCAG AA, by day and by night", arguments: [false, true])
  func contrast(isDark: Bool) async throws {
    let base = "id,item,cost\n1,Tent,120\n2,Stove,45\n3,Map,12\n"
    try await devices.disagree(
      about: "Budget.csv", base: base,
      ours: base.replacing("120", with: "95").replacing("45", with: "40"),
      theirs: base.replacing("120", with: "130").replacing("12\n", with: "15\n"))
    try devices.folder.write("# One\n\n`code` and [link](x)\n\n> quote\n", to: "A/Text.md")
    let page = try PageProgram(devices.folder["A"])
    let window = try Browser().open(page.address, isDark: isDark)
    try window.waits(until: .lists(2))
    #expect(try window.value(Self.contrasts) == "", "the list")
    try window.go(to: "Text.md")
    try window.waits(until: .text(contains: "One"))
    #expect(try window.value(Self.contrasts) == "", "the editor")
    try window.run("document.querySelector('button[aria-pressed]').click()")
    #expect(try window.value(Self.contrasts) == "", "the preview")
    try window.go(to: "Budget.csv!conflict")
    try window.waits(until: "document.querySelector('.card') !== null")
    try window.press("1")
    try window.waits(until: "document.querySelector('.card.answered') !== null")
    #expect(try window.value(Self.contrasts) == "", "the conflict")
    try window.press("b")
    #expect(try window.value(Self.contrasts) == "", "a version that is kept")
    try window.picture(isDark ? "conflict-dark" : "conflict-light")
    try window.go(to: "Budget.csv!history")
    try window.waits(until: "document.querySelector('.content .cells') !== null")
    #expect(try window.value(Self.contrasts) == "", "the history")
    try window.picture(isDark ? "history-dark" : "history-light")
    try page.end()
  }

  @Test("A wide display shows it all in readable lines, and everything has a role and a name")
  func wide() throws {
    try devices.folder.write(String(repeating: "word ", count: 800), to: "A/Text.md")
    let page = try PageProgram(devices.folder["A"])
    let window = try Browser().open(page.address, size: (2000, 1100))
    try window.waits(until: .lists(1))
    try window.go(to: "Text.md")
    try window.waits(until: .text(contains: "word"))
    try window.picture("wide-editor")
    #expect(try window.value("document.documentElement.scrollWidth <= 2000") == "true")
    let width = try window.value(
      "(() => { const a = document.querySelector('textarea'); const s = getComputedStyle(a); return a.clientWidth - parseFloat(s.paddingLeft) - parseFloat(s.paddingRight); })()"
    )
    #expect(try #require(Double(width)) <= 760, "Lines are \(width) wide.")
    let names = try window.accessibleNames()
    for role in ["button", "link", "textbox", "searchbox", "combobox", "navigation", "main"] {
      let found = names.filter { $0.role == role }
      #expect(!found.isEmpty, "There is no \(role).")
      #expect(role == "main" || found.allSatisfy { !$0.name.isEmpty }, "A \(role) has no name.")
    }
    #expect(names.contains { $0.role == "button" && $0.name == "Undo" })
    #expect(names.contains { $0.role == "listitem" })
    try page.end()
  }
}
