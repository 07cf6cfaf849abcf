import DocumentMerge
import DocumentTestSupport

/// A TOML document that a test makes and edits.
struct RandomTOML {
  struct Line {
    var comment = ""
    var key: String
    var value: String

    var text: String { (comment.isEmpty ? "" : "# \(comment)\n") + "\(key) = \(value)\n" }
  }

  /// A table with its lines; the first has no header, for it is the document.
  struct Table {
    var header: String
    var lines: [Line]

    var isItem: Bool { header == "[[item]]" }
  }

  var tables: [Table]

  var written: [UInt8] {
    let texts = tables.map { table in
      (table.header.isEmpty ? "" : table.header + "\n") + table.lines.map(\.text).joined()
    }
    return Array(texts.joined(separator: "\n").utf8)
  }
}

extension SeededGenerator {
  private mutating func pick(_ count: Int) -> Int { Int.random(in: 0..<count, using: &self) }

  private mutating func lines() -> [RandomTOML.Line] {
    let values = [
      "1", "1.50", "true", "\"a\"", "'b'", "[1, 2]", "[\n  \"x\",\n  \"y\",\n]", "{ p = 1, q = 2 }",
      "\"\"\"\n  long\n   text\"\"\"", "1979-05-27",
    ]
    let keys = ["a", "b", "c.d", "\"e f\"", "g"].shuffled(using: &self).prefix(pick(5))
    return keys.map { RandomTOML.Line(key: $0, value: values[pick(values.count)]) }
  }

  mutating func toml() -> RandomTOML {
    var tables = [RandomTOML.Table(header: "", lines: lines())]
    for name in ["s", "t.u", "t"].shuffled(using: &self).prefix(pick(4)) {
      tables.append(RandomTOML.Table(header: "[\(name)]", lines: lines()))
    }
    for id in 0..<pick(4) {
      tables.append(item("\(id)"))
    }
    if pick(2) == 0 { tables.append(RandomTOML.Table(header: "[z]", lines: lines())) }
    return RandomTOML(tables: tables)
  }

  private mutating func item(_ id: String) -> RandomTOML.Table {
    RandomTOML.Table(header: "[[item]]", lines: [.init(key: "id", value: id)] + lines())
  }

  /// The document after some edits; each has a mark and a number of its own.
  mutating func edited(_ document: RandomTOML, mark: String) -> RandomTOML {
    var document = document
    for edit in 0...pick(3) {
      let new = "\(mark)\(edit)"
      let leaf = "\"\(new)\""
      let place = pick(document.tables.count)
      let first = document.tables[place].isItem ? 1 : 0
      let count = document.tables[place].lines.count
      switch pick(9) {
      case 0...2 where count > first:
        document.tables[place].lines[first + pick(count - first)].value = leaf
      case 3 where count > first:
        document.tables[place].lines.remove(at: first + pick(count - first))
      case 4 where count > first:
        document.tables[place].lines[first + pick(count - first)].comment = new
      case 5:
        let index = document.tables.lastIndex(where: \.isItem).map { $0 + 1 }
        document.tables.insert(item(leaf), at: index ?? document.tables.count)
      case 6 where place > 0: document.tables.remove(at: place)
      case 7:
        let table = RandomTOML.Table(header: "[\(new)]", lines: [.init(key: "k", value: leaf)])
        document.tables.insert(table, at: pick(2) == 0 ? place + 1 : document.tables.count)
      case 8 where document.tables[place].lines.allSatisfy({ $0.key != "n" }):
        document.tables[place].lines.append(.init(key: "n", value: leaf))
      default:
        document.tables[place].lines.insert(
          .init(key: new, value: leaf), at: first + pick(count - first + 1))
      }
    }
    return document
  }

  /// A base and two edited sides.
  mutating func tomlSides() -> MergeSides<[UInt8]> {
    let base = toml()
    let (ours, theirs) = (edited(base, mark: "o"), edited(base, mark: "t"))
    return MergeSides(base: base.written, ours: ours.written, theirs: theirs.written)
  }
}
