import DocumentTestSupport
import DocumentVersions
import Foundation
import Testing

/// Comparisons of versions in a real browser, for each kind of document.
@Suite(
  "Page in a browser: history", .serialized, .blocks,
  .enabled(if: Browser.program != nil, "Chromium is not installed: .ci/setup --tests brings it."))
struct BrowserHistoryTests {
  private let devices: Devices

  init() throws { devices = try Devices() }

  /// Shows the newest of two versions beside the previous one.
  private func compare(
    _ name: String, _ texts: [String], _ body: (BrowserWindow) throws -> Void
  ) async throws {
    for (text, note) in zip(texts, ["first", "more"]) {
      try await devices.save(text, as: name, note: note)
    }
    let page = try PageProgram(devices.folder["A"])
    let window = try Browser().open(page.address)
    try window.waits(until: .lists(1))
    try window.go(to: "\(name)!history")
    try window.waits(until: "document.querySelector('.content .choices') !== null")
    try body(window)
    try page.end()
  }

  /// Returns the texts of all elements that a selector finds.
  private func texts(_ selector: String, in window: BrowserWindow) throws -> String {
    try window.value(
      "[...document.querySelectorAll('\(selector)')].map((each) => each.textContent).join('|')")
  }

  @Test("A table is compared by cell: renamed, new and removed columns and rows are marked")
  func table() async throws {
    let old = "id,item,cost,who\n1,Tent,120,Anna\n2,Stove,45,Ben\n7,Bread,9,Anna\n8,Cheese,14,Ben\n"
    let now =
      "id,item,price,who,paid\n1,Tent,140,Anna,yes\n2,Stove,45,Ben,no\n9,Apples,6,Dan,no\n8,Cheese,14,Ben,no\n"
    try await compare("Budget.csv", [old, now]) { window in
      #expect(try texts(".cells td.differs del", in: window) == "120")
      #expect(try texts(".cells td.differs ins", in: window) == "140")
      #expect(try texts(".cells th.new", in: window) == "paid")
      #expect(try texts(".cells th del, .cells th ins", in: window) == "cost|price")
      #expect(try texts(".cells tr.new td:nth-child(3)", in: window) == "Apples")
      #expect(try texts(".cells tr.old td:nth-child(3)", in: window) == "Bread")
      try window.picture("history-table")
      try window.run("[...document.querySelectorAll('.choices button')].at(-1).click()")
      try window.waits(until: "document.querySelector('.difference') !== null")
    }
  }

  @Test(
    "JSON, YAML, TOML, property lists, XML and settings are compared as trees",
    arguments: [
      (
        "Trip.json",
        #"{"name": "Oslo", "days": 9, "stops": [{"id": "a", "nights": 2}, {"id": "b", "nights": 1}]}"#,
        #"{"stops": [{"id": "b", "nights": 1}, {"id": "a", "nights": 4}], "days": "9", "name": "Oslo"}"#,
        "2|9", "4|\"9\""
      ),
      (
        "Trip.yaml", "name: Oslo\ndays: 9\nstops:\n  - id: a\n    nights: 2\n",
        "days: 8\nname: Oslo\nstops:\n  - id: a\n    nights: 2\n  - id: b\n    nights: 3\n",
        "9", "8|id b|b|3"
      ),
      (
        "Trip.toml", "name = \"Oslo\"\n[stay]\nnights = 2\n",
        "name = \"Oslo\"\n[stay]\nnights = 3\n", "2", "3"
      ),
      (
        "Trip.plist", plist("<key>nights</key><integer>2</integer>"),
        plist("<key>nights</key><integer>3</integer>"), "2", "3"
      ),
      (
        "Trip.xml",
        "<?xml version=\"1.0\"?>\n<trip>\n  <stop id=\"a\" n=\"2\">Oslo</stop>\n  <by>train</by>\n</trip>\n",
        "<?xml version=\"1.0\"?>\n<trip>\n  <stop n=\"3\" id=\"a\">Oslo</stop>\n  <by>ship</by>\n</trip>\n",
        "2|train", "3|ship"
      ),
      ("Trip.ini", "[stay]\nnights = 2\n", "; longer\n[stay]\nnights = 3\n", "2", "3"),
      ("Trip.properties", "stay.nights=2\nby=train\n", "by=train\nstay.nights=3\n", "2", "3"),
    ])
  func tree(name: String, old: String, now: String, removed: String, added: String) async throws {
    try await compare(name, [old, now]) { window in
      try window.waits(until: "document.querySelector('.tree') !== null")
      #expect(try texts(".tree del", in: window) == removed)
      #expect(try texts(".tree ins", in: window) == added)
      try window.picture("history-tree")
    }
  }

  @Test("A notebook is compared by cell")
  func notebook() async throws {
    func notebook(_ cells: [(String, String, String)]) -> String {
      let all = cells.map { id, source, output in
        """
        {"cell_type": "code", "id": "\(id)", "metadata": {}, "execution_count": 1, "source": ["\(source)"],
         "outputs": [{"output_type": "stream", "name": "stdout", "text": ["\(output)"]}]}
        """
      }
      return
        "{\"cells\": [\(all.joined(separator: ", "))], \"metadata\": {}, \"nbformat\": 4, \"nbformat_minor\": 5}"
    }
    let old = notebook([("a", "x = 1", "1"), ("b", "y = 2", "2"), ("c", "z = 3", "3")])
    let now = notebook([
      ("a", "x = 1", "1"), ("n", "w = 0", "0"), ("b", "y = 20", "2"), ("c", "z = 3", "4"),
    ])
    try await compare("Work.ipynb", [old, now]) { window in
      try window.waits(until: "document.querySelector('.notebook') !== null")
      #expect(
        try texts(".cell h3", in: window)
          == "Cell 2codenew|Cell 3codechanged|Cell 4codeother outputs")
      #expect(try texts(".notebook .rest", in: window) == "1 cell the same")
      try window.picture("history-notebook")
    }
  }

  /// Two pictures of 2 × 1 pixels that differ in one.
  private static let pictures = [
    "iVBORw0KGgoAAAANSUhEUgAAAAIAAAABCAIAAAB7QOjdAAAADUlEQVR4nGP4zwAE/wEHAAH/4iOeWQAAAABJRU5ErkJggg==",
    "iVBORw0KGgoAAAANSUhEUgAAAAIAAAABCAIAAAB7QOjdAAAAD0lEQVR4nGP4z8DA8J8BAAf/Af8Bf4mnAAAAAElFTkSuQmCC",
  ]

  /// Shows where the two pictures differ.
  private func differ(in window: BrowserWindow) throws {
    try window.waits(until: "document.querySelectorAll('.images img').length === 2")
    try window.run("document.querySelector('[data-way=difference]').click()")
    try window.waits(
      until:
        "document.querySelector('.over [role=status]').textContent === '50.0 % of the pixels differ.'"
    )
  }

  @Test("A picture that a notebook’s cell puts out is compared as a picture")
  func notebookPicture() async throws {
    let notebooks = Self.pictures.map { picture in
      """
      {"cells": [{"cell_type": "code", "id": "a", "metadata": {}, "execution_count": 1, "source": ["plot()"],
       "outputs": [{"output_type": "display_data", "metadata": {}, "data": {"image/png": "\(picture)\\n", "text/plain": ["<Figure>"]}}]}],
       "metadata": {}, "nbformat": 4, "nbformat_minor": 5}
      """
    }
    try await compare("Work.ipynb", notebooks) { window in
      try differ(in: window)
      try window.picture("history-notebook-picture")
    }
  }

  @Test("A package is compared by member, and each member as a document of its kind")
  func package() async throws {
    let place = devices.folder["A/Trip.textbundle"]
    for (picture, text) in zip(Self.pictures, ["a,b\n1,2\n", "a,b\n1,3\n"]) {
      try devices.folder.write(text, to: "A/Trip.textbundle/costs.csv")
      let data = try #require(Data(base64Encoded: picture))
      try data.write(to: place.appending(path: "View.png"))
      try await devices.anna.save(place)
    }
    let page = try PageProgram(devices.folder["A"])
    let window = try Browser().open(page.address)
    try window.waits(until: .lists(1))
    try window.go(to: "Trip.textbundle!history")
    try window.waits(until: "document.querySelectorAll('.members button').length === 2")
    try window.run("document.querySelectorAll('.members button')[0].click()")
    try differ(in: window)
    try window.picture("history-member")
    // Escape goes back to all members, and returns the focus to the one that was shown.
    try window.press("Escape")
    try window.waits(until: "document.activeElement.textContent === 'View.png'")
    try window.run("document.querySelectorAll('.members button')[1].click()")
    try window.waits(until: "document.querySelector('.cells') !== null")
    #expect(try texts(".cells td.differs ins", in: window) == "3")
    // The member stays when other versions are compared.
    try window.run("document.querySelectorAll('.timeline button')[1].click()")
    try window.waits(until: "document.querySelector('.content .member') !== null")
    try page.end()
  }

  @Test("Pictures are compared beside each other, by swiping, as onion skins and by difference")
  func pictures() async throws {
    let pictures = Self.pictures.compactMap { Data(base64Encoded: $0) }
    try #require(pictures.count == 2)
    for picture in pictures {
      try picture.write(to: devices.folder["A/View.png"])
      try await devices.anna.save(devices.folder["A/View.png"])
    }
    let page = try PageProgram(devices.folder["A"])
    let window = try Browser().open(page.address)
    try window.waits(until: .lists(1))
    try window.go(to: "View.png!history")
    try window.waits(until: "document.querySelectorAll('.images img').length === 2")
    for way in ["swipe", "onion", "difference"] {
      try window.run("document.querySelector('[data-way=\(way)]').click()")
      try window.waits(until: "document.querySelector('.over').dataset.way === '\(way)'")
      #expect(try window.value("document.querySelector('.images').hidden") == "true")
      #expect(
        try window.value("document.querySelector('.over input').hidden")
          == String(way == "difference"))
    }
    try window.waits(
      until:
        "document.querySelector('.over [role=status]').textContent === '50.0 % of the pixels differ.'"
    )
    try page.end()
  }
}

private func plist(_ contents: String) -> String {
  """
  <?xml version="1.0" encoding="UTF-8"?>
  <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
  <plist version="1.0"><dict><key>name</key><string>Oslo</string>\(contents)</dict></plist>

  """
}
