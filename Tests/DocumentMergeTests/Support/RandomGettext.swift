import DocumentMerge
import DocumentTestSupport

/// A catalogue of gettext that a test makes and edits.
struct RandomGettext {
  struct Entry {
    var comment = ""
    var places = ""
    var flags: [String] = []
    var context = ""
    var text: String
    var translation: [String]
    var isPlural = false
    var isObsolete = false

    private func strings(_ keyword: String, _ lines: [String]) -> [String] {
      if lines.count == 1 { return ["\(keyword) \"\(lines[0])\""] }
      return ["\(keyword) \"\""] + lines.map { "\"\($0)\"" }
    }

    var lines: [String] {
      var lines = comment.isEmpty ? [] : ["# " + comment]
      if !places.isEmpty { lines.append("#: " + places) }
      if !flags.isEmpty { lines.append("#, " + flags.joined(separator: ", ")) }
      var own = context.isEmpty ? [] : strings("msgctxt", [context])
      own += strings("msgid", [text])
      if isPlural {
        own += strings("msgid_plural", [text + "s"]) + strings("msgstr[0]", translation)
        own += strings("msgstr[1]", translation.map { $0 + " n" })
      } else {
        own += strings("msgstr", translation)
      }
      return lines + (isObsolete ? own.map { "#~ " + $0 } : own)
    }
  }

  var fields: [(name: String, value: String)]
  var entries: [Entry]

  var written: [UInt8] {
    let head = ["msgid \"\"", "msgstr \"\""] + fields.map { "\"\($0.name): \($0.value)\\n\"" }
    let parts = [head] + entries.map(\.lines)
    let texts = parts.map { $0.map { $0 + "\n" }.joined() }
    return Array(texts.joined(separator: "\n").utf8)
  }
}

extension SeededGenerator {
  private mutating func pick(_ count: Int) -> Int { Int.random(in: 0..<count, using: &self) }

  private mutating func entry(_ text: String) -> RandomGettext.Entry {
    var entry = RandomGettext.Entry(
      text: text, translation: [["A b", "\\\"q\\\"", ""][pick(3)]])
    if pick(4) == 0 { entry.translation = ["first \\n", "second \\n", "third"] }
    if pick(3) == 0 { entry.places = "a.c:\(pick(90))" }
    if pick(4) == 0 { entry.flags = ["c-format"] }
    entry.isPlural = pick(5) == 0
    if pick(4) == 0 { entry.comment = "note \(text)" }
    if pick(4) == 0 { entry.context = "menu" }
    return entry
  }

  mutating func gettext() -> RandomGettext {
    let fields = [("Project-Id-Version", "1"), ("Language", "de"), ("X-Generator", "By hand")]
    let texts = ["Open", "Close", "Save as", "%d file", "Quit", "Undo"].shuffled(using: &self)
    var entries = texts.prefix(pick(6)).map { entry($0) }
    if pick(4) == 0, !entries.isEmpty { entries[entries.count - 1].isObsolete = true }
    return RandomGettext(fields: Array(fields.prefix(1 + pick(3))), entries: entries)
  }

  /// The catalogue after some edits; each has a mark and a number of its own.
  mutating func edited(_ document: RandomGettext, mark: String) -> RandomGettext {
    var document = document
    for edit in 0...pick(3) {
      let new = "\(mark)\(edit)"
      let count = document.entries.count
      let place = pick(max(count, 1))
      switch pick(9) {
      case 0...2 where count > 0: document.entries[place].translation = [new]
      case 3 where count > 0: document.entries.remove(at: place)
      case 4 where count > 0: document.entries[place].comment = new
      case 5: document.fields.append(("X-\(new)", new))
      case 6: document.fields[pick(document.fields.count)].value = new
      case 7 where document.entries.allSatisfy({ $0.text != "n" }):
        document.entries.append(RandomGettext.Entry(text: "n", translation: [new]))
      case 8 where count > 0:
        let lines = document.entries[place].translation
        document.entries[place].translation =
          lines.count == 1 ? ["", lines[0]] : [lines.joined()]
      default:
        document.entries.insert(
          RandomGettext.Entry(text: new, translation: [new]), at: pick(count + 1))
      }
    }
    return document
  }

  /// A base and two edited sides.
  mutating func gettextSides() -> MergeSides<[UInt8]> {
    let base = gettext()
    let (ours, theirs) = (edited(base, mark: "o"), edited(base, mark: "t"))
    return MergeSides(base: base.written, ours: ours.written, theirs: theirs.written)
  }
}
