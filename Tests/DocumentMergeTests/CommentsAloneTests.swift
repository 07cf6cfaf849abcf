import Testing

@testable import DocumentMerge

/// Documents of comments alone, such as templates of settings, whose comments belong to no member.
@Suite("Comments without members")
struct CommentsAloneTests {
  @Test(
    "No line of them is lost in silence",
    arguments: [
      ("a.env", "A=1", "B=2"), ("a.ini", "A=1", "B=2"), ("a.properties", "A=1", "B=2"),
      ("a.toml", "A = 1", "B = 2"), ("a.yaml", "A: 1", "B: 2"), (".editorconfig", "A = 1", "B = 2"),
      ("requirements.txt", "a==1", "b==2"), (".gitignore", "a", "b"), ("a.conf", "A=1", "B=2"),
      ("a.service", "[A]", "[B]"), ("a.bib", "@misc{a, x = 1}", "@misc{b, x = 1}"),
    ])
  func lines(fileName: String, member: String, other: String) throws {
    let engine = MergeEngines().engine(forFileName: fileName)
    let comment = fileName.hasSuffix("bib") ? "%" : "#"
    let head = "\(comment) head\n"
    let example = "\n\(comment) to use another,\n\(comment)\(other)\n"
    let cases = [
      (head, head + member + "\n", head + example),
      (head, head + member + "\n", "\(comment) a new head\n"),
      (head + member + "\n", "\(comment) it is gone\n", head + member + "\n" + other + "\n"),
      ("", "\(comment) a head\n", member + "\n"),
    ]
    for (base, ours, theirs) in cases {
      for (ours, theirs) in [(ours, theirs), (theirs, ours)] {
        let outcome = try engine.merge(
          MergeSides(base: Array(base.utf8), ours: Array(ours.utf8), theirs: Array(theirs.utf8)),
          options: MergeOptions())
        let result = String(decoding: outcome.bytes, as: UTF8.self).split(separator: "\n")
        let known = Set(base.split(separator: "\n"))
        for line in (ours + theirs).split(separator: "\n") where !known.contains(line) {
          #expect(result.contains(line), "\(fileName): \(result)")
        }
      }
    }
  }
}
