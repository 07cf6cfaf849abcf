import DocumentTestSupport
import Synchronization
import Testing

/// The selection of cases that run the program itself, because starting it takes longer than all its work.
enum Sample {
  private static let taken = Mutex<Set<String>>([])

  /// All pairs.
  static func pairs<First, Second>(
    _ first: [First], _ second: [Second]
  ) -> [(first: First, second: Second)] {
    first.flatMap { one in second.map { (one, $0) } }
  }

  /// Returns whether a case is selected: the first one from each place in a test, or all of them in the full
  /// mode.
  static func isTaken(at place: SourceLocation) -> Bool {
    taken.withLock { $0.insert("\(place.fileID):\(place.line)").inserted } || TestMode.isFull
  }
}
