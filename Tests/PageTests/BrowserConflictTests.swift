import DocumentTestSupport
import DocumentVersions
import Foundation
import Testing

/// Conflicts in a real browser: the preview of the result, unfinished work, and other devices.
@Suite(
  "Page in a browser: conflicts", .serialized, .blocks,
  .enabled(if: Browser.program != nil, "Chromium is not installed: .ci/setup --tests brings it."))
struct BrowserConflictTests {
  private let devices: Devices

  init() throws { devices = try Devices() }

  private let packing = """
    # Packing

    Tent for three
    Stove

    ## Food

    Bread
    Cheese
    Apples

    ## Money

    All bring 50.

    """

  private var ours: String {
    packing.replacing("Tent for three", with: "Tent for four").replacing(
      "Bread", with: "Dark bread"
    )
    .replacing("bring 50", with: "bring 60")
  }

  private var theirs: String {
    packing.replacing("Tent for three", with: "Two small tents")
      .replacing("Apples", with: "Apples and nuts").replacing("bring 50", with: "bring 80")
  }

  private func show(
    _ name: String, in browser: Browser, _ page: PageProgram, size: (Int, Int) = (1200, 800),
    isDark: Bool = false
  ) throws -> BrowserWindow {
    let window = try browser.open(page.address, size: size, isDark: isDark)
    try window.waits(until: .lists(1))
    try window.go(to: "\(name)!conflict")
    try window.waits(until: "document.querySelector('.card') !== null")
    return window
  }

  @Test(
    "What is partly answered is there when the program begins anew, and every part can be taken back"
  )
  func partly() async throws {
    try await devices.disagree(
      about: "Packing.md", base: packing, ours: ours, theirs: theirs,
      notes: ("first list", "four of us", "more of all"))
    let first = try PageProgram(devices.folder["A"])
    let browser = try Browser()
    let window = try show("Packing.md", in: browser, first)
    try window.press("2")
    try window.waits(until: "document.querySelectorAll('.card.answered').length === 1")
    // A decision that was made without asking is changed.
    try window.run(
      "const s = document.querySelector('[aria-label=\"What is taken at line 10\"]'); s.value = 'base'; s.dispatchEvent(new Event('change'))"
    )
    try window.waits(
      until: "!document.querySelector('.result').textContent.includes('Apples and nuts')")
    first.program.kill()
    _ = try first.program.wait()

    let second = try PageProgram(devices.folder["A"], port: first.port)
    let again = try show("Packing.md", in: browser, second)
    try again.waits(until: "document.querySelectorAll('.card.answered').length === 1")
    #expect(
      try again.value("document.querySelector('.result').textContent.includes('Two small tents')")
        == "true")
    #expect(
      try again.value("document.querySelector('.result').textContent.includes('Apples and nuts')")
        == "false")
    try again.picture("conflict-partly")
    // The answer is withdrawn, and replaced by typed text.
    try again.run("document.querySelector('.card.answered legend button').click()")
    try again.waits(until: "document.querySelectorAll('.card.answered').length === 0")
    try again.run("document.querySelector('.card').focus()")
    try again.press("1")
    try again.waits(until: "document.querySelectorAll('.card.answered').length === 1")
    try again.press("2")
    try again.waits(until: "document.querySelectorAll('.card.answered').length === 2")
    // The result is a text that can be edited.
    try again.run(
      "[...document.querySelectorAll('.whole button')].find((b) => b.textContent === 'Edit the result').click()"
    )
    try again.waits(until: "document.activeElement.matches('textarea.result')")
    try again.run("document.activeElement.setSelectionRange(1e6, 1e6)")
    try again.type("By Friday.\n")
    try again.press("Enter", isControlled: true)
    try again.waits(until: .text(contains: "By Friday"))
    try again.waits(until: .isSaved)
    let merged = ours.replacing("bring 60", with: "bring 80") + "By Friday.\n"
    #expect(try devices.folder.read("A/Packing.md") == merged)
    try second.end()
  }

  @Test("Each version is looked at before it is kept, and keeping one loses none")
  func keepOne() async throws {
    try await devices.disagree(about: "Packing.md", base: packing, ours: ours, theirs: theirs)
    let page = try PageProgram(devices.folder["A"])
    let window = try show("Packing.md", in: Browser(), page)
    let finish = "document.querySelector('.resolver .primary')"
    #expect(try window.value("\(finish).disabled") == "true")
    try window.press("a")
    try window.waits(until: "\(finish).textContent === 'Keep A'")
    #expect(
      try window.value("document.querySelector('.whole .difference').textContent.includes('Dark')")
        == "true")
    try window.press("b")
    try window.waits(until: "\(finish).textContent === 'Keep B' && !\(finish).disabled")
    try window.picture("conflict-keep")
    try window.press("m")
    try window.waits(until: "\(finish).textContent === 'Resolve' && \(finish).disabled")
    try window.press("b")
    try window.press("Enter", isControlled: true)
    try window.waits(until: .text(contains: "Two small tents"))
    #expect(try devices.folder.read("A/Packing.md") == theirs)
    let place = devices.folder["A/Packing.md"]
    #expect(try await Conflict.of(place, store: devices.anna) == nil)
    let history = try await devices.anna.history(of: place).versions
    var texts: [String] = []
    for version in history where !version.isDeletion {
      texts.append(String(decoding: try await version.contents(), as: UTF8.self))
    }
    #expect(texts.contains(ours) && texts.contains(theirs))
    try page.end()
  }

  @Test("It closes by itself when another device has resolved the conflict")
  func resolvedElsewhere() async throws {
    try await devices.disagree(about: "Packing.md", base: packing, ours: ours, theirs: theirs)
    let page = try PageProgram(devices.folder["A"])
    let window = try show("Packing.md", in: Browser(), page)
    try window.press("1")
    try await devices.exchange(devices.ben, "B")
    _ = try await ConflictResolver(.latest, store: devices.ben)
      .resolve(devices.folder["B/Packing.md"])
    try await devices.exchange(devices.ben, "B")
    try await devices.exchange(devices.anna, "A")
    try window.waits(until: "document.querySelector('.resolver') === null")
    try window.waits(until: "document.querySelector('.state')?.textContent === 'Saved'")
    try window.waits(
      until: "document.getElementById('toasts').textContent.includes('resolved elsewhere')")
    try page.end()
  }

  @Test("Decisions about values are taken back one by one")
  func values() async throws {
    let base =
      #"{"total": 1200, "days": 9, "currency": "NOK", "stops": [{"id": "oslo", "nights": 2}]}"#
      + "\n"
    let ours = base.replacing("1200", with: "1100").replacing("NOK", with: "EUR")
    let theirs = base.replacing("1200", with: "1500").replacing("9,", with: "10,")
    try await devices.disagree(about: "Trip.json", base: base, ours: ours, theirs: theirs)
    let page = try PageProgram(devices.folder["A"])
    let window = try show("Trip.json", in: Browser(), page)
    try window.press("1")
    try window.waits(until: "document.activeElement.textContent === 'Resolve'")
    #expect(
      try window.value("document.querySelector('.result').textContent")
        == ours.replacing("9,", with: "10,"))
    try window.run(
      "const s = document.querySelector('[aria-label=\"What is taken at /days\"]'); s.value = 'base'; s.dispatchEvent(new Event('change'))"
    )
    try window.waits(until: "document.querySelector('.result').textContent.includes('9,')")
    try window.press("Enter", isControlled: true)
    try window.waits(until: "document.querySelector('.resolver') === null")
    try window.waits(until: .isSaved)
    #expect(try devices.folder.read("A/Trip.json") == ours)
    try page.end()
  }

  /// Takes a place from another side.
  private func take(_ side: String, at place: String, in window: BrowserWindow) throws {
    try window.run(
      """
      const select = document.querySelector('[aria-label="What is taken at \(place)"]');
      select.value = '\(side)';
      select.dispatchEvent(new Event('change'));
      """)
  }

  /// Resolves the conflict with the result that the page shows.
  private func finish(_ name: String, in window: BrowserWindow) throws -> String {
    try window.run("document.querySelector('.resolver .primary').focus()")
    try window.press("Enter", isControlled: true)
    try window.waits(until: "document.querySelector('.resolver') === null")
    try window.waits(until: .isSaved)
    return try devices.folder.read("A/\(name)")
  }

  /// A conflict that needs one answer, and a place whose decision is changed.
  struct Reversal: CustomTestStringConvertible {
    let name, base, ours, theirs, place, side, expected: String
    var testDescription: String { "\(name), \(place)" }

    private init(
      _ name: String, _ base: String, ours: [(String, String)], theirs: [(String, String)],
      take side: String, at place: String, expected: [(String, String)]
    ) {
      func edited(_ text: String, _ edits: [(String, String)]) -> String {
        edits.reduce(text) { $0.replacing($1.0, with: $1.1) }
      }
      (self.name, self.base, self.place, self.side) = (name, base, place, side)
      self.ours = edited(base, ours)
      self.theirs = edited(base, theirs)
      self.expected = edited(base, expected)
    }

    private static let table = "id,item,cost,who\n1,Tent,120,Anna\n2,Stove,45,Ben\n3,Map,12,Ben\n"
    private static let trip =
      "{\n  \"total\": 1200,\n  \"days\": 9,\n  \"currency\": \"NOK\",\n  \"by\": \"train\"\n}\n"

    static let all = [
      Reversal(
        "Cells.csv", table, ours: [("120", "95"), ("Map,12", "Map,15")],
        theirs: [("120", "130"), ("12,Ben", "12,Dan")], take: "base", at: "row 3, column who",
        expected: [("120", "95"), ("Map,12", "Map,15")]),
      Reversal(
        "Rows.csv", table, ours: [("120", "95"), ("2,Stove,45,Ben\n", "")],
        theirs: [("120", "130")], take: "base", at: "row 2", expected: [("120", "95")]),
      Reversal(
        "Added.json", trip, ours: [("1200", "1100"), ("\"days\"", "\"who\": 4,\n  \"days\"")],
        theirs: [("1200", "1500"), ("NOK", "EUR")], take: "base", at: "/who",
        expected: [("1200", "1100"), ("NOK", "EUR")]),
      Reversal(
        "Removed.json", trip, ours: [("1200", "1100"), ("  \"days\": 9,\n", "")],
        theirs: [("1200", "1500"), ("NOK", "EUR")], take: "base", at: "after line 2",
        expected: [("1200", "1100"), ("NOK", "EUR")]),
      Reversal(
        "Lines.txt", "one\r\ntwo\r\nthree\r\nfour\r\nfive\r\nsix\r\n",
        ours: [("two", "TWO"), ("four", "quatre")], theirs: [("six", "SIX"), ("four", "vier")],
        take: "base", at: "line 6", expected: [("two", "TWO"), ("four", "quatre")]),
    ]
  }

  @Test(
    "Cells, rows, values and lines are taken from another side one by one", arguments: Reversal.all)
  func reversal(_ each: Reversal) async throws {
    try await devices.disagree(
      about: each.name, base: each.base, ours: each.ours, theirs: each.theirs)
    let page = try PageProgram(devices.folder["A"])
    let window = try show(each.name, in: Browser(), page)
    try window.press("1")
    try window.waits(until: "document.activeElement.textContent === 'Resolve'")
    try take(each.side, at: each.place, in: window)
    #expect(try finish(each.name, in: window) == each.expected)
    try page.end()
  }

  @Test("With three versions, each place is taken from any of them")
  func threeVersions() async throws {
    let base = "Alpha\n\nBeta\n\nGamma\n\nDelta\n"
    let cleo = VersionStore(identity: Identity(author: "Cleo", device: "phone"))
    try await devices.save(base, as: "Three.txt")
    try await devices.exchange(devices.anna, "A")
    try await devices.exchange(devices.ben, "B")
    try FileManager.default.createDirectory(
      at: devices.folder["C"], withIntermediateDirectories: true)
    try await devices.exchange(cleo, "C")
    for (store, name, edits) in [
      (devices.ben, "B", [("Beta", "Beta of B"), ("Delta", "Delta of B")]),
      (cleo, "C", [("Gamma", "Gamma of C"), ("Delta", "Delta of C")]),
    ] {
      let text = edits.reduce(base) { $0.replacing($1.0, with: $1.1) }
      try devices.folder.write(text, to: "\(name)/Three.txt")
      try await store.save(devices.folder["\(name)/Three.txt"])
      try await devices.exchange(store, name)
    }
    try await devices.save(base.replacing("Alpha", with: "Alpha of A"), as: "Three.txt")
    try await devices.exchange(devices.anna, "A")
    let page = try PageProgram(devices.folder["A"])
    let window = try show("Three.txt", in: Browser(), page)
    try window.press("2")
    try window.waits(until: "document.activeElement.textContent === 'Resolve'")
    try window.picture("conflict-three")
    for control in try window.accessibleNames()
    where ["button", "combobox", "radio", "textbox", "region"].contains(control.role) {
      #expect(!control.name.isEmpty, "A \(control.role) has no name.")
    }
    try take("base", at: "line 1", in: window)
    try take("base", at: "line 5", in: window)
    let merged = try finish("Three.txt", in: window)
    #expect(merged.hasPrefix("Alpha\n\nBeta of B\n\nGamma\n\nDelta of "))
    try page.end()
  }

  @Test("The resolver, as the README shows it")
  func picture() async throws {
    try await devices.disagree(
      about: "Packing.md", base: packing, ours: ours, theirs: theirs,
      notes: ("first list", "four of us", "more of all"))
    let page = try PageProgram(devices.folder["A"])
    let window = try show("Packing.md", in: Browser(), page, size: (1240, 1060))
    try window.press("1")
    try window.waits(until: "document.querySelectorAll('.card.answered').length === 1")
    try window.run(
      "document.activeElement.blur(); document.querySelector('.scroll').scrollTop = 0")
    try window.picture("resolver")
    try page.end()
  }
}
