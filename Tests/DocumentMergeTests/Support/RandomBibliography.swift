import DocumentMerge
import DocumentTestSupport

/// A bibliography that a test makes and edits.
struct RandomBibliography {
  struct Work {
    var comment = ""
    var key: String
    var fields: [(name: String, value: String)]

    var text: String {
      let lines = fields.map { "  \($0.name) = \($0.value)" }
      return (comment.isEmpty ? "" : comment + "\n") + "@book{\(key),\n"
        + lines.joined(separator: ",\n") + "\n}\n"
    }
  }

  var works: [Work]

  var written: [UInt8] { Array(works.map(\.text).joined(separator: "\n").utf8) }
}

extension SeededGenerator {
  private mutating func pick(_ count: Int) -> Int { Int.random(in: 0..<count, using: &self) }

  private mutating func work(_ key: String) -> RandomBibliography.Work {
    let all = [
      ("title", "{The {Sea}}"), ("author", "\"Ida and Tom\""), ("year", "1999"),
      ("month", "jan # \"~1\""), ("note", "{two\n    lines}"), ("publisher", "mit"),
    ]
    let chosen = all.shuffled(using: &self).prefix(1 + pick(5))
    return RandomBibliography.Work(key: key, fields: chosen.map { (name: $0.0, value: $0.1) })
  }

  mutating func bibliography() -> RandomBibliography {
    let keys = ["sea", "Boat", "oar:1", "sail"].shuffled(using: &self).prefix(pick(5))
    return RandomBibliography(works: keys.map { work($0) })
  }

  /// The bibliography after some edits; each has a mark and a number of its own.
  mutating func edited(_ document: RandomBibliography, mark: String) -> RandomBibliography {
    var document = document
    for edit in 0...pick(3) {
      let new = "\(mark)\(edit)"
      let count = document.works.count
      let place = pick(max(count, 1))
      let fields = count > 0 ? document.works[place].fields.count : 0
      switch pick(9) {
      case 0...2 where fields > 0: document.works[place].fields[pick(fields)].value = "{\(new)}"
      case 3 where fields > 1: document.works[place].fields.remove(at: pick(fields))
      case 4 where count > 0: document.works.remove(at: place)
      case 5 where count > 0:
        document.works[place].fields.insert((name: new, value: "{\(new)}"), at: pick(fields + 1))
      case 6 where count > 0 && document.works[place].fields.allSatisfy({ $0.name != "n" }):
        document.works[place].fields.append((name: "n", value: "{\(new)}"))
      case 7 where count > 0: document.works[place].comment = new
      default:
        let work = RandomBibliography.Work(key: new, fields: [(name: "title", value: "{\(new)}")])
        document.works.insert(work, at: pick(count + 1))
      }
    }
    return document
  }

  /// A base and two edited sides.
  mutating func bibliographySides() -> MergeSides<[UInt8]> {
    let base = bibliography()
    let (ours, theirs) = (edited(base, mark: "o"), edited(base, mark: "t"))
    return MergeSides(base: base.written, ours: ours.written, theirs: theirs.written)
  }
}
