/// Asks about change log entries in markup or data that a merge put into a release, although the side that added them
/// has them in the unreleased section.
struct ReleasedEntries: MergeCheck {
  private let form: ChangeLog.Form

  init(_ form: ChangeLog.Form) { self.form = form }

  func doubts(about merge: CleanMerge) -> [MergeDecision] {
    entries(in: merge).map {
      .doubt("“\(excerpt($0.utf8))” is not released yet, and would stand under a release.")
    }
  }

  private func entries(in merge: CleanMerge) -> [String] {
    let (base, result) = (merge.base, merge.result)
    guard ChangeLog(base, form).hasUpcoming, case let log = ChangeLog(result, form),
      log.hasReleased
    else { return [] }
    var entries: [String] = []
    for text in [merge.ours, merge.theirs] {
      let own = ChangeLog(text, form)
      let added = text.lines(notIn: base).filter { number in
        own.isUpcoming(before: number) == true && !own.hasHeading(in: number..<number + 1)
          && text[number].contains { $0.isLetter }
      }
      guard !added.isEmpty else { continue }
      let lines = Set(added.map { Self.said(text[$0]) })
      let known = Set(base.map(Self.said))
      for (number, line) in result.map(Self.said).enumerated() {
        if lines.contains(line), !known.contains(line), log.isUpcoming(before: number) == false {
          entries.append(String(decoding: line, as: UTF8.self))
        }
      }
    }
    return entries
  }

  /// Returns a line without surrounding space and a final comma.
  private static func said(_ line: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    var text = line.drop { $0 <= 0x20 }
    while let last = text.last, last <= 0x20 || last == UInt8(ascii: ",") { text.removeLast() }
    return text
  }
}
