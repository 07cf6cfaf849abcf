public import Foundation
internal import Synchronization

/// A clock that stands still until it is moved.
public final class FixedClock: Sendable {
  private let seconds: Mutex<Double>

  /// Creates a clock that shows noon of a day in November 2026, in UTC.
  public init() {
    seconds = Mutex(1_795_262_400)
  }

  /// The time that the clock shows.
  public var now: Date {
    Date(timeIntervalSince1970: seconds.withLock { $0 })
  }

  /// Moves the clock, backwards for a negative number.
  public func advance(bySeconds step: Double) {
    seconds.withLock { $0 += step }
  }
}
