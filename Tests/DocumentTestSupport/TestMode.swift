internal import Foundation

/// The thoroughness of the tests.
///
/// | variable | |
/// | --- | --- |
/// | `DOCVERSIONS_FAULTS` | `full`: everything, on disk, for hours; otherwise a selection for everyday changes |
/// | `DOCVERSIONS_MERGE_CASES` | the number of random merges of each kind |
/// | `DOCVERSIONS_MODEL_SEEDS` | the number of random stories, and `DOCVERSIONS_MODEL_FIRST_SEED` the first of them |
public enum TestMode {
  /// True if everything is tested.
  public static let isFull = ProcessInfo.processInfo.environment["DOCVERSIONS_FAULTS"] == "full"

  /// A value that depends on the mode.
  public static func pick<Value>(short: Value, full: Value) -> Value { isFull ? full : short }

  /// Returns the seeds of random stories: `DOCVERSIONS_MODEL_SEEDS=1000` plays more, and
  /// `DOCVERSIONS_MODEL_FIRST_SEED` sets the first one.
  public static func stories(short: Int, full: Int) -> Range<Int> {
    let environment = ProcessInfo.processInfo.environment
    let first = environment["DOCVERSIONS_MODEL_FIRST_SEED"].flatMap(Int.init) ?? 0
    let count = environment["DOCVERSIONS_MODEL_SEEDS"].flatMap(Int.init)
    return first..<(first + (count ?? pick(short: short, full: full)))
  }

  /// Returns some of many similar cases, evenly spaced; all of them in the full mode.
  ///
  /// - Parameter row: a name, so that different tests select different cases.
  public static func some<Case>(
    of cases: [Case], atMost count: Int, row: String = ""
  ) -> [Case] {
    guard !isFull, cases.count > count else { return cases }
    let shift = number(of: row)
    return (0..<count).map { cases[(shift + $0 * cases.count / count) % cases.count] }
  }

  /// Returns a number that is the same in every run.
  private static func number(of name: String) -> Int {
    name.utf8.reduce(0) { ($0 &* 31 &+ Int($1)) % 997 }
  }
}
