/// A part of three texts: unchanged, or changed by at least one side.
struct TextRegion: Sendable, Equatable {
  /// The decision about the lines; `nil` if neither side changed them.
  let kind: MergeDecision.Kind?
  let base: Range<Int>
  let ours: Range<Int>
  let theirs: Range<Int>
  /// The text merged inside the lines; `nil` if lines were taken or clash.
  var combined: Combined?
  /// A sentence that says why the lines clash, if not because both sides changed them.
  var reason: String?

  /// Text made from the lines of both sides.
  struct Combined: Sendable, Equatable {
    let bytes: [UInt8]
    /// A sentence that says how it was made.
    let explanation: String
  }
}

extension TextRegion {
  /// Divides three sequences of lines, or of other elements, into regions.
  ///
  /// Changes that overlap or touch belong to one region, and clash unless both sides are equal there. This is
  /// git's rule (`git merge-file --diff3`), so that nothing merges that git would ask about. Both lists of
  /// changes start from base.
  static func regions(
    baseCount: Int, oursChanges: [LineChange], theirsChanges: [LineChange],
    isSame: (_ ours: Range<Int>, _ theirs: Range<Int>) -> Bool
  ) -> [TextRegion] {
    var regions: [TextRegion] = []
    var ours = SideCursor(oursChanges)
    var theirs = SideCursor(theirsChanges)
    var position = 0

    func appendUnchanged(upTo end: Int) {
      guard position < end else { return }
      let length = end - position
      regions.append(
        TextRegion(
          kind: nil, base: position..<end,
          ours: ours.advance(by: length), theirs: theirs.advance(by: length)))
      position = end
    }

    while let start = [ours.nextStart, theirs.nextStart].compactMap({ $0 }).min() {
      appendUnchanged(upTo: start)
      var end = start
      // Each change may touch the next one of the other side, which then belongs to the region as well.
      while ours.absorbChange(touching: &end) || theirs.absorbChange(touching: &end) {}
      let (isOurs, isTheirs) = (ours.hasAbsorbed, theirs.hasAbsorbed)
      let oursLines = ours.advance(by: end - start)
      let theirsLines = theirs.advance(by: end - start)
      let isSame = isSame(oursLines, theirsLines)
      regions.append(
        TextRegion(
          kind: isSame ? .same : isOurs && isTheirs ? .clash : isOurs ? .ours : .theirs,
          base: start..<end, ours: oursLines, theirs: theirsLines))
      position = end
    }
    appendUnchanged(upTo: baseCount)
    return regions
  }

  /// Divides two texts without a base into what they have in common and what clashes.
  static func regions(
    withoutBase counts: MergeSides<Int>, changes: [LineChange]
  ) -> [TextRegion] {
    var regions: [TextRegion] = []
    func append(_ kind: MergeDecision.Kind, _ ours: Range<Int>, _ theirs: Range<Int>) {
      guard !ours.isEmpty || !theirs.isEmpty else { return }
      regions.append(TextRegion(kind: kind, base: 0..<0, ours: ours, theirs: theirs))
    }
    var (ours, theirs) = (0, 0)
    for change in changes {
      append(.same, ours..<change.old.lowerBound, theirs..<change.new.lowerBound)
      append(.clash, change.old, change.new)
      (ours, theirs) = (change.old.upperBound, change.new.upperBound)
    }
    append(.same, ours..<counts.ours, theirs..<counts.theirs)
    return regions
  }
}

/// Walks through one side's text along its changes.
private struct SideCursor {
  private var changes: ArraySlice<LineChange>
  private var position = 0
  /// The number of lines that the absorbed changes added, minus those that they removed.
  private var growth = 0
  /// True if a change was absorbed since the last advance.
  private(set) var hasAbsorbed = false

  init(_ changes: [LineChange]) { self.changes = changes[...] }

  /// The line of base where the next change starts.
  var nextStart: Int? { changes.first?.old.lowerBound }

  /// Absorbs the next change if it starts no later than `end`, and moves `end` past it.
  mutating func absorbChange(touching end: inout Int) -> Bool {
    guard let change = changes.first, change.old.lowerBound <= end else { return false }
    changes.removeFirst()
    end = max(end, change.old.upperBound)
    growth += change.new.count - change.old.count
    hasAbsorbed = true
    return true
  }

  /// Returns this side's lines for the next `count` lines of base, with the absorbed changes applied.
  mutating func advance(by count: Int) -> Range<Int> {
    let start = position
    position += count + growth
    (growth, hasAbsorbed) = (0, false)
    return start..<position
  }
}
