/// The times to retry failed work: after twice as long each time.
struct BackOff {
  private let first: Duration
  private let longest: Duration
  private var failures = 0
  /// The time of the next attempt; nil if the last one didn't fail.
  private(set) var next: ContinuousClock.Instant?

  init(from first: Duration = .seconds(5), to longest: Duration = .seconds(300)) {
    (self.first, self.longest) = (first, longest)
  }

  /// Returns whether the next attempt is due.
  func isDue(at now: ContinuousClock.Instant) -> Bool { next.map { $0 <= now } ?? true }

  /// Records a failed attempt.
  ///
  /// - Returns: whether it is the first failure in a row.
  @discardableResult
  mutating func fail(at now: ContinuousClock.Instant) -> Bool {
    next = now + min(first * (1 << min(failures, 20)), longest)
    failures += 1
    return failures == 1
  }

  /// Records a successful attempt.
  mutating func succeed() { (failures, next) = (0, nil) }
}
