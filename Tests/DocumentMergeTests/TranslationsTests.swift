import DocumentMerge
import Testing

@Suite("Translations of a text that the other side changed")
struct TranslationsTests {
  /// A format of translations: a document of one text with its translation.
  struct Format: Sendable, CustomTestStringConvertible {
    let fileName: String
    let document: @Sendable (_ source: String, _ translation: String) -> String
    var testDescription: String { fileName }
  }

  private static let formats: [Format] = [
    Format(fileName: "de.po") {
      "msgctxt \"menu\"\nmsgid \"\($0)\"\nmsgstr \"\"\n\"one\\n\"\n\"two\\n\"\n\"\($1)\\n\"\n\n"
        + "msgctxt \"bar\"\nmsgid \"Open\"\nmsgstr \"Z\"\n"
    },
    Format(fileName: "de.xlf") {
      "<xliff version=\"1.2\"><file><body>\n<trans-unit id=\"1\">\n<source>\($0)</source>\n"
        + ($1 == "Auf" ? "" : "<target>\($1)</target>\n")
        + "</trans-unit>\n</body></file></xliff>\n"
    },
    Format(fileName: "app_de.ts") {
      "<TS>\n<context>\n<name>Main</name>\n<message>\n<source>\($0)</source>\n"
        + "<translation>\($1)</translation>\n</message>\n</context>\n<context>\n<name>Bar</name>\n"
        + "<message>\n<source>Open</source>\n<translation>Z</translation>\n</message>\n</context>\n</TS>\n"
    },
    Format(fileName: "Text.de.resx") {
      "<root>\n<data name=\"open\">\n<value>\($1)</value>\n<comment>\($0)</comment>\n</data>\n</root>\n"
    },
    Format(fileName: "Localizable.strings") {
      "/* \($0) */\n\"open\" = \"\($1)\";\n\n/* Q */\n\"q\" = \"Q\";\n"
    },
    Format(fileName: "strings.xml") {
      "<resources>\n  <!-- \($0) -->\n  <string name=\"open\">\($1)</string>\n</resources>\n"
    },
    Format(fileName: "app_de.arb") {
      "{\n  \"open\": \"\($1)\",\n  \"@open\": {\n    \"description\": \"\($0)\"\n  }\n}\n"
    },
    Format(fileName: "Localizable.xcstrings") {
      func language(_ code: String, _ text: String) -> String {
        "\"\(code)\" : {\n\"stringUnit\" : {\n\"state\" : \"translated\",\n\"value\" : \"\(text)\"\n}\n}"
      }
      return
        "{\n\"sourceLanguage\" : \"en\",\n\"strings\" : {\n\"open\" : {\n\"localizations\" : {\n"
        + language("de", $1) + ",\n" + language("en", $0) + "\n}\n}\n},\n\"version\" : \"1.0\"\n}\n"
    },
    Format(fileName: "t.csv") {
      "key,en,de\nclose,Close,Zu\nopen,\($0),\($1)\nsave,Save,Sichern\n"
    },
    Format(fileName: "t.tsv") { "id\tSource\tGerman\nclose\tClose\tZu\nopen\t\($0)\t\($1)\n" },
    Format(fileName: "languages.csv") {
      "Key,About,German(de),English(en)\nclose,x,Zu,Close\nopen,y,\($1),\($0)\n"
    },
    Format(fileName: "t.md") {
      "| key | en | de |\n|---|---|---|\n| close | Close | Zu |\n| open | \($0) | \($1) |\n"
    },
    Format(fileName: "t.yaml") {
      "close:\n  en: Close\n  de: Zu\nopen:\n  en: \($0)\n  fr: O\n  de: \($1)\n"
    },
    Format(fileName: "t.json") {
      "{\n  \"open\": {\n    \"en\": \"\($0)\",\n    \"de\": \"\($1)\"\n  }\n}\n"
    },
    Format(fileName: "t.tmx") {
      "<tmx><body>\n<tu tuid=\"open\">\n<tuv xml:lang=\"en\"><seg>\($0)</seg></tuv>\n"
        + "<tuv xml:lang=\"de\"><seg>\($1)</seg></tuv>\n</tu>\n</body></tmx>\n"
    },
  ]

  @Test("A translation of a text as it was is asked about", arguments: formats)
  func outdated(format: Format) throws {
    try FileMerge(
      format.fileName, format.document("Open", "Auf"), format.document("Open file", "Auf"),
      format.document("Open", "Öffnen")
    ).check()
  }

  @Test("A translation of a text that nobody changed is no question", arguments: formats)
  func current(format: Format) throws {
    let base = format.document("Open", "Auf")
    let head = format.fileName == "Localizable.strings" ? "/* Head. */\n\n" : ""
    try FileMerge(
      format.fileName, head + base, base, head + format.document("Open", "Öffnen"),
      gives: format.document("Open", "Öffnen")
    ).check()
  }
}
