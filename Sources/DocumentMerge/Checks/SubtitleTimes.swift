internal import Foundation

/// Asks about a subtitle that starts before the end of the one above it, if no side has the two so.
struct SubtitleTimes: MergeCheck {
  func doubts(about merge: CleanMerge) -> [MergeDecision] {
    let known = merge.texts.all.reduce(into: Set<String>()) { $0.formUnion(overlaps(in: $1)) }
    return overlaps(in: merge.result).filter { !known.contains($0) }.map {
      .doubt("With both changes, a subtitle starts before the end of the one above it: \($0).")
    }
  }

  /// Returns the times of subtitles, each with those of the next one, that are out of order.
  private func overlaps(in text: TextLines) -> [String] {
    let times = (0..<text.count).map(text.line).filter { $0.has(" --> ") }
    return zip(times, times.dropFirst()).compactMap { time, next in
      guard let end = seconds(time.split(separator: " ").dropFirst(2).first),
        let start = seconds(next.split(separator: " ").first), start < end
      else { return nil }
      return "\(time), \(next)"
    }
  }

  /// Returns a time such as `00:01:02,500` in seconds; `nil` if it isn't one.
  private func seconds(_ time: Substring?) -> Double? {
    guard let time else { return nil }
    return time.replacing(",", with: ".").split(separator: ":").reduce(0 as Double?) { sum, part in
      sum.flatMap { sum in Double(part).map { sum * 60 + $0 } }
    }
  }
}
