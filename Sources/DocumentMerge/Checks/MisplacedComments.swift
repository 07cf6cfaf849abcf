/// Asks about comments that one side added above an entry and that stand above another one in the result.
///
/// The entries of many formats begin with equal lines, such as `[[item]]`. If the other side inserts or moves one of
/// them, a merge by lines may put it between the comment and its entry.
struct MisplacedComments: MergeCheck {
  func doubts(about merge: CleanMerge) -> [MergeDecision] {
    // Most merges add no comments.
    let texts = [merge.ours, merge.theirs]
    let hasComment = texts.contains { text in
      text.lines(notIn: merge.base).contains { Lines.isComment(text[$0].drop(while: \.isSpace)) }
    }
    guard hasComment else { return [] }
    let base = Lines(merge.base)
    return merge.bothWays(merge.texts.map { Lines($0) }) { side, other, label, _ in
      let added = side.comments.filter {
        base.counts[$0.comment] == nil && other.counts[$0.comment] == nil
      }
      guard !added.isEmpty else { return [] }
      let result = Lines(merge.result)
      return added.compactMap { comment, below in
        guard result.isElsewhere(comment, from: below) else { return nil }
        return MergeDecision.doubt(
          "“\(excerpt(comment))”, which \(label) added, would stand above another entry.")
      }
    }
  }

  /// The lines of a text, without blank lines and the space around the others.
  private struct Lines {
    private var all: [ArraySlice<UInt8>] = []
    private(set) var counts: [ArraySlice<UInt8>: Int] = [:]

    init(_ text: TextLines) {
      for line in text {
        let start = line.drop(while: \.isSpace)
        let content = start.dropLast(start.suffix(while: \.isSpace).count)
        guard !content.isEmpty else { continue }
        all.append(content)
        counts[content, default: 0] += 1
      }
    }

    /// The comments that occur once, each with the lines below it, up to the first one that occurs once.
    var comments: [(comment: ArraySlice<UInt8>, below: ArraySlice<ArraySlice<UInt8>>)] {
      all.indices.compactMap { index in
        guard Self.isComment(all[index]), counts[all[index]] == 1 else { return nil }
        let below = all[(index + 1)...].drop(while: Self.isComment)
        return below.firstIndex { counts[$0] == 1 }.map { (all[index], below[...$0]) }
      }
    }

    /// Returns whether the last of some lines isn't the entry below a comment.
    func isElsewhere(_ comment: ArraySlice<UInt8>, from below: ArraySlice<ArraySlice<UInt8>>)
      -> Bool
    {
      guard let first = below.first, let last = below.last, (2...3).contains(below.count),
        counts[comment] == 1, counts[last] == 1,
        let start = all.firstIndex(of: comment), let end = all.firstIndex(of: last)
      else { return false }
      return end < start || all[start..<end].count { $0 == first } != below.count { $0 == first }
    }

    static func isComment(_ line: ArraySlice<UInt8>) -> Bool {
      starts.contains { line.starts(with: $0.utf8) } && line.contains(where: \.isLetter)
    }

    private static let starts = ["#", "//", ";", "%", "--", "<!--", "/*"]
  }
}
