import Foundation
import Synchronization
import Testing

/// Which cases meet the program itself: to start it takes longer than everything that it then does.
enum Sample {
  static let isFull = ProcessInfo.processInfo.environment["DOCVERSIONS_FAULTS"] == "full"
  private static let taken = Mutex<Set<String>>([])

  /// Whether this case does: the first one that comes here from a place in a test; all of them with
  /// `DOCVERSIONS_FAULTS=full`.
  static func isTaken(at place: SourceLocation) -> Bool {
    taken.withLock { $0.insert("\(place.fileID):\(place.line)").inserted } || isFull
  }
}
