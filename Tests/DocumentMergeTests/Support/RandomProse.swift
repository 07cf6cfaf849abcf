import DocumentTestSupport
import Foundation

@testable import DocumentMerge

extension SeededGenerator {
  mutating func pick<Element>(_ all: [Element]) -> Element {
    all[Int.random(in: all.indices, using: &self)]
  }

  private mutating func sentence() -> String {
    let words = ["the", "boat", "sails", "at", "noon", "from", "harbour", "two", "2024", "é", "船"]
    let count = Int.random(in: 3...9, using: &self)
    return (0..<count).map { _ in pick(words) }.joined(separator: " ") + pick([".", "!", ",", ""])
  }

  private mutating func block(_ style: TextStyle) -> [String] {
    let text = sentence()
    return switch Int.random(in: 0..<7, using: &self) {
    case 0: style.heading(text) + [""]
    case 1: (1...Int.random(in: 1...4, using: &self)).map { _ in style.item + sentence() } + [""]
    case 2: (1...Int.random(in: 1...4, using: &self)).map { "\($0). " + sentence() } + [""]
    case 3: style.table(text) + [""]
    case 4: style.code(text) + [""]
    default: (1...Int.random(in: 1...4, using: &self)).map { _ in sentence() } + [""]
    }
  }

  /// A text of a few blocks.
  private mutating func prose(_ style: TextStyle) -> [String] {
    (0..<Int.random(in: 1...4, using: &self)).flatMap { _ in block(style) }
  }

  /// The text after a few edits, as people make them.
  private mutating func editedProse(_ lines: [String], _ style: TextStyle) -> [String] {
    var lines = lines
    for _ in 0..<Int.random(in: 0...3, using: &self) {
      let place = Int.random(in: 0...lines.count, using: &self)
      guard place < lines.count else {
        lines.append(pick(["- ", "", "4. "]) + sentence())
        continue
      }
      var words = lines[place].components(separatedBy: " ")
      let word = Int.random(in: words.indices, using: &self)
      switch Int.random(in: 0..<8, using: &self) {
      case 0: words[word] = pick(["new", "newer", "船"])
      case 1: words.insert(pick(["added", "too"]), at: word)
      case 2: words.remove(at: word)
      case 3: words[word] += "\n"
      case 4: words[word] += " "
      case 5:
        lines.insert(contentsOf: block(style), at: place)
        continue
      case 6:
        lines.insert(pick(["- ", "| c | ", "2. ", "2024-05-01 "]) + sentence(), at: place)
        continue
      default:
        lines.remove(at: place)
        continue
      }
      lines[place] = words.joined(separator: " ")
    }
    return lines.flatMap { $0.components(separatedBy: "\n") }
  }

  /// A text and two edits of it.
  mutating func proseSides(_ style: TextStyle = .markdown) -> MergeSides<[UInt8]> {
    let base = prose(style)
    let sides = MergeSides(
      base: base, ours: editedProse(base, style), theirs: editedProse(base, style))
    return sides.map { Array($0.joined(separator: "\n").utf8) }
  }
}

extension TextStyle {
  fileprivate func heading(_ text: String) -> [String] {
    switch self {
    case .latex: ["\\section{\(text)}"]
    case .restructuredText: [text, String(repeating: "=", count: text.count)]
    case .asciidoc: ["== " + text]
    case .org: ["* " + text]
    case .lines, .plain, .markdown: ["# " + text]
    }
  }

  fileprivate var item: String {
    switch self {
    case .latex: "\\item "
    case .asciidoc: "* "
    default: "- "
    }
  }

  fileprivate func table(_ text: String) -> [String] {
    switch self {
    case .latex: ["\\begin{tabular}{ll}", "a & \(text) \\\\", "b & 2 \\\\", "\\end{tabular}"]
    case .restructuredText: ["===  ====", "a    \(text)", "b    2", "===  ===="]
    case .asciidoc: ["|===", "|a |\(text)", "|b |2", "|==="]
    default: ["| name | what |", "| --- | --- |", "| a | \(text) |", "| b | 2 |"]
    }
  }

  fileprivate func code(_ text: String) -> [String] {
    switch self {
    case .latex: ["\\begin{verbatim}", text, "\\end{verbatim}"]
    case .restructuredText: [".. code-block:: c", "", "   " + text]
    case .asciidoc: ["----", text, "----"]
    case .org: ["#+BEGIN_SRC c", text, "#+END_SRC"]
    case .lines, .plain, .markdown: ["```", text, "```"]
    }
  }
}

/// A table to edit.
struct RandomTable {
  var rows: [[String]]

  func written(_ separator: String = ",") -> [UInt8] {
    Array(rows.map { $0.joined(separator: separator) + "\n" }.joined().utf8)
  }
}

extension SeededGenerator {
  private mutating func cell() -> String {
    pick(["", "1", "2", "red", "\"a, b\"", "\"x\ny\"", "\"say \"\"hi\"\"\"", "é", " spaced "])
  }

  mutating func table(hasKey: Bool) -> RandomTable {
    let columns = Int.random(in: 2...4, using: &self)
    let header = (0..<columns).map { $0 == 0 && hasKey ? "id" : "column\($0)" }
    let rows = (0..<Int.random(in: 0...8, using: &self)).map { row in
      (0..<columns).map { $0 == 0 && hasKey ? "k\(row)" : cell() }
    }
    return RandomTable(rows: [header] + rows)
  }

  mutating func editedTable(_ table: RandomTable, hasKey: Bool) -> RandomTable {
    var rows = table.rows
    for _ in 0..<Int.random(in: 0...3, using: &self) {
      let columns = rows[0].count
      let row = Int.random(in: 1...max(1, rows.count - 1), using: &self)
      switch Int.random(in: 0..<7, using: &self) {
      case 0, 1:
        guard row < rows.count else { continue }
        rows[row][Int.random(in: (hasKey ? 1 : 0)..<columns, using: &self)] = cell()
      case 2:
        var new = (0..<columns).map { _ in cell() }
        let key = "n\(Int.random(in: 0..<4, using: &self))"
        if hasKey, let id = rows[0].firstIndex(of: "id") {
          if rows.contains(where: { $0[id] == key }) { continue }
          new[id] = key
        }
        rows.insert(new, at: min(row, rows.count))
      case 3:
        if row < rows.count { rows.remove(at: row) }
      case 4:
        rows = [rows[0]] + rows.dropFirst().sorted { $0.joined() > $1.joined() }
      case 5:
        let name = pick(["more", "extra"])
        guard !rows[0].contains(name) else { continue }
        let place = Int.random(in: 1...columns, using: &self)
        for index in rows.indices { rows[index].insert(index == 0 ? name : cell(), at: place) }
      default:
        guard columns > 2 else { continue }
        let place = Int.random(in: 1..<columns, using: &self)
        if rows[0][place] == "id" { continue }
        for index in rows.indices { rows[index].remove(at: place) }
      }
    }
    return RandomTable(rows: rows)
  }

  mutating func tableSides() -> MergeSides<RandomTable> {
    let hasKey = Bool.random(using: &self)
    let base = table(hasKey: hasKey)
    return MergeSides(
      base: base, ours: editedTable(base, hasKey: hasKey),
      theirs: editedTable(base, hasKey: hasKey))
  }

  /// Returns a table whose key is two columns together, and two edits that add, remove and change rows.
  mutating func pairTableSides() -> MergeSides<RandomTable> {
    let languages = ["de", "en", "fr"]
    let base = (1...5).flatMap { id in languages.map { ["\(id)", $0, "word \(id) \($0)", "x"] } }
    func edited(_ generator: inout SeededGenerator) -> RandomTable {
      var rows = base
      for _ in 0..<Int.random(in: 0...4, using: &generator) {
        let place = Int.random(in: rows.indices, using: &generator)
        let word = "new \(Int.random(in: 0..<10_000, using: &generator))"
        switch Int.random(in: 0..<4, using: &generator) {
        case 0: rows[place][2] = word
        case 1: rows[place][3] = generator.pick(["x", "y", "z"])
        case 2: rows.remove(at: place)
        default:
          let pair = [generator.pick(["0", "6", "7"]), generator.pick(languages)]
          if rows.contains(where: { $0.starts(with: pair) }) { continue }
          rows.insert(pair + [word, "x"], at: generator.pick([place, rows.count]))
        }
      }
      return RandomTable(rows: [["word_id", "language", "word", "state"]] + rows)
    }
    return MergeSides(
      base: RandomTable(rows: [["word_id", "language", "word", "state"]] + base),
      ours: edited(&self), theirs: edited(&self))
  }

  /// Longer tables with a key, in which rows lack their last cell: one on all sides, and perhaps one on ours.
  mutating func unevenTableSides() -> MergeSides<RandomTable> {
    var base = table(hasKey: true)
    let columns = base.rows[0].count
    base.rows += (0..<24).map { row in (0..<columns).map { $0 == 0 ? "f\(row)" : cell() } }
    let sides = MergeSides(
      base: base, ours: editedTable(base, hasKey: true), theirs: editedTable(base, hasKey: true))
    func cut(_ table: RandomTable, _ keys: String...) -> RandomTable {
      RandomTable(
        rows: table.rows.map { row in
          row.count > 1 && !keys.filter(row.dropLast().contains).isEmpty ? row.dropLast() : row
        })
    }
    let isOurs = Bool.random(using: &self)
    return MergeSides(
      base: sides.base.map { cut($0, "f3") },
      ours: isOurs ? cut(sides.ours, "f3", "f9") : cut(sides.ours, "f3"),
      theirs: cut(sides.theirs, "f3"))
  }
}
