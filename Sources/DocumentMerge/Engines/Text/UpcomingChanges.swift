/// Finds change log entries that a merge would put under a release although they aren't released.
///
/// If one side released the upcoming changes and the other side added an entry to them, a merge by lines puts
/// the entry beside its neighbors, in the published release.
struct UpcomingChanges {
  private let texts: MergeSides<TextLines>
  private let ours: ChangeLog
  private let theirs: ChangeLog

  /// Reads three texts; `nil` if they aren't change logs with upcoming changes.
  init?(_ texts: MergeSides<TextLines>) {
    guard let base = texts.base.map(ChangeLog.init), base.hasUpcoming else { return nil }
    let (ours, theirs) = (ChangeLog(texts.ours), ChangeLog(texts.theirs))
    guard ours.hasReleased || theirs.hasReleased else { return nil }
    self.texts = texts
    (self.ours, self.theirs) = (ours.only(headingsOf: base), theirs.only(headingsOf: base))
  }

  /// Returns the regions, with new entries that would be under a release moved to their place, or else as
  /// clashes.
  func checked(_ regions: [TextRegion], _ labels: MergeLabels) -> [TextRegion] {
    let doubtful = regions.indices.filter { index in
      let region = regions[index]
      return switch region.kind {
      case .ours: adds(.ours, in: region)
      case .theirs: adds(.theirs, in: region)
      case .combined: adds(.ours, in: region) || adds(.theirs, in: region)
      case .same, .clash, nil: false
      }
    }
    guard !doubtful.isEmpty else { return regions }
    let kinds = Set(doubtful.map { regions[$0].kind })
    if kinds == [.ours] || kinds == [.theirs] {
      let entries = UpcomingEntries(
        texts: texts, releaser: kinds == [.ours] ? .theirs : .ours,
        logs: MergeSides(base: nil, ours: ours, theirs: theirs))
      if let moved = entries.moved(doubtful, in: regions) { return moved }
    }
    var checked = regions
    for index in doubtful {
      let isOurs = adds(.ours, in: regions[index])
      let (adder, releaser) = isOurs ? (labels.ours, labels.theirs) : (labels.theirs, labels.ours)
      checked[index] = regions[index].clashing(with: regions[index])
      checked[index].reason =
        "This was added by \(adder) to unreleased changes, which \(releaser) released."
    }
    return checked
  }

  /// Returns whether a side adds lines to the upcoming changes at a place that is released on the other side.
  private func adds(_ side: MergeSide, in region: TextRegion) -> Bool {
    let isOurs = side == .ours
    let (lines, place) = isOurs ? (region.ours, region.theirs) : (region.theirs, region.ours)
    let (log, other) = isOurs ? (ours, theirs) : (theirs, ours)
    return lines.count > region.base.count && !log.hasHeading(in: lines)
      && log.isUpcoming(before: lines.lowerBound) == true
      && other.isUpcoming(before: place.lowerBound) == false
      && !areLinkTargets(lines, of: isOurs ? texts.ours : texts.theirs)
  }

  /// Returns whether lines are only link targets, which don't belong to a release.
  private func areLinkTargets(_ lines: Range<Int>, of text: TextLines) -> Bool {
    lines.allSatisfy { number in
      let line = text[number]
      return line.allSatisfy(\.isSpace) || line.starts(with: ".. _".utf8)
        || line.first == UInt8(ascii: "[") && line.range(of: Array("]:".utf8)) != nil
    }
  }
}
