import Foundation
import Synchronization
import Testing

/// Which cases are tried, and which of these meet the program itself: to start it takes longer than everything that it
/// then does.
enum Sample {
  static let isFull = ProcessInfo.processInfo.environment["DOCVERSIONS_FAULTS"] == "full"
  private static let taken = Mutex<Set<String>>([])

  /// Some cases of many that are alike, evenly apart; all of them with `DOCVERSIONS_FAULTS=full`.
  static func of<Case>(_ cases: [Case], atMost count: Int) -> [Case] {
    guard !isFull, cases.count > count else { return cases }
    return (0..<count).map { cases[$0 * cases.count / count] }
  }

  /// All pairs.
  static func pairs<First, Second>(
    _ first: [First], _ second: [Second]
  ) -> [(first: First, second: Second)] {
    first.flatMap { one in second.map { (one, $0) } }
  }

  /// Whether this case does: the first one that comes here from a place in a test; all of them with
  /// `DOCVERSIONS_FAULTS=full`.
  static func isTaken(at place: SourceLocation) -> Bool {
    taken.withLock { $0.insert("\(place.fileID):\(place.line)").inserted } || isFull
  }
}
