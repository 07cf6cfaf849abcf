import Foundation
import Testing

@testable import DocumentMerge

@Suite("Pairs of edits of a property list")
struct PropertyListPairsTests {
  private static let base = """
    <?xml version="1.0" encoding="UTF-8"?>
    <plist version="1.0">
    <dict>
    	<key>Name</key>
    	<string>Harbour</string>
    	<!-- in metres -->
    	<key>Size</key>
    	<dict>
    		<key>Width</key>
    		<integer>10</integer>
    		<key>Height</key>
    		<integer>20</integer>
    	</dict>
    	<key>Layers</key>
    	<array>
    		<dict>
    			<key>identifier</key>
    			<string>sky</string>
    			<key>Colour</key>
    			<string>blue</string>
    		</dict>
    		<dict>
    			<key>identifier</key>
    			<string>sea</string>
    			<key>Colour</key>
    			<string>green</string>
    		</dict>
    	</array>
    	<key>Tags</key>
    	<array>
    		<string>old</string>
    		<string>new</string>
    	</array>
    	<key>Empty</key>
    	<dict/>
    	<key>Note</key>
    	<string>Ships may come and go at any hour. In winter the lights are on from four.</string>
    	<key>Picture</key>
    	<data>AQID</data>
    	<key>IsOpen</key>
    	<true/>
    </dict>
    </plist>

    """

  private static let name = "\t<key>Name</key>\n\t<string>Harbour</string>\n"
  private static let last = "\t<true/>\n"
  private static let sky =
    "\t\t<dict>\n\t\t\t<key>identifier</key>\n\t\t\t<string>sky</string>\n"
    + "\t\t\t<key>Colour</key>\n\t\t\t<string>blue</string>\n\t\t</dict>\n"
  private static let end = "green</string>\n\t\t</dict>\n"

  private static func record(_ name: String) -> String {
    end + "\t\t<dict>\n\t\t\t<key>identifier</key>\n\t\t\t<string>\(name)</string>\n\t\t</dict>\n"
  }

  private static let edits = [
    Edit("change a value", ("Harbour", "Port")),
    Edit("change it otherwise", ("Harbour", "Quay")),
    Edit("change the kind of a value", ("<string>Harbour</string>", "<integer>7</integer>")),
    Edit("rename a key", ("<key>Name", "<key>Title")),
    Edit("remove a key", (name, "")),
    Edit("add a key at the start", (name, "\t<key>Kind</key>\n\t<integer>1</integer>\n" + name)),
    Edit(
      "add it with another value at the end",
      (
        last, last + "\t<key>Kind</key>\n\t<integer>2</integer>\n"
      )),
    Edit(
      "add it with the same value at the end",
      (
        last, last + "\t<key>Kind</key>\n\t<integer>1</integer>\n"
      )),
    Edit("add another key at the end", (last, last + "\t<key>More</key>\n\t<dict/>\n")),
    Edit("move a key to the end", (name, ""), (last, last + name)),
    Edit("change inside a dictionary", ("10", "11")),
    Edit("change beside it", ("20", "21")),
    Edit("change the comment", ("in metres", "in feet")),
    Edit("change a record", ("blue", "grey")),
    Edit("change the next record", ("green", "teal")),
    Edit("change its identifier", ("sea", "ocean")),
    Edit("remove a record", (sky, "")),
    Edit("append a record", (end, record("sun"))),
    Edit("append another record", (end, record("bird"))),
    Edit("move a record to the end", (sky, ""), (end, end + sky)),
    Edit("replace a tag", ("old", "ancient")),
    Edit("replace it otherwise", ("old", "former")),
    Edit("append a tag", ("new</string>\n", "new</string>\n\t\t<string>blue</string>\n")),
    Edit("append another tag", ("new</string>\n", "new</string>\n\t\t<string>red</string>\n")),
    Edit("remove a tag", ("\t\t<string>old</string>\n", "")),
    Edit(
      "fill the empty dictionary",
      (
        "<dict/>", "<dict>\n\t\t<key>A</key>\n\t\t<true/>\n\t</dict>"
      )),
    Edit("fill it otherwise", ("<dict/>", "<dict>\n\t\t<key>B</key>\n\t\t<true/>\n\t</dict>")),
    Edit("change a sentence", ("may come", "can come")),
    Edit("change another sentence", ("from four", "from five")),
    Edit("change data", ("AQID", "AQIE")),
    Edit("change it otherwise in the data", ("AQID", "AQIF")),
    Edit("wrap data", ("AQID", "\n\tAQID\n\t")),
    Edit("switch", ("<true/>", "<false/>")),
    Edit("indent by two spaces", ("\t", "  ")),
    Edit("use Windows' line ends", ("\n", "\r\n")),
  ]

  @Test("Every pair comes out as the table says")
  func pairs() throws {
    let engine = MergeEngines().engine(for: .plist)
    try EditPairs(name: "plist", engine: engine, base: Self.base, edits: Self.edits) { text in
      _ = try PropertyListSerialization.propertyList(from: Data(text.utf8), format: nil)
      let lines = text.replacingOccurrences(of: "\r\n", with: "\n")
      // Both may stand in either order.
      return try PropertyListFormat().parse(Array(lines.utf8)).places(PropertyListFormat())
    }.check()
  }

  private static let project = """
    // !$*UTF8*$!
    {
    \tversion = 1;
    \tobjects = {

    /* Begin files */
    \t\tAB01 /* App.swift */ = {isa = File; path = App.swift; group = "<group>"; };
    \t\tAB02 /* Note.swift */ = {isa = File; path = Note.swift; group = "<group>"; };
    /* End files */

    \t\tAA00 = {
    \t\t\tisa = Group;
    \t\t\tchildren = (
    \t\t\t\tAB01 /* App.swift */,
    \t\t\t\tAB02 /* Note.swift */,
    \t\t\t);
    \t\t\ttext = "One sentence. Another sentence follows.";
    \t\t\tdata = <0a1b>;
    \t\t};
    \t};
    \troot = AA00 /* Project */;
    }

    """

  private static let file = "\t\tAB02 /* Note.swift */ = {isa = File;"
  private static let child = "\t\t\t\tAB02 /* Note.swift */,\n"

  private static let projectEdits = [
    Edit("change a value", ("version = 1", "version = 2")),
    Edit("change it otherwise", ("version = 1", "version = 3")),
    Edit("quote a value", ("version = 1", "version = \"1\"")),
    Edit("quote a key", ("root =", "\"root\" =")),
    Edit("remove a key", ("\tversion = 1;\n", "")),
    Edit("add a key", ("version = 1;\n", "version = 1;\n\tkind = 1;\n")),
    Edit("add it with another value at the end", ("*/;\n}", "*/;\n\tkind = 2;\n}")),
    Edit("add another key", ("version = 1;\n", "version = 1;\n\tmore = {};\n")),
    Edit(
      "add a file", (file, "\t\tAB03 = {isa = File; };\n" + file),
      (child, child + "\t\t\t\tAB03,\n")),
    Edit(
      "add another file", (file, "\t\tAB04 = {isa = File; };\n" + file),
      (child, child + "\t\t\t\tAB04,\n")),
    Edit("remove a child", (child, "")),
    Edit("rename a file", ("path = Note.swift", "path = Text.swift")),
    Edit("change beside the name", ("Note.swift; group = \"<group>\"", "Note.swift; group = SDK")),
    Edit("change a comment", ("Begin files", "Files")),
    Edit("change a sentence", ("One sentence", "A sentence")),
    Edit("change another sentence", ("Another sentence", "Another line")),
    Edit("change data", ("<0a1b>", "<0a1c>")),
    Edit("change it otherwise in the data", ("<0a1b>", "<0a1d>")),
    Edit("indent by two spaces", ("\t", "  ")),
    Edit("use Windows' line ends", ("\n", "\r\n")),
  ]

  @Test("Every pair of edits of one as text comes out as the table says")
  func openStepPairs() throws {
    let engine = MergeEngines().engine(for: .plist)
    try EditPairs(
      name: "openstep", engine: engine, base: Self.project, edits: Self.projectEdits
    ) { text in
      let lines = text.replacingOccurrences(of: "\r\n", with: "\n")
      return try OpenStepFormat().parse(Array(lines.utf8)).places(OpenStepFormat())
    }.check()
  }
}
