import Foundation
import Testing

@testable import DocumentMerge

@Suite("Pairs of edits of a catalogue of gettext")
struct GettextPairsTests {
  private static let base = #"""
    # German for Harbour.
    msgid ""
    msgstr ""
    "Project-Id-Version: harbour 1.0\n"
    "Last-Translator: Ida\n"
    "Language: de\n"

    # by hand
    #: src/a.c:10
    #, c-format
    msgid "%d ship"
    msgid_plural "%d ships"
    msgstr[0] "%d Schiff"
    msgstr[1] "%d Schiffe"

    #, fuzzy
    msgid "Open"
    msgstr "Oeffnen"

    msgctxt "menu"
    msgid "Open"
    msgstr "Aufmachen"

    msgid ""
    "The ships may come and go at any hour. "
    "In winter the lights are on from four."
    msgstr ""
    "Die Schiffe kommen und gehen zu jeder Stunde. "
    "Im Winter brennt das Licht ab vier."

    msgid "Close"
    msgstr ""

    #~ msgid "Old"
    #~ msgstr "Alt"

    """#

  private static let added = "#~ msgid \"Old\""

  private static let edits = [
    Edit("translate", ("\"Close\"\nmsgstr \"\"", "\"Close\"\nmsgstr \"Zu\"")),
    Edit("translate otherwise", ("\"Close\"\nmsgstr \"\"", "\"Close\"\nmsgstr \"Schließen\"")),
    Edit("change one plural form", ("%d Schiffe", "%d große Schiffe")),
    Edit("change the other one", ("\"%d Schiff\"", "\"ein Schiff\"")),
    Edit("change the plural of the source", ("\"%d ships\"", "\"%d boats\"")),
    Edit("mark as right", ("#, fuzzy\n", "")),
    Edit("change what is not right", ("Oeffnen", "Öffnen")),
    Edit("mark as right and change", ("#, fuzzy\n", ""), ("Oeffnen", "Auf!")),
    Edit("add a flag", ("#, c-format", "#, c-format, range: 0..9")),
    Edit("mark as not right", ("#, c-format", "#, fuzzy, c-format")),
    Edit("change it in a menu", ("Aufmachen", "Auf")),
    Edit(
      "remove it from the menu", ("msgctxt \"menu\"\nmsgid \"Open\"\nmsgstr \"Aufmachen\"\n\n", "")),
    Edit("change the context", ("\"menu\"", "\"dialog\"")),
    Edit("wrap anew", ("Stunde. \"\n\"Im", "Stunde. Im")),
    Edit("wrap otherwise", ("und gehen ", "und gehen \"\n\"")),
    Edit("change a sentence", ("kommen und gehen", "fahren")),
    Edit("change another sentence", ("ab vier", "ab fünf")),
    Edit("change a comment", ("# by hand", "# by Ida")),
    Edit("add a comment", ("msgid \"Close\"", "# of a door\nmsgid \"Close\"")),
    Edit("move in the source", ("a.c:10", "a.c:12")),
    Edit("change a field", ("harbour 1.0", "harbour 1.1")),
    Edit("change the next field", ("Translator: Ida", "Translator: Tom")),
    Edit("change it otherwise", ("Translator: Ida", "Translator: Mira")),
    Edit("add a field", ("Language: de\\n\"\n", "Language: de\\n\"\n\"X-Tool: a\\n\"\n")),
    Edit("add another field", ("Language: de\\n\"\n", "Language: de\\n\"\n\"X-Name: b\\n\"\n")),
    Edit("change the first comment", ("# German for Harbour.", "# German.")),
    Edit("add an entry", (added, "msgid \"Quit\"\nmsgstr \"Ende\"\n\n#~ msgid \"Old\"")),
    Edit("add another entry", (added, "msgid \"Undo\"\nmsgstr \"Zurück\"\n\n#~ msgid \"Old\"")),
    Edit("add it untranslated", ("\n\n#~", "\n\nmsgid \"Quit\"\nmsgstr \"\"\n#~")),
    Edit("add it otherwise", ("\n\n#~", "\n\nmsgid \"Quit\"\nmsgstr \"Aus\"\n#~")),
    Edit("give one up", ("msgid \"Close\"\nmsgstr \"\"", "#~ msgid \"Close\"\n#~ msgstr \"\"")),
    Edit("remove what is not in use", ("#~ msgid \"Old\"\n#~ msgstr \"Alt\"\n", "")),
    Edit("take it back into use", ("#~ ", "")),
    Edit("use Windows' line ends", ("\n", "\r\n")),
  ]

  @Test("Every pair comes out as the table says")
  func pairs() throws {
    let engine = MergeEngines().engine(forFileName: "de.po")
    try EditPairs(name: "gettext", engine: engine, base: Self.base, edits: Self.edits) { text in
      let lines = text.replacingOccurrences(of: "\r\n", with: "\n")
      return try GettextFormat().valueHash(of: lines)
    }.check()
  }
}
