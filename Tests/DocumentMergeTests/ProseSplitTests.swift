import DocumentMerge
import Testing

@Suite("Paragraphs that are split, joined or moved")
struct ProseSplitTests {
  /// A merge of texts; nothing of it is complete.
  static let removed: [[String]] = [
    // Split, and the second half removed.
    [
      "We meet on Monday in the big room at nine\nbring your laptop\n",
      "We meet on Tuesday in the big room at nine\n\nbring your laptop\n",
      "We meet on Monday in the big room at nine\n",
    ],
    // Joined, and one of both removed.
    [
      "One a b.\n\nTwo c d.\n\nEnd.\n", "One a b. Two c d.\n\nEnd.\n", "One A b.\n\nEnd.\n",
    ],
    // Split after the smaller half, and that removed.
    [
      "The gate is old.\nThe boats lie in the harbour all year long\n",
      "Note well:\nThe gate is old.\n\nThe boats lie in the harbour all year long\n",
      "The boats lie in the new harbour all year long\n",
    ],
  ]

  @Test("Text that one side removed does not come back by the other’s split", arguments: removed)
  func removedText(_ sides: [String]) throws {
    for texts in [sides, [sides[0], sides[2], sides[1]]] {
      let outcome = try proseEngine.merge(
        MergeSides(
          base: Array(texts[0].utf8), ours: Array(texts[1].utf8), theirs: Array(texts[2].utf8)),
        options: MergeOptions())
      #expect(!outcome.isComplete)
    }
  }

  @Test("A split paragraph takes an edit of what stayed in it")
  func editedText() throws {
    let outcome = try proseEngine.merge(
      MergeSides(
        base: Array("We meet on Monday in the big room at nine.\nBring your laptop.\n".utf8),
        ours: Array("We meet on Monday in the big room at nine.\n\nBring your laptop.\n".utf8),
        theirs: Array("We meet on Tuesday in the big room at nine.\nBring your laptop.\n".utf8)),
      options: MergeOptions())
    #expect(
      outcome.text == "We meet on Tuesday in the big room at nine.\n\nBring your laptop.\n")
    #expect(outcome.isComplete)
  }
}
