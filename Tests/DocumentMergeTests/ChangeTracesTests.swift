import Testing

@testable import DocumentMerge

/// Tests whether a text shows a change of the text on which it may be based.
struct ChangeTracesTests {
  private func isShown(_ base: String, _ changed: String, _ text: String) -> Bool {
    var traces = ChangeTraces()
    let isText = traces.add(
      from: Array(base.utf8), to: Array(changed.utf8), in: Array(text.utf8))
    return isText && traces.isShown
  }

  @Test(
    "A text with anything that the change brought, or without what it removed, shows it",
    arguments: [
      ("a\nb\nc\n", "a\nb\nc\nnew\n", "A\nb\nc\nnew\n"),
      ("a\nb\nc\n", "a\nb\nc\nnew\n", "a\nb\nc\nnew\nmore\n"),
      ("a\nb\nc\nd\n", "a\nc\nd\n", "a\nc\nD\n"),
      ("a\nb\nc\nd\n", "x\nb\nc\ny\n", "a\nb\nc\ny\n"),
      ("hello world\n", "hello brave world\n", "hello brave new world\n"),
      ("a\nb\n", "a\n\nb\n", "A\n\nb\n"),
      ("{\"a\": 1, \"b\": 2}", "{\"a\": 1, \"b\": 3}", "{\n  \"a\": 5,\n  \"b\": 3\n}"),
      // Removed lines are missing, also beside new or removed ones.
      ("one\ntwo\n", "one\n", "one\nx\n"),
      ("a\nb\nc\nd\n", "a\nb\n", "a\nb\nx\n"),
      ("a\nb\nc\nd\n", "a\nc\nd\n", "a\nd\n"),
      // All of it was replaced.
      ("one\n", "two\n", "three\n"),
    ])
  func shown(base: String, changed: String, text: String) {
    #expect(isShown(base, changed, text))
  }

  @Test(
    "A text that has the text before at all places, or edits of its own, does not show it",
    arguments: [
      ("a\nb\nc\n", "a\nb\nc\nnew\n", "A\nb\nc\n"),
      ("a\nb\nc\nd\n", "a\nc\nd\n", "a\nb\nc\nD\n"),
      ("a\nb\nc\n", "a\nb\nc\nbuy two breads\n", "a\nb\nc\nbuy two eggs\n"),
      ("x\n\ny = 1\n", "x\n\n  y = 1\n", "x\n\ny = 2\n"),
      (
        "a\nline 9 of the text\nb\n", "a\na new line by Mira, number 9\nb\n",
        "a\na new line by Tom, number 9\nb\n"
      ),
      ("a\nsome words\nb\n", "a\nb\n", "a\nsome other words\nb\n"),
      ("hello old world\n", "hello world\n", "hello wide world\n"),
      ("a\nline 1\nb\n", "a\nline 1 mira edit\nb\n", "a\nline 1 tom edit\nb\n"),
      ("a\r\nb\r\nc\r\n", "a\r\nb\r\nc\r\nnew\r\n", "a\nb\nc\nmine\n"),
      ("{\"a\": 1, \"b\": 2}", "{\"a\": 1, \"b\": 3}", "{\n  \"a\": 5,\n  \"b\": 2\n}"),
      // Changes that every save makes prove nothing: the date of the day, a counter, removed blanks.
      (
        "day: 2026-11-20\n\na\nb\n", "day: 2026-11-26\n\na\nb\nwords by Mira\n",
        "day: 2026-11-26\n\nA\nb\n"
      ),
      ("saves: 7\na\nb\n", "saves: 8\na\nb\nwords by Mira\n", "saves: 8\nA\nb\n"),
      ("a  \nb\nc\n", "a\nb\nc\nwords by Mira\n", "a\nB\nc\n"),
      // A word that both wrote weighs less than everything that is missing.
      (
        "state: draft\na\nb\n", "state: done\na\nb\na long line of words by Mira\n",
        "state: done\nA\nb\n"
      ),
    ])
  func missed(base: String, changed: String, text: String) {
    #expect(!isShown(base, changed, text))
  }

  @Test("Bytes that are no text have no places")
  func binary() {
    var traces = ChangeTraces()
    let isText = traces.add(from: [0, 1], to: [0, 2], in: [0, 1, 2])
    #expect(!isText)
  }
}
