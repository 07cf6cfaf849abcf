/// The lines of a part of a text, as lines of the whole text.
struct LinePlaces: Sendable {
  /// The lines before the part.
  var offset = 0
  /// The lines that replaced others, in order, each with the text's lines there.
  var replaced: [(new: Range<Int>, old: Range<Int>)] = []

  /// Returns the lines of the whole text that correspond to lines of the part.
  func places(of lines: Range<Int>) -> Range<Int> {
    let start = place(of: lines.lowerBound)
    return start..<max(start, place(of: lines.upperBound))
  }

  private func place(of line: Int) -> Int {
    guard let last = replaced.last(where: { $0.new.lowerBound <= line }) else {
      return offset + line
    }
    // Inside replaced lines, positions correspond only approximately.
    let inside = min(line - last.new.lowerBound, last.old.count)
    return offset
      + (line < last.new.upperBound
        ? last.old.lowerBound + inside : last.old.upperBound + line - last.new.upperBound)
  }
}

/// The places of a part of a text on each side, and in the result.
struct PartPlaces: Sendable {
  let base, ours, theirs, result: LinePlaces

  init(_ sides: MergeSides<LinePlaces>, result: LinePlaces) {
    base = sides.base ?? LinePlaces()
    (ours, theirs, self.result) = (sides.ours, sides.theirs, result)
  }
}

extension MergePlace {
  /// Returns the place in the whole text of a place in a part.
  func inWhole(_ part: PartPlaces) -> MergePlace {
    MergePlace(
      member: member,
      lines: lines.map { lines in
        Lines(
          base: lines.base.map(part.base.places(of:)), ours: part.ours.places(of: lines.ours),
          theirs: part.theirs.places(of: lines.theirs),
          result: part.result.places(of: lines.result))
      }, path: path)
  }
}
