@testable import DocumentMerge
import Foundation
import Testing

@Suite("Pairs of edits of a JSON document")
struct JSONPairsTests {
  private static let base = """
    {
      "name": "Harbour",
      "size": {
        "width": 10,
        "height": 20
      },
      "layers": [
        {"id": "sky", "colour": "blue"},
        {"id": "sea", "colour": "green"},
        {"id": "sun", "colour": "red"}
      ],
      "tags": ["old", "new"],
      "points": [1, 2, 3, 4, 5],
      "note": null
    }

    """

  private static let edits = [
    Edit("change a value", ("Harbour", "Port")),
    Edit("change it otherwise", ("Harbour", "Quay")),
    Edit("change the kind of a value", ("\"Harbour\"", "[\"Harbour\"]")),
    Edit("rename a key", ("\"name\"", "\"title\"")),
    Edit("remove a key", ("  \"name\": \"Harbour\",\n", "")),
    Edit("add a key at the start", ("{\n  \"name\"", "{\n  \"kind\": 1,\n  \"name\"")),
    Edit("add it with another value at the end", ("null\n", "null,\n  \"kind\": 2\n")),
    Edit("add another key at the end", ("null\n", "null,\n  \"more\": {}\n")),
    Edit("change inside an object", ("10", "11")),
    Edit("change beside it", ("20", "21")),
    Edit(
      "remove the object", ("  \"size\": {\n    \"width\": 10,\n    \"height\": 20\n  },\n", "")),
    Edit(
      "put the object on one line",
      ("{\n    \"width\": 10,\n    \"height\": 20\n  }", "{ \"width\": 10, \"height\": 20 }")),
    Edit("change a record", ("blue", "grey")),
    Edit("change the next record", ("\"green\"", "\"teal\"")),
    Edit("remove a record", ("    {\"id\": \"sky\", \"colour\": \"blue\"},\n", "")),
    Edit(
      "append a record",
      ("\"red\"}\n", "\"red\"},\n    {\"id\": \"bird\", \"colour\": \"white\"}\n")),
    Edit(
      "append another record",
      ("\"red\"}\n", "\"red\"},\n    {\"id\": \"boat\", \"colour\": \"brown\"}\n")),
    Edit(
      "move a record to the end", ("    {\"id\": \"sky\", \"colour\": \"blue\"},\n", ""),
      ("\"red\"}\n", "\"red\"},\n    {\"id\": \"sky\", \"colour\": \"blue\"}\n")),
    Edit("append a tag", ("\"new\"]", "\"new\", \"blue\"]")),
    Edit("append another tag", ("\"new\"]", "\"new\", \"red\"]")),
    Edit("replace a tag", ("\"old\"", "\"ancient\"")),
    Edit("replace it otherwise", ("\"old\"", "\"former\"")),
    Edit("change a number of a list", ("1, 2, 3", "1, 9, 3")),
    Edit("change it otherwise in the list", ("1, 2, 3", "1, 8, 3")),
    Edit("change a far number of the list", ("4, 5]", "4, 6]")),
    Edit("insert a number", ("1, 2, 3", "1, 2, 7, 3")),
    Edit("indent by four", ("\n    ", "\n\t\t"), ("\n  ", "\n    "), ("\t\t", "        ")),
    Edit(
      "put all on one line", (",\n    ", ", "), (",\n  ", ", "), ("\n    ", ""), ("\n  ", ""),
      ("\n", "")),
    Edit("use Windows' line ends", ("\n", "\r\n")),
  ]

  @Test("Every pair comes out as the table says")
  func pairs() throws {
    let engine = StructuredMergeEngine(format: JSONFormat())
    try EditPairs(name: "json", engine: engine, base: Self.base, edits: Self.edits) { text in
      try JSONSerialization.jsonObject(with: Data(text.utf8)) as? NSObject
    }.check()
  }
}
