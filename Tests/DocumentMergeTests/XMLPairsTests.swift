import Foundation
import Testing

@testable import DocumentMerge

@Suite("Pairs of edits of an XML document")
struct XMLPairsTests {
  private static let base = """
    <?xml version="1.0" encoding="UTF-8"?>
    <!-- The harbour -->
    <harbour xmlns:m="urn:map" name="Ry" open="yes">
      <title>Old harbour</title>
      <size width="10" height="20"/>
      <layers>
        <layer id="sky" colour="blue"/>
        <!-- the water -->
        <layer id="sea" colour="green">
          <m:depth>4</m:depth>
        </layer>
      </layers>
      <notes>
        <note>Ships may come and go at any hour. In winter the lights are on from four.</note>
        <note>Bring <b>warm</b> clothes.</note>
      </notes>
      <empty/>
      <script><![CDATA[if (a < b) run();]]></script>
    </harbour>

    """

  private static let sky = "    <layer id=\"sky\" colour=\"blue\"/>\n"
  private static let end = "    </layer>\n"

  private static let edits = [
    Edit("change an attribute", ("name=\"Ry\"", "name=\"Skive\"")),
    Edit("change it otherwise", ("name=\"Ry\"", "name=\"Aarhus\"")),
    Edit("change the next attribute", ("open=\"yes\"", "open=\"no\"")),
    Edit("quote an attribute otherwise", ("open=\"yes\"", "open='yes'")),
    Edit("remove an attribute", (" open=\"yes\"", "")),
    Edit("add an attribute", ("open=\"yes\"", "open=\"yes\" kind=\"1\"")),
    Edit("add it with another value", ("open=\"yes\"", "kind=\"2\" open=\"yes\"")),
    Edit("add another attribute", ("open=\"yes\"", "open=\"yes\" age=\"90\"")),
    Edit("put attributes on lines", (" name=\"Ry\" open", "\n  name=\"Ry\"\n  open")),
    Edit("change a text", ("Old harbour", "New harbour")),
    Edit("change it otherwise in the text", ("Old harbour", "Old port")),
    Edit("change the same word", ("Old harbour", "Fine harbour")),
    Edit("replace a text by an element", ("Old harbour", "<b/>")),
    Edit("rename an element", ("title>", "heading>")),
    Edit("remove an element", ("  <title>Old harbour</title>\n", "")),
    Edit("add an element", ("  <size", "  <kind>1</kind>\n  <size")),
    Edit("add it with another text", ("  <size", "  <kind>2</kind>\n  <size")),
    Edit("add another element", ("  <size", "  <age>90</age>\n  <size")),
    Edit("add the element at the end", ("</script>\n", "</script>\n  <kind>1</kind>\n")),
    Edit("change the width", ("10", "11")),
    Edit("change the height", ("20", "21")),
    Edit("write the size with an end tag", ("height=\"20\"/>", "height=\"20\"></size>")),
    Edit("change a record", ("blue", "grey")),
    Edit("change the next record", ("green", "teal")),
    Edit("change inside the record", ("4</m:depth>", "5</m:depth>")),
    Edit("change its id", ("id=\"sea\"", "id=\"ocean\"")),
    Edit("remove a record", (sky, "")),
    Edit(
      "remove the next record with all in it",
      (
        "    <!-- the water -->\n    <layer id=\"sea\" colour=\"green\">\n"
          + "      <m:depth>4</m:depth>\n    </layer>\n", ""
      )),
    Edit("append a record", (end, end + "    <layer id=\"sun\" colour=\"red\"/>\n")),
    Edit("append another record", (end, end + "    <layer id=\"bird\"/>\n")),
    Edit("append it with another colour", (end, end + "    <layer id=\"sun\" colour=\"gold\"/>\n")),
    Edit("move a record to the end", (sky, ""), (end, end + sky)),
    Edit("change a comment", ("the water", "the deep water")),
    Edit("remove the comment", ("    <!-- the water -->\n", "")),
    Edit("change a sentence", ("may come", "can come")),
    Edit("change another sentence", ("from four", "from five")),
    Edit("change text with markup", ("warm", "dry")),
    Edit("change it beside the markup", ("clothes", "shoes")),
    Edit("fill the empty element", ("<empty/>", "<empty>\n    <a/>\n  </empty>")),
    Edit("fill it otherwise", ("<empty/>", "<empty>\n    <b/>\n  </empty>")),
    Edit("change the script", ("a < b", "a < c")),
    Edit("change the script otherwise", ("run()", "stop()")),
    Edit("indent by four", ("\n  ", "\n    ")),
    Edit("use Windows' line ends", ("\n", "\r\n")),
  ]

  @Test("Every pair comes out as the table says")
  func pairs() throws {
    let engine = MergeEngines().engine(for: .xml)
    try EditPairs(name: "xml", engine: engine, base: Self.base, edits: Self.edits) { text in
      let lines = text.replacingOccurrences(of: "\r\n", with: "\n")
      // Both may be in either order, and a part that both added occurs once.
      return try XMLFormat().parse(Array(lines.utf8)).places(XMLFormat())
    }.check()
  }
}
