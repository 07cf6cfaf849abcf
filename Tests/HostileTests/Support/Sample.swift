import DocumentTestSupport
import Synchronization
import Testing

/// Which cases meet the program itself: to start it takes longer than everything that it then does.
enum Sample {
  private static let taken = Mutex<Set<String>>([])

  /// All pairs.
  static func pairs<First, Second>(
    _ first: [First], _ second: [Second]
  ) -> [(first: First, second: Second)] {
    first.flatMap { one in second.map { (one, $0) } }
  }

  /// Whether this case does: the first one that comes here from a place in a test; all of them in the full mode.
  static func isTaken(at place: SourceLocation) -> Bool {
    taken.withLock { $0.insert("\(place.fileID):\(place.line)").inserted } || TestMode.isFull
  }
}
