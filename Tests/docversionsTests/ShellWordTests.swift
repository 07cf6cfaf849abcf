import DocumentTestSupport
import Foundation
import Testing

@testable import docversions

@Suite("Words for a shell", .blocks)
struct ShellWordTests {
  @Test(
    "What is pasted is one word, and the text itself",
    arguments: [
      "report.md", "two words", "", "it's", "-rf", "~", "~root", "a~1", "x=~root", "PATH=a:~root",
      "$HOME", "`id`", "a\nb", "\u{1B}[2J", "日本語", "é", "e\u{301}", "'\u{301}",
      "a'\u{301};touch PASTED;'\u{301}.md", "\"\u{301}$(id)\"\u{301}", "\\\u{301}", "'\u{200D}'",
      "\u{600}'", "\r\n'", "{a,b}", "*", "!x", "#", "a;b\u{FE0F}",
    ])
  func pasted(text: String) throws {
    let scratch = try ScratchFolder()
    let result = try Command.run(
      "bash", ["-c", "printf '<%s>' \(ShellWord.quoted(text))"], in: scratch["."],
      environment: ["LC_ALL": "C.UTF-8"])
    #expect(result.output.utf8.elementsEqual("<\(text)>".utf8), "\(ShellWord.quoted(text))")
    #expect(try FileManager.default.contentsOfDirectory(atPath: scratch["."].path).isEmpty)
  }
}
