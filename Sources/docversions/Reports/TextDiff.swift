internal import DocumentVersions

/// The differences of two texts, in hunks with three lines around them.
struct TextDiff {
  /// Changes that are close together, with the lines around them.
  struct Hunk {
    let old: Range<Int>
    let new: Range<Int>
    let changes: [LineChange]
  }

  /// A line of a hunk.
  enum Line {
    case context(ArraySlice<UInt8>)
    case removed(ArraySlice<UInt8>)
    case added(ArraySlice<UInt8>)
  }

  let old: [ArraySlice<UInt8>]
  let new: [ArraySlice<UInt8>]
  let counts: LineCounts
  let hunks: [Hunk]

  init(from old: TextContent, to new: TextContent, context: Int = 3) throws {
    let changes = old.changes(to: new)
    self.old = old.lines
    self.new = new.lines
    counts = LineCounts(changes)
    let ends = (old: self.old.count, new: self.new.count)
    hunks = Self.grouped(changes, closerThan: 2 * context).compactMap { group in
      guard let first = group.first, let last = group.last else { return nil }
      let before = min(context, first.old.lowerBound, first.new.lowerBound)
      let after = min(context, ends.old - last.old.upperBound, ends.new - last.new.upperBound)
      return Hunk(
        old: first.old.lowerBound - before..<last.old.upperBound + after,
        new: first.new.lowerBound - before..<last.new.upperBound + after, changes: group)
    }
  }

  private static func grouped(_ changes: [LineChange], closerThan limit: Int) -> [[LineChange]] {
    var groups: [[LineChange]] = []
    for change in changes {
      if let last = groups.last?.last, change.old.lowerBound - last.old.upperBound <= limit {
        groups[groups.count - 1].append(change)
      } else {
        groups.append([change])
      }
    }
    return groups
  }

  /// Returns the lines of a hunk, change by change: removed lines, then added ones.
  func lines(of hunk: Hunk) -> [Line] {
    var lines: [Line] = []
    var position = hunk.old.lowerBound
    for change in hunk.changes {
      lines += old[position..<change.old.lowerBound].map(Line.context)
      lines += old[change.old].map(Line.removed) + new[change.new].map(Line.added)
      position = change.old.upperBound
    }
    return lines + old[position..<hunk.old.upperBound].map(Line.context)
  }
}

extension TextDiff.Hunk {
  /// The line above the hunk, as "@@ -3,7 +3,8 @@".
  var heading: String { "@@ -\(Self.text(old)) +\(Self.text(new)) @@" }

  private static func text(_ lines: Range<Int>) -> String {
    // An empty range is named by the line before it, as diff does.
    let start = lines.isEmpty ? lines.lowerBound : lines.lowerBound + 1
    return lines.count == 1 ? "\(start)" : "\(start),\(lines.count)"
  }
}

extension TextDiff.Line {
  /// The line's first character in a unified diff.
  var sign: Unicode.Scalar {
    switch self {
    case .context: " "
    case .removed: "-"
    case .added: "+"
    }
  }

  /// The line itself.
  var text: ArraySlice<UInt8> {
    switch self {
    case .context(let text), .removed(let text), .added(let text): text
    }
  }
}
