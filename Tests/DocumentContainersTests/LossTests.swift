import DocumentTestSupport
import DocumentVersions
import DocumentWorld
import Foundation
import Testing

@Suite("Adopting without a base")
struct LossTests {
  /// Returns some of the words that both sides share, in any order.
  private static func lines(_ generator: inout SeededGenerator, from words: [String]) -> [String] {
    words.filter { _ in Int.random(in: 0..<4, using: &generator) > 0 }
      .map { Int.random(in: 0..<6, using: &generator) == 0 ? $0 + " changed" : $0 }
  }

  private static let words = [
    "the harbour", "a lighthouse", "some gulls", "old nets", "", "the ferry", "a storm", "rope",
    "the harbour", "salt", "a lantern", "the tide",
  ]

  @Test(
    "An adoption without a base loses no line of either side silently",
    arguments: [".md", ".txt", ".json", ".csv", ".yaml", ".html"])
  func noLineIsLost(ending: String) async throws {
    let desk = try Device()
    for seed in 0..<25 {
      var generator = SeededGenerator(seed: seed)
      let (ours, theirs) = (
        Self.lines(&generator, from: Self.words), Self.lines(&generator, from: Self.words)
      )
      try desk.write(Self.text(ours, ending), to: "d\(seed)\(ending)")
      try desk.write(Self.text(theirs, ending), to: syncthingCopy(of: "d\(seed)", ending))
    }
    let before = try desk.names()
    let texts = try Dictionary(uniqueKeysWithValues: before.map { ($0, try desk.read($0)) })
    // Both rules decide only certain cases; a question is skipped.
    for rule in [AdoptionRule.merge, .merge(else: .ask { _ in .skip })] {
      for document in try await desk.adopt(rule) {
        #expect(document.failure == nil)
        let name = document.document.lastPathComponent
        let now = try desk.read(name)
        let sides = [texts[name], texts[document.copies[0].copy.url.lastPathComponent]]
        for side in sides.compactMap(\.self) where document.copies[0].isRemoved {
          // The last element of a list of values has no comma.
          let kept = Set(now.split(separator: "\n").map(Self.withoutComma))
          for line in Set(side.split(separator: "\n").map(Self.withoutComma)) {
            #expect(kept.contains(line), "\(name) lost “\(line)”")
          }
        }
        if !document.copies[0].isRemoved { #expect(now == texts[name]) }
      }
    }
    // Removed texts are in the history.
    for (name, text) in texts where !desk.exists(name) {
      let document = try #require(ConflictedCopyName(name)?.documentName)
      #expect(try desk.texts(document).contains(text))
    }
  }

  private static func withoutComma(_ line: Substring) -> Substring {
    line.last == "," ? line.dropLast() : line
  }

  private static func text(_ lines: [String], _ ending: String) -> String {
    switch ending {
    case ".json":
      "{\n"
        + lines.enumerated().map { "  \"\($1) \($0)\": \"\($1)\"" }.joined(separator: ",\n")
        + "\n}\n"
    case ".csv": "name,count\n" + lines.enumerated().map { "\($1),\($0)\n" }.joined()
    case ".yaml": lines.enumerated().map { "key\($0): \($1)\n" }.joined()
    case ".html": "<body>\n" + lines.map { "<p>\($0)</p>\n" }.joined() + "</body>\n"
    default: lines.map { $0 + "\n" }.joined()
    }
  }

  @Test(
    "A base that is found takes no line away that the copy may never have seen", arguments: 0..<40)
  func foundBase(seed: Int) async throws {
    // A history of a document, of which a copy has seen only the beginning.
    let desk = try Device()
    var generator = SeededGenerator(seed: seed)
    var text = (0..<4).map { "line \($0) of the beginning" }
    var states = [text]
    try desk.save(text.map { $0 + "\n" }.joined(), as: "a.txt")
    for save in 1...5 {
      let place = Int.random(in: 0...text.count, using: &generator)
      text.insert("line of save \(save)", at: place)
      if Bool.random(using: &generator), text.count > 3 {
        text.remove(at: Int.random(in: 0..<text.count, using: &generator))
      }
      states.append(text)
      try desk.save(text.map { $0 + "\n" }.joined(), as: "a.txt")
    }
    var copy = states[Int.random(in: 0..<states.count, using: &generator)]
    copy.insert("line of the copy", at: Int.random(in: 0...copy.count, using: &generator))
    if Bool.random(using: &generator) { copy[0] += ", changed" }
    try desk.write(copy.map { $0 + "\n" }.joined(), to: syncthingCopy(of: "a", ".txt"))
    let adopted = try await desk.adopt(.merge)
    guard adopted.first?.resolution != nil else { return }
    let now = Set(try desk.read("a.txt").split(separator: "\n").map(String.init))
    // Everything that was saved after the copy's base is still there.
    let seen = Set(copy)
    let first = states.firstIndex { Set($0).isSubset(of: seen) }
    #expect(now.contains("line of the copy"))
    if let first, first == states.count - 1 { return }
    for line in text
    where line.hasPrefix("line of save")
      && !seen.contains(line) && !seen.contains(line + ", changed")
    {
      #expect(now.contains(line), "lost “\(line)”")
    }
  }
}
