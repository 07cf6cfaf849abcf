import DocumentMerge
import DocumentTestSupport

/// Settings that a test makes and edits.
struct RandomSettings {
  struct Line {
    var comment = ""
    var key: String
    var value: String

    var text: String { (comment.isEmpty ? "" : "# \(comment)\n") + "\(key) = \(value)\n" }
  }

  /// A section with its lines; the first has no header.
  struct Section {
    var header: String
    var lines: [Line]
  }

  var sections: [Section]

  var written: [UInt8] {
    let texts = sections.map { section in
      (section.header.isEmpty ? "" : section.header + "\n") + section.lines.map(\.text).joined()
    }
    return Array(texts.joined(separator: "\n").utf8)
  }
}

extension SeededGenerator {
  private mutating func pick(_ count: Int) -> Int { Int.random(in: 0..<count, using: &self) }

  private mutating func lines() -> [RandomSettings.Line] {
    let values = ["1", "a b", "\"q\"", "", "x \\\n  y \\\n  z", "\n  one\n  two", "/usr/bin:/bin"]
    let keys = ["a", "b", "c.d", "e-f", "g"].shuffled(using: &self).prefix(pick(5))
    return keys.map { RandomSettings.Line(key: $0, value: values[pick(values.count)]) }
  }

  mutating func settings() -> RandomSettings {
    var sections = [RandomSettings.Section(header: "", lines: lines())]
    for name in ["s", "t u", "v \"w\"", "x"].shuffled(using: &self).prefix(pick(4)) {
      sections.append(RandomSettings.Section(header: "[\(name)]", lines: lines()))
    }
    return RandomSettings(sections: sections)
  }

  /// The settings after some edits; each has a mark and a number of its own.
  mutating func edited(_ document: RandomSettings, mark: String) -> RandomSettings {
    var document = document
    for edit in 0...pick(3) {
      let new = "\(mark)\(edit)"
      let place = pick(document.sections.count)
      let count = document.sections[place].lines.count
      switch pick(9) {
      case 0...2 where count > 0: document.sections[place].lines[pick(count)].value = new
      case 3 where count > 0: document.sections[place].lines.remove(at: pick(count))
      case 4 where count > 0: document.sections[place].lines[pick(count)].comment = new
      case 5 where place > 0: document.sections.remove(at: place)
      case 6:
        let section = RandomSettings.Section(
          header: "[\(new)]", lines: [RandomSettings.Line(key: "k", value: new)])
        document.sections.insert(section, at: pick(2) == 0 ? place + 1 : document.sections.count)
      case 7 where document.sections[place].lines.allSatisfy({ $0.key != "n" }):
        document.sections[place].lines.append(RandomSettings.Line(key: "n", value: new))
      default:
        document.sections[place].lines.insert(
          RandomSettings.Line(key: new, value: new), at: pick(count + 1))
      }
    }
    return document
  }

  /// A base and two edited sides.
  mutating func settingsSides() -> MergeSides<[UInt8]> {
    let base = settings()
    let (ours, theirs) = (edited(base, mark: "o"), edited(base, mark: "t"))
    return MergeSides(base: base.written, ours: ours.written, theirs: theirs.written)
  }
}
