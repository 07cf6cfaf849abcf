import DocumentMerge
import Testing

@Suite("Objects that programs number, name and refer to")
struct ReferencesOfProgramsTests {
  private static let scene = [
    "[gd_scene format=3]\n\n",
    "[ext_resource path=\"res://p.gd\" type=\"Script\" id=\"1_a\"]\n",
    "[ext_resource path=\"res://i.png\" type=\"Texture\" id=\"2_b\"]\n",
    "\n[node name=\"Level\" type=\"Node2D\"]\n",
    "\n[node name=\"Player\" type=\"Node2D\" parent=\".\"]\nscript = ExtResource(\"1_a\")\n",
    "\n[node name=\"Sprite\" type=\"Sprite\" parent=\"Player\"]\ntexture = ExtResource(\"2_b\")\n",
    "\n[node name=\"Coin\" type=\"Sprite\" parent=\".\"]\n",
    "\n[node name=\"HUD\" type=\"CanvasLayer\" parent=\".\"]\n",
  ]

  private static func scene(
    without gone: [Int] = [], after place: Int = 0, adding text: String = ""
  ) -> String {
    scene.indices.map { (gone.contains($0) ? "" : scene[$0]) + ($0 == place ? text : "") }.joined()
  }

  private static func resource(_ path: String, _ id: String) -> String {
    "[ext_resource path=\"res://\(path)\" type=\"X\" id=\(id)]\n"
  }

  private static let scenes: [FileMerge] = [
    FileMerge(
      "s.tscn", "one id for two resources", scene(),
      scene(after: 0, adding: resource("enemy.gd", "3")),
      scene(after: 2, adding: resource("music.ogg", "3"))),
    FileMerge(
      "s.tres", "a resource that is gone", scene(), scene(without: [2, 5]),
      scene(after: 6, adding: "texture = ExtResource(\"2_b\")\n")),
    FileMerge(
      "s.tscn", "a node that is gone", scene(), scene(without: [6]),
      scene(after: 7, adding: "\n[node name=\"Label\" type=\"Label\" parent=\"Coin\"]\n")),
    FileMerge(
      "s.tscn", "one name for two nodes", scene(),
      scene(after: 3, adding: "\n[node name=\"Enemy\" type=\"A\" parent=\".\"]\n"),
      scene(after: 6, adding: "\n[node name=\"Enemy\" type=\"B\" parent=\".\"]\n")),
    FileMerge(
      "s.tscn", "one name below two nodes", scene(),
      scene(after: 4, adding: "\n[node name=\"Box\" type=\"A\" parent=\"Player\"]\n"),
      scene(after: 6, adding: "\n[node name=\"Box\" type=\"A\" parent=\"Coin\"]\n"),
      gives: scene[0...4].joined() + "\n[node name=\"Box\" type=\"A\" parent=\"Player\"]\n"
        + scene[5...6].joined() + "\n[node name=\"Box\" type=\"A\" parent=\"Coin\"]\n" + scene[7]),
  ]

  private static func component(_ id: Int, _ more: String = "") -> String {
    "--- !u!114 &\(id)\nMonoBehaviour:\n  m_Enabled: 1\n\(more)"
  }

  private static let assets: [FileMerge] = ["s.unity", "p.prefab", "x.asset"].flatMap { name in
    [
      FileMerge(
        name, "one id for two components", parts: [1, 2, 3].map { component($0) },
        adding: component(103, "  a: 1\n"), and: component(103, "  b: 2\n")),
      FileMerge(
        name, "a component that is gone", [1, 2, 3].map { component($0) }.joined(),
        [1, 3].map { component($0) }.joined(),
        component(1) + component(2) + component(3, "  target: {fileID: 2}\n")),
    ]
  }

  private static let net = "  (net 1 \"GND\")\n  (net 2 \"VCC\")\n"
  private static let parts = ["R1", "R2", "R3", "R4"].map { part($0) }

  private static func part(_ name: String, _ value: String = "10k") -> String {
    "\t(symbol\n\t\t(lib_id \"Device:R\")\n\t\t(property \"Reference\" \"\(name)\")\n"
      + "\t\t(property \"Value\" \"\(value)\")\n\t)\n"
  }

  private static let boards: [FileMerge] = [
    FileMerge(
      "b.kicad_sch", "one reference for two parts", parts: parts, adding: part("R9"),
      and: part("R9", "1k")),
    FileMerge(
      "b.kicad_pcb", "a net that is gone", net + "  (x 1)\n  (x 2)\n  (x 3)\n",
      "  (net 1 \"GND\")\n  (x 1)\n  (x 2)\n  (x 3)\n",
      net + "  (x 1)\n  (x 2)\n  (x 3)\n  (segment (net 2))\n"),
  ]

  private static let block = "64aa0000-0000-4000-8000-000000000001"
  private static let notes: [FileMerge] = [
    FileMerge(
      "page.md", "a block that is gone", "- Report\n  id:: \(block)\n- Food\n\t- Milk\n- Meeting\n",
      "- Food\n\t- Milk\n- Meeting\n",
      "- Report\n  id:: \(block)\n- Food\n\t- Milk\n- Meeting\n\t- See ((\(block)))\n")
  ]

  @Test(
    "What one side removes or both add is asked about where it is referred to",
    arguments: scenes + assets + boards + notes)
  func objects(_ merge: FileMerge) throws { try merge.check() }

  private static func calendar(_ start: String, rule: String = "WEEKLY", _ more: String = "")
    -> String
  {
    "BEGIN:VCALENDAR\nBEGIN:VEVENT\nUID:s-1\nDTSTART:\(start)\nRRULE:FREQ=\(rule)\nSUMMARY:Team\n"
      + "LOCATION:A\nEND:VEVENT\n\(more)END:VCALENDAR\n"
  }

  private static let exception =
    "BEGIN:VEVENT\nUID:s-1\nRECURRENCE-ID:20260119T090000Z\nDTSTART:20260119T130000Z\nEND:VEVENT\n"

  private static let series: [FileMerge] = [
    FileMerge(
      "c.ics", "moved", calendar("20260105T090000Z"), calendar("20260105T080000Z"),
      calendar("20260105T090000Z", exception)),
    FileMerge(
      "c.ics", "on other days", calendar("20260105T090000Z"),
      calendar("20260105T090000Z", rule: "DAILY"), calendar("20260105T090000Z", exception)),
    FileMerge(
      "c.ics", "an occurrence removed", calendar("20260105T090000Z"), calendar("20260105T080000Z"),
      calendar("20260105T090000Z")
        .replacing("SUMMARY:Team\n", with: "SUMMARY:Team\nEXDATE:20260119T090000Z\n")),
    FileMerge(
      "c.ics", "renamed", calendar("20260105T090000Z"),
      calendar("20260105T090000Z").replacing("Team", with: "Crew"),
      calendar("20260105T090000Z", exception),
      gives: calendar("20260105T090000Z", exception).replacing("Team", with: "Crew")),
  ]

  @Test("An exception follows its series, or is a question", arguments: series)
  func exceptions(_ merge: FileMerge) throws { try merge.check() }

  private static func catalogue(_ forms: Int, _ messages: [(String, Int)]) -> String {
    "msgid \"\"\nmsgstr \"\"\n\"Plural-Forms: nplurals=\(forms); plural=(n != 1);\\n\"\n"
      + messages.map { name, count in
        "\nmsgid \"%d \(name)\"\nmsgid_plural \"%d \(name)s\"\n"
          + (0..<count).map { "msgstr[\($0)] \"\(name) \($0)\"\n" }.joined()
      }
      .joined() + "\nmsgid \"Open\"\nmsgstr \"Auf\"\n\nmsgid \"Save\"\nmsgstr \"Sichern\"\n"
  }

  private static let page =
    "\nmsgid \"%d page\"\nmsgid_plural \"%d pages\"\nmsgstr[0] \"a\"\nmsgstr[1] \"b\"\n"

  private static let plurals: [FileMerge] = [
    FileMerge(
      "t.po", "another number of forms", catalogue(2, [("file", 2)]), catalogue(3, [("file", 3)]),
      catalogue(2, [("file", 2)]) + page),
    FileMerge(
      "t.po", "the same number", catalogue(2, [("file", 2)]),
      catalogue(2, [("file", 2)]).replacing("n != 1", with: "n > 1"),
      catalogue(2, [("file", 2)]) + page,
      gives: catalogue(2, [("file", 2)]).replacing("n != 1", with: "n > 1") + page),
  ]

  @Test("Messages have as many plural forms as their catalogue", arguments: plurals)
  func pluralForms(_ merge: FileMerge) throws { try merge.check() }

  @Test(
    "Two changes inside one code are a question",
    arguments: [
      [
        "DE89 3704 0044 0532 0130 00", "DE12 3704 0044 0532 0130 00", "DE89 3704 0044 0532 0199 00",
      ],
      ["C02X EFGH K7QP", "C03X EFGH K7QP", "C02X EFGH K9QP"],
      ["ABCD EFGH IJKL MNOP", "ABXX EFGH IJKL MNOP", "ABCD EFGH IJKL MYYP"],
      ["AB12-CD34 EF56-GH78", "AB99-CD34 EF56-GH78", "AB12-CD34 EF56-GH00"],
      ["AB12-CD34-EF56", "AB99-CD34-EF56", "AB12-CD34-EF00"],
      ["5 mg aspirin", "10 mg aspirin", "5 mg ibuprofen"],
    ], ["t.md", "t.txt", "t.org", "t.adoc", "t.tex", "row.md"])
  func codes(_ codes: [String], fileName: String) throws {
    let texts = codes.map { code in
      fileName == "row.md"
        ? "| a | b |\n|---|---|\n| x | It is: \(code) of it |\n| y | z |\n"
        : "Notes\n\nIt is: \(code) of it.\n\nMore.\n"
    }
    try FileMerge(fileName, texts[0], texts[1], texts[2]).check()
  }

  @Test("Two changes around words in capitals that are no code are merged")
  func capitals() throws {
    func text(_ first: String, _ last: String) -> String {
      "Notes\n\nIt has \(first), USB, HDMI, and \(last) for a screen.\n\nMore.\n"
    }
    try FileMerge(
      "t.md", text("power", "sockets"), text("current", "sockets"), text("power", "plugs"),
      gives: text("current", "plugs")
    ).check()
  }
}
