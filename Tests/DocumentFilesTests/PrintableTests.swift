import SystemPackage
import Testing

@testable import DocumentFiles

@Suite("Printable text")
struct PrintableTests {
  @Test(
    "What could steer a terminal or deceive a reader is escaped",
    arguments: [
      ("\n", "\\n"), ("\r", "\\r"), ("\r\n", "\\r\\n"), ("\t", "\\t"), ("\0", "\\x00"),
      ("\u{1B}[2J", "\\x1B[2J"), ("\u{7F}", "\\x7F"), ("\u{85}", "\\u{85}"),
      ("\u{9B}31m", "\\u{9B}31m"), ("\u{AD}", "\\u{AD}"), ("\u{202E}fdp.exe", "\\u{202E}fdp.exe"),
      ("\u{2066}x\u{2069}", "\\u{2066}x\\u{2069}"), ("a\u{200B}b", "a\\u{200B}b"),
      ("\u{2028}\u{2029}", "\\u{2028}\\u{2029}"), ("\u{FEFF}a", "\\u{FEFF}a"),
      ("\u{61C}", "\\u{61C}"), ("\u{E0041}", "\\u{E0041}"), ("\u{3164}", "\\u{3164}"),
      ("\u{FFFB}", "\\u{FFFB}"), ("\u{206A}", "\\u{206A}"),
    ])
  func escaped(text: String, shown: String) {
    #expect(Printable.text(text) == shown)
  }

  @Test(
    "Invalid UTF-8 is shown byte by byte",
    arguments: [
      ([0xFF], "\\xFF"), ([0x61, 0x80, 0x62], "a\\x80b"), ([0xC3], "\\xC3"),
      ([0xE2, 0x82], "\\xE2\\x82"), ([0xC0, 0xAF], "\\xC0\\xAF"),
      ([0xED, 0xA0, 0x80], "\\xED\\xA0\\x80"), ([0xF4, 0x90, 0x80, 0x80], "\\xF4\\x90\\x80\\x80"),
      ([0xC3, 0xA9, 0xC3], "é\\xC3"), ([0xE2, 0x82, 0xAC], "€"),
    ] as [([UInt8], String)])
  func invalid(bytes: [UInt8], shown: String) {
    #expect(Printable.text(bytes) == shown)
  }

  @Test(
    "Plain text stays as it is, and what was made printable too",
    arguments: [
      "", "report.md", "naïve Überschrift", "日本語", "שלום", "مرحبا", "🍇", "C:\\new", "e\u{301}",
      "a b",
    ])
  func plain(text: String) {
    #expect(Printable.text(text) == text)
    let everything = Printable.text((0...255).map { UInt8($0) })
    #expect(Printable.text(everything) == everything)
  }

  @Test("Nothing that is shown is a control, and every byte leaves a trace")
  func everyByte() {
    for byte in UInt8.min...UInt8.max {
      let shown = Printable.text([byte])
      #expect(!shown.isEmpty)
      #expect(shown.unicodeScalars.allSatisfy { (0x20...0x7E).contains($0.value) })
    }
  }

  @Test("A path's bytes are shown as they are")
  func path() {
    let path = FilePath("/tmp").appending(bytes: [0xFF, 0x0A])
    #expect(path.printable == "/tmp/\\xFF\\n")
  }
}
