/// Finds entries of a change log that a merge would put under a release, though they are not released.
///
/// One side released what was yet to come, the other one added an entry to it: lines put the entry where its neighbours
/// are, in the release that is out.
struct UpcomingChanges {
  private let ours: ChangeLog
  private let theirs: ChangeLog

  /// Reads three texts.
  /// - Returns: `nil` if they are no change logs with something yet to be released.
  init?(_ texts: MergeSides<TextLines>) {
    guard let base = texts.base.map(ChangeLog.init), base.hasUpcoming else { return nil }
    let (ours, theirs) = (ChangeLog(texts.ours), ChangeLog(texts.theirs))
    guard ours.hasReleased || theirs.hasReleased else { return nil }
    (self.ours, self.theirs) = (ours.only(headingsOf: base), theirs.only(headingsOf: base))
  }

  /// The regions, with those as a clash that would put new entries under a release.
  func checked(_ regions: [TextRegion]) -> [TextRegion] {
    regions.map { region in
      let isReleased =
        switch region.kind {
        case .ours: adds(region.ours, ours, region, theirs, at: region.theirs)
        case .theirs: adds(region.theirs, theirs, region, ours, at: region.ours)
        case .combined:
          adds(region.ours, ours, region, theirs, at: region.theirs)
            || adds(region.theirs, theirs, region, ours, at: region.ours)
        case .same, .clash, nil: false
        }
      return isReleased ? region.clashing(with: region) : region
    }
  }

  /// Returns whether a side adds lines to what is yet to come, at a place that is released on the other side.
  private func adds(
    _ lines: Range<Int>, _ side: ChangeLog, _ region: TextRegion, _ other: ChangeLog,
    at place: Range<Int>
  ) -> Bool {
    lines.count > region.base.count && !side.hasHeading(in: lines)
      && side.isUpcoming(before: lines.lowerBound) == true
      && other.isUpcoming(before: place.lowerBound) == false
  }
}
