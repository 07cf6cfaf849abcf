import DocumentTestSupport
import DocumentVersions
import DocumentWorld
import Foundation
import Testing

/// A document for each merge engine, and a package, which two devices change independently.
enum EngineDocuments {
  /// The folders with the copies of real tools, by the names of the tools.
  static let fixture = URL(filePath: #filePath).deletingLastPathComponent().appending(
    path: "Fixture")

  /// One document for each engine: its base, and the changes of two devices.
  static let all: [(name: String, base: String, mira: String, tom: String)] = [
    (
      "notes.md", "# Trip\n\nFirst the boat.\n", "# Trip\n\nFirst the boat.\n\nThen the hotel.\n",
      "# Trip\n\nPack first.\n\nFirst the boat.\n"
    ),
    (
      "lines.sh", "echo one\necho two\necho three\n", "echo one\necho two\necho three\necho four\n",
      "echo zero\necho one\necho two\necho three\n"
    ),
    (
      "table.csv", "what,cost\ntent,120\nboat,80\n", "what,cost\ntent,120\nboat,80\nfood,60\n",
      "what,cost\nmap,9\ntent,120\nboat,80\n"
    ),
    (
      "data.json", "{\n  \"a\": 1,\n  \"b\": 2\n}\n",
      "{\n  \"a\": 1,\n  \"b\": 2,\n  \"c\": 3\n}\n",
      "{\n  \"z\": 0,\n  \"a\": 1,\n  \"b\": 2\n}\n"
    ),
    ("data.yaml", "a: one\nb: two\n", "a: one\nb: two\nc: three\n", "z: zero\na: one\nb: two\n"),
    (
      "data.toml", "a = \"one\"\nb = \"two\"\n", "a = \"one\"\nb = \"two\"\nc = \"three\"\n",
      "z = \"zero\"\na = \"one\"\nb = \"two\"\n"
    ),
    (
      "data.xml", "<r>\n  <a/>\n  <b/>\n</r>\n", "<r>\n  <a/>\n  <b/>\n  <c/>\n</r>\n",
      "<r>\n  <z/>\n  <a/>\n  <b/>\n</r>\n"
    ),
    (
      "page.html", "<html><body>\n<p>one</p>\n<p>two</p>\n</body></html>\n",
      "<html><body>\n<p>one</p>\n<p>two</p>\n<p>three</p>\n</body></html>\n",
      "<html><body>\n<p>zero</p>\n<p>one</p>\n<p>two</p>\n</body></html>\n"
    ),
    (
      "list.plist", plist("<key>a</key>\n<string>one</string>\n"),
      plist("<key>a</key>\n<string>one</string>\n<key>c</key>\n<string>three</string>\n"),
      plist("<key>Z</key>\n<string>zero</string>\n<key>a</key>\n<string>one</string>\n")
    ),
    ("book.ipynb", notebook(["one"]), notebook(["one", "two"]), notebook(["zero", "one"])),
    ("trip.rtfd/TXT.rtf", "first\nsecond\n", "first\nsecond\nthird\n", "zeroth\nfirst\nsecond\n"),
  ]

  private static func plist(_ members: String) -> String {
    """
    <?xml version="1.0" encoding="UTF-8"?>
    <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
    <plist version="1.0">
    <dict>
    \(members)</dict>
    </plist>

    """
  }

  private static func notebook(_ cells: [String]) -> String {
    let all = cells.map {
      "  {\n   \"cell_type\": \"markdown\",\n   \"id\": \"\($0)\",\n   \"metadata\": {},\n   \"source\": [\n    \"\($0)\"\n   ]\n  }"
    }
    return
      "{\n \"cells\": [\n\(all.joined(separator: ",\n"))\n ],\n \"metadata\": {},\n \"nbformat\": 4,\n \"nbformat_minor\": 5\n}\n"
  }

  /// Saves the bases of the documents on Mira's device.
  static func save(on mira: Device) throws {
    for (name, base, _, _) in all {
      let document = name.split(separator: "/").first.map(String.init) ?? name
      try mira.write(base, to: name)
      try mira.store.save(mira[document], asPackage: document != name)
    }
  }

  static func write(
    on device: Device,
    _ text: KeyPath<(name: String, base: String, mira: String, tom: String), String>
  ) throws {
    for document in all { try device.write(document[keyPath: text], to: document.name) }
  }

  /// Adopts the copies that a tool has left, and expects both edits in every document.
  static func expectMerged(on mira: Device, copyCount: Int? = nil) async throws {
    let copies = try await mira.copies()
    #expect(copies.count == copyCount ?? all.count, "\(copies.keys.sorted())")
    mira.clock.advance(bySeconds: 60)
    for document in try await mira.adopt(.merge) {
      #expect(document.failure == nil)
      #expect(
        document.resolution != nil,
        "\(document.document.lastPathComponent): \(document.copies.map(\.copy.outlookWord))")
    }
    for (name, base, mine, theirs) in all {
      let now = Set(try mira.read(name).split(separator: "\n"))
      let before = Set(base.split(separator: "\n"))
      for line in Set(mine.split(separator: "\n")).symmetricDifference(
        theirs.split(separator: "\n"))
      where !before.contains(line) {
        let isThere = now.contains { $0.contains(line.trimmingSuffix(",")) }
        #expect(isThere, "\(name) lacks “\(line)”")
      }
    }
    #expect(try await mira.copies().isEmpty)
  }
}

extension Substring {
  fileprivate func trimmingSuffix(_ end: Character) -> Substring { last == end ? dropLast() : self }
}
