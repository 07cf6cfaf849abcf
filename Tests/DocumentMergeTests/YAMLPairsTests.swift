import Foundation
import Testing

@testable import DocumentMerge

@Suite("Pairs of edits of a YAML document")
struct YAMLPairsTests {
  private static let base = """
    # The harbour
    name: Harbour
    size: &size
      width: 10
      height: 20
    layers:
      - id: sky
        colour: blue
      # the water
      - id: sea
        colour: green
    tags:
      - old
      - new
    points: [1, 2, 3, 4]
    text: >
      Ships may come and go at any hour.
      In winter the lights are on from four.
    script: |
      one
        two
      three
    copy: *size

    """

  private static let edits = [
    Edit("change a value", ("Harbour", "Port")),
    Edit("change it otherwise", ("Harbour", "Quay")),
    Edit("put it in quotes", ("Harbour", "\"Harbour\"")),
    Edit("change the kind of a value", ("Harbour", "[Harbour]")),
    Edit("rename a key", ("name:", "title:")),
    Edit("remove a key", ("name: Harbour\n", "")),
    Edit("add a key at the start", ("name:", "kind: 1\nname:")),
    Edit("add it with another value at the end", ("copy: *size\n", "copy: *size\nkind: 2\n")),
    Edit("add another key at the end", ("copy: *size\n", "copy: *size\nmore: {}\n")),
    Edit("change inside a mapping", ("10", "11")),
    Edit("change beside it", ("20", "21")),
    Edit(
      "put the mapping on one line", ("\n  width: 10\n  height: 20", " {width: 10, height: 20}")),
    Edit("rename the anchor", ("&size", "&extent"), ("*size", "*extent")),
    Edit("refer to it once more", ("copy: *size\n", "copy: *size\nother: *size\n")),
    Edit("change a record", ("blue", "grey")),
    Edit("change the next record", ("green", "teal")),
    Edit("remove a record", ("  - id: sky\n    colour: blue\n", "")),
    Edit("append a record", ("colour: green\n", "colour: green\n  - id: sun\n")),
    Edit(
      "append another record", ("colour: green\n", "colour: green\n  - id: bird\n    wings: 2\n")),
    Edit("change a comment", ("the water", "the deep water")),
    Edit("append a tag", ("  - new\n", "  - new\n  - blue\n")),
    Edit("append another tag", ("  - new\n", "  - new\n  - red\n")),
    Edit("replace a tag", ("- old", "- ancient")),
    Edit("change a number of a list", ("1, 2", "1, 9")),
    Edit("append a number", ("3, 4]", "3, 4, 5]")),
    Edit("change a sentence", ("may come", "can come")),
    Edit("change another sentence", ("from four", "from five")),
    Edit("change a line of the script", ("  one\n", "  eins\n")),
    Edit("change another line of it", ("  three\n", "  drei\n")),
    Edit("indent by four", ("\n  ", "\n    ")),
    Edit(
      "put lists into the column of their key", ("\n  - id", "\n- id"),
      ("\n    colour", "\n  colour"), ("\n  # the", "\n# the"),
      ("\n  - old\n  - new", "\n- old\n- new")),
    Edit("use Windows' line ends", ("\n", "\r\n")),
  ]

  @Test("Every pair comes out as the table says")
  func pairs() throws {
    let engine = MergeEngines().engine(for: .yaml)
    try EditPairs(name: "yaml", engine: engine, base: Self.base, edits: Self.edits) { text in
      let lines = text.replacingOccurrences(of: "\r\n", with: "\n")
      return try YAMLFormat().parse(Array(lines.utf8))[StructureTree.root].valueHash
    }.check()
  }
}
