import Foundation
import Testing

@testable import DocumentMerge

@Suite("Pairs of edits of a TOML document")
struct TOMLPairsTests {
  private static let base = """
    # The harbour
    name = "Harbour"
    tags = ["old", "new"]
    points = [1, 2, 3, 4]
    size = { width = 10, height = 20 }
    text = \"\"\"
    Ships may come and go at any hour.
    In winter the lights are on from four.
    \"\"\"

    [owner]
    name = "Ida"
    # by day
    phone = 12

    [owner.address]
    town = "Ry"

    [[layer]]
    id = "sky"
    colour = "blue"

    # the water
    [[layer]]
    id = "sea"
    colour = "green"

    [dependencies]
    alpha = "1.0"
    beta.version = "2.0"
    gamma = { version = "3.0" }

    """

  private static let sun = "\n[[layer]]\nid = \"sun\"\ncolour = \"red\"\n\n[dependencies]"
  private static let bird = "\n[[layer]]\nid = \"bird\"\n\n[dependencies]"

  private static let edits = [
    Edit("change a value", ("\"Harbour\"", "\"Port\"")),
    Edit("change it otherwise", ("\"Harbour\"", "\"Quay\"")),
    Edit("quote it otherwise", ("\"Harbour\"", "'Harbour'")),
    Edit("change the kind of a value", ("\"Harbour\"", "[\"Harbour\"]")),
    Edit("rename a key", ("name = \"Harbour\"", "title = \"Harbour\"")),
    Edit("quote a key", ("name = \"Harbour\"", "\"name\" = \"Harbour\"")),
    Edit("remove a key", ("name = \"Harbour\"\n", "")),
    Edit("add a key at the start", ("name = \"Harbour\"", "kind = 1\nname = \"Harbour\"")),
    Edit("add it with another value below", ("height = 20 }\n", "height = 20 }\nkind = 2\n")),
    Edit("add another key below", ("height = 20 }\n", "height = 20 }\nmore = {}\n")),
    Edit("change inside an inline table", ("10", "11")),
    Edit("change beside it", ("20", "21")),
    Edit("replace the inline table by a number", ("{ width = 10, height = 20 }", "15")),
    Edit("replace a tag", ("\"old\"", "\"ancient\"")),
    Edit("append a tag", ("\"new\"]", "\"new\", \"blue\"]")),
    Edit("append another tag", ("\"new\"]", "\"new\", \"red\"]")),
    Edit("put the tags on lines", ("[\"old\", \"new\"]", "[\n  \"old\",\n  \"new\",\n]")),
    Edit("change a number of a list", ("1, 2", "1, 9")),
    Edit("append a number", ("3, 4]", "3, 4, 5]")),
    Edit("change a sentence", ("may come", "can come")),
    Edit("change another sentence", ("from four", "from five")),
    Edit("change a key of a table", ("= 12", "= 13")),
    Edit("change a comment", ("by day", "at night")),
    Edit("add a key to the table", ("phone = 12\n", "phone = 12\nage = 40\n")),
    Edit("add another key to the table", ("phone = 12\n", "phone = 12\ncar = true\n")),
    Edit("rename the table", ("[owner", "[holder")),
    Edit("remove the inner table", ("[owner.address]\ntown = \"Ry\"\n\n", "")),
    Edit("write the inner table as a key", ("\n[owner.address]\ntown", "address.town")),
    Edit("change in the inner table", ("\"Ry\"", "\"Skive\"")),
    Edit("change a record", ("blue", "grey")),
    Edit("change the next record", ("\"green\"", "\"teal\"")),
    Edit("remove a record", ("[[layer]]\nid = \"sky\"\ncolour = \"blue\"\n\n", "")),
    Edit("append a record", ("\n[dependencies]", sun)),
    Edit("append another record", ("\n[dependencies]", bird)),
    Edit("raise a version", ("1.0", "1.1")),
    Edit("raise the next version", ("2.0", "2.1")),
    Edit("raise it otherwise", ("2.0", "2.5")),
    Edit("add a table at the end", ("\"3.0\" }\n", "\"3.0\" }\n\n[build]\njobs = 2\n")),
    Edit("add it with another key", ("\"3.0\" }\n", "\"3.0\" }\n\n[build]\nfast = true\n")),
    Edit("add it with another value", ("\"3.0\" }\n", "\"3.0\" }\n\n[build]\njobs = 4\n")),
    Edit("add another table at the end", ("\"3.0\" }\n", "\"3.0\" }\n\n[test]\njobs = 3\n")),
    Edit("use Windows' line ends", ("\n", "\r\n")),
  ]

  /// An array whose tables others stand between.
  private static let parts = """
    name = "Harbour"

    [[layer]]
    id = "sky"
    colour = "blue"

    [notes.sky]
    text = "Far"

    [[layer]]
    id = "sea"
    colour = "green"

    [notes.sea]
    text = "Deep"

    [[layer]]
    id = "sand"
    colour = "yellow"

    """

  private static let sea = "[[layer]]\nid = \"sea\"\ncolour = \"green\"\n\n"
  private static let sand = "[[layer]]\nid = \"sand\"\ncolour = \"yellow\"\n"
  private static let notesOfSea = "[notes.sea]\ntext = \"Deep\"\n\n"

  private static let editsOfParts = [
    Edit("change a value", ("Harbour", "Port")),
    Edit("change a record", ("blue", "grey")),
    Edit("change it otherwise", ("blue", "white")),
    Edit("change the next record", ("green", "teal")),
    Edit("change a table between", ("Deep", "Wide")),
    Edit("remove a record", (sea, "")),
    Edit("remove it with its table", (sea + notesOfSea, "")),
    Edit("rename a record", ("\"sea\"\nc", "\"lake\"\nc")),
    Edit("give a record a key", ("\"sea\"\nc", "\"sea\"\nname = \"Big\"\nc")),
    Edit(
      "put a record first", (sea, ""), ("[[layer]]\nid = \"sky\"", sea + "[[layer]]\nid = \"sky\"")),
    Edit(
      "put the last record first", (sand, ""),
      ("[[layer]]\nid = \"sky\"", sand + "\n[[layer]]\nid = \"sky\"")),
    Edit("take the tables from between", (notesOfSea, ""), ("[notes.sky]\ntext = \"Far\"\n\n", "")),
    Edit("insert a record", (sea, "[[layer]]\nid = \"sun\"\n\n" + sea)),
    Edit(
      "insert another record",
      (sea, "[[layer]]\nid = \"bird\"\n\n[notes.bird]\ntext = \"Swift\"\n\n" + sea)),
    Edit(
      "insert it with another value", (sea, "[[layer]]\nid = \"sun\"\ncolour = \"red\"\n\n" + sea)),
    Edit("append a record without an id", (sand, sand + "\n[[layer]]\ncolour = \"black\"\n")),
  ]

  @Test(
    "Every pair comes out as the table says",
    arguments: [("toml", base, edits), ("toml-parts", parts, editsOfParts)])
  func pairs(name: String, base: String, edits: [Edit]) throws {
    let engine = MergeEngines().engine(for: .toml)
    try EditPairs(name: name, engine: engine, base: base, edits: edits) { text in
      let lines = text.replacingOccurrences(of: "\r\n", with: "\n")
      return try TOMLFormat().parse(Array(lines.utf8))[StructureTree.root].valueHash
    }.check()
  }
}
