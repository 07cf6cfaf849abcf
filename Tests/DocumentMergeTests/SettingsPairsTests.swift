import Foundation
import Testing

@testable import DocumentMerge

@Suite("Pairs of edits of settings")
struct SettingsPairsTests {
  private static let base = """
    ; Harbour
    name = Harbour
    level = 1
    flags = one \\
      two \\
      three

    # the light
    [light]
    colour = white
    height: 20
    hours =
        four
        five
        six

    [boat "blue"]
    crew = 3
    quiet

    [boat "red"]
    crew = 4

    """

  private static let edits = [
    Edit("change a value", ("= Harbour", "= Port")),
    Edit("change it otherwise", ("= Harbour", "= Quay")),
    Edit("change the next value", ("level = 1", "level = 2")),
    Edit("write it without spaces", ("level = 1", "level=1")),
    Edit("remove a key", ("level = 1\n", "")),
    Edit("rename a key", ("level =", "depth =")),
    Edit("add a key", ("level = 1\n", "level = 1\nnew = 1\n")),
    Edit("add another key", ("level = 1\n", "level = 1\nmore = 1\n")),
    Edit("add it with another value above", ("name = Harbour\n", "new = 2\nname = Harbour\n")),
    Edit("change a line that is gone on with", ("one ", "uno ")),
    Edit("change the last of these lines", ("three", "tre")),
    Edit("change a comment", ("# the light", "# the lamp")),
    Edit("change it in a section", ("= white", "= red")),
    Edit("change below it", ("height: 20", "height: 21")),
    Edit("change a line of a list", ("    four", "    4")),
    Edit("append to the list", ("    six\n", "    six\n    seven\n")),
    Edit("append something else to it", ("    six\n", "    six\n    eight\n")),
    Edit(
      "remove the section", ("[light]\ncolour = white\nheight: 20\n", ""),
      ("hours =\n    four\n    five\n    six\n", "")),
    Edit("rename the section", ("[light]", "[lamp]")),
    Edit("change another section", ("crew = 3", "crew = 5")),
    Edit("change the next section", ("crew = 4", "crew = 6")),
    Edit("remove a switch", ("quiet\n", "")),
    Edit("add a section", ("crew = 4\n", "crew = 4\n\n[sail]\nsize = 1\n")),
    Edit("add it with another key", ("4\n", "4\n\n[sail]\ncolour = 1\n")),
    Edit("add it with another value", ("= 4\n", "= 4\n\n[sail]\nsize = 2\n")),
    Edit("add another section", ("crew = 4\n", "crew = 4\n\n[oar]\nsize = 3\n")),
    Edit("use Windows' line ends", ("\n", "\r\n")),
  ]

  @Test("Every pair comes out as the table says")
  func pairs() throws {
    let engine = MergeEngines().engine(forFileName: "harbour.ini")
    try EditPairs(name: "settings", engine: engine, base: Self.base, edits: Self.edits) { text in
      let lines = text.replacingOccurrences(of: "\r\n", with: "\n")
      return try SettingsFormat().valueHash(of: lines)
    }.check()
  }
}
