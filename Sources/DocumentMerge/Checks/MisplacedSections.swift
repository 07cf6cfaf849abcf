/// Asks about sections that one side added below a heading, if the other side changed the heading's level, so that they
/// stand below another one in the result.
struct MisplacedSections: MergeCheck {
  private typealias Headings = [String: Outline.Heading]

  private let form: Outline.Form

  init(_ form: Outline.Form) { self.form = form }

  func doubts(about merge: CleanMerge) -> [MergeDecision] {
    let (base, result) = (headings(in: merge.base), headings(in: merge.result))
    guard result.contains(where: { base[$0]?.level != $1.level && base[$0] != nil }) else {
      return []
    }
    return [merge.ours, merge.theirs].flatMap { text in
      let side = headings(in: text)
      return side.values.filter { heading in
        guard base[heading.title] == nil, let parent = heading.parent,
          let known = side[parent], let moved = result[parent], known.level != moved.level
        else { return false }
        return result[heading.title].map { $0.parent != parent } ?? false
      }
    }
    .map(\.title).sorted().map {
      .doubt("“\($0)” was added below a heading whose level the other side changed.")
    }
  }

  /// Returns the headings by their titles, without those that occur several times.
  private func headings(in text: TextLines) -> Headings {
    let lines = (0..<text.count).map { text.line($0).trimmingSuffix(while: \.isWhitespace) }
    return Dictionary(grouping: Outline(lines, form).headings, by: \.title)
      .compactMapValues { $0.count == 1 ? $0[0] : nil }
  }
}
