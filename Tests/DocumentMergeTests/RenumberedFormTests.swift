import DocumentMerge
import Testing

@Suite("Records whose running numbers one side gave anew, in more forms")
struct RenumberedFormTests {
  /// A form of records, each with its number, its name and a state.
  struct Form: Sendable, CustomTestStringConvertible {
    let fileName: String
    let head: String
    let tail: String
    let record: @Sendable (Int, String, String) -> String

    var testDescription: String { fileName }

    func document(_ names: String, done: Character? = nil) -> String {
      let records = names.enumerated().map { index, name in
        record(index + 1, String(name), name == done ? "yes" : "no")
      }
      return head + records.joined() + tail
    }
  }

  private static let forms: [Form] = [
    Form(fileName: "t.toml", head: "", tail: "") {
      "[step.\($0)]\nname = \"\($1)\"\ndone = \"\($2)\"\n\n"
    },
    Form(fileName: "t.yaml", head: "steps:\n", tail: "") {
      "  - id: step-\($0)\n    name: \($1)\n    done: \($2)\n"
    },
    Form(fileName: "t.svg", head: "<svg>\n", tail: "</svg>\n") {
      "  <g id=\"layer\($0)\"><title>\($1)</title><desc>\($2)</desc></g>\n"
    },
    Form(
      fileName: "t.html", head: "<!DOCTYPE html>\n<html><body>\n<table>\n",
      tail: "</table>\n</body></html>\n"
    ) { "<tr><td>\($0)</td><td>\($1)</td><td>\($2)</td></tr>\n" },
  ]

  @Test(
    "An edit follows the record, or is asked about, and never goes to another one",
    arguments: forms,
    ["bcd", "nabcd", "bacd", "acbd"])
  func edits(form: Form, names: String) throws {
    let engine = MergeEngines().engine(forFileName: form.fileName)
    let sides = MergeSides(
      base: form.document("abcd"), ours: form.document(names),
      theirs: form.document("abcd", done: "c")
    ).map { Array($0.utf8) }
    for sides in [sides, sides.swapped] {
      let outcome = try engine.merge(sides, options: MergeOptions())
      #expect(!outcome.isComplete || outcome.text == form.document(names, done: "c"))
    }
  }

  private static let keys: [Form] = [
    Form(fileName: "t.strings", head: "", tail: "") {
      "\"item\($0).name\" = \"\($1)\";\n\"item\($0).done\" = \"\($2)\";\n"
    },
    Form(fileName: "t.properties", head: "", tail: "") {
      "item.\($0).name=\($1)\nitem.\($0).done=\($2)\n"
    },
    Form(fileName: ".env", head: "", tail: "") { "ITEM\($0)_NAME=\($1)\nITEM\($0)_DONE=\($2)\n" },
    Form(fileName: "flat.yaml", head: "x: 1\n", tail: "") {
      "item\($0)_name: \($1)\nitem\($0)_done: \($2)\n"
    },
    Form(fileName: "flat.toml", head: "", tail: "") {
      "item\($0)_name = \"\($1)\"\nitem\($0)_done = \"\($2)\"\n"
    },
    Form(fileName: "flat.json", head: "{\n", tail: "  \"end\": 1\n}\n") {
      "  \"item\($0).name\": \"\($1)\",\n  \"item\($0).done\": \"\($2)\",\n"
    },
    Form(fileName: "t.po", head: "", tail: "") {
      "msgid \"item\($0).name\"\nmsgstr \"\($1)\"\n\nmsgid \"item\($0).done\"\nmsgstr \"\($2)\"\n\n"
    },
    Form(fileName: "t.csv", head: "key,text\n", tail: "") {
      "item\($0).name,\($1)\nitem\($0).done,\($2)\n"
    },
    Form(fileName: "values/strings.xml", head: "<resources>\n", tail: "</resources>\n") {
      "<string name=\"item\($0)_name\">\($1)</string>\n<string name=\"item\($0)_done\">\($2)</string>\n"
    },
    Form(
      fileName: "t.plist", head: "<plist version=\"1.0\">\n<dict>\n", tail: "</dict>\n</plist>\n"
    ) {
      "<key>item\($0).name</key>\n<string>\($1)</string>\n"
        + "<key>item\($0).done</key>\n<string>\($2)</string>\n"
    },
  ]

  @Test(
    "An edit of flat keys follows the record, or is asked about", arguments: keys,
    ["bcd", "nabcd", "bacd", "acbd"])
  func flatKeys(form: Form, names: String) throws { try edits(form: form, names: names) }

  @Test("Keys whose numbers stay are merged as they are", arguments: keys)
  func keptNumbers(form: Form) throws {
    let engine = MergeEngines().engine(forFileName: form.fileName)
    let sides = MergeSides(
      base: form.document("abcdef"), ours: form.document("abcdef", done: "b"),
      theirs: form.document("abcdefg")
    ).map { Array($0.utf8) }
    let outcome = try engine.merge(sides, options: MergeOptions())
    #expect(outcome.isComplete)
    #expect(outcome.text == form.document("abcdefg", done: "b"))
  }

  @Test("An edit of what the other side put into another container is no question")
  func movedToAnotherContainer() throws {
    let about = "  about:\n    x: 1\n"
    let long = "    first: 1\n    second: 2\n    text: A longer text of some words\n"
    let base = "de:\n" + about + long + "    end: 1\n"
    let moved = "de:\n" + about + "  section:\n" + long + "    end: 1\n"
    func edited(_ text: String) -> String { text.replacing("longer", with: "much longer") }
    try FileMerge("de.yml", base, moved, edited(base), gives: edited(moved)).check()
  }
}
