/// When to try again what has failed: after twice as long each time.
struct BackOff {
  private let first: Duration
  private let longest: Duration
  private var failures = 0
  /// When to try again; nil if the last attempt did not fail.
  private(set) var next: ContinuousClock.Instant?

  init(from first: Duration = .seconds(5), to longest: Duration = .seconds(300)) {
    (self.first, self.longest) = (first, longest)
  }

  /// Returns whether it is time.
  func isDue(at now: ContinuousClock.Instant) -> Bool { next.map { $0 <= now } ?? true }

  /// Takes note that an attempt has failed.
  ///
  /// - Returns: whether it is the first of a row.
  @discardableResult
  mutating func fail(at now: ContinuousClock.Instant) -> Bool {
    next = now + min(first * (1 << min(failures, 20)), longest)
    failures += 1
    return failures == 1
  }

  /// Takes note that an attempt has succeeded.
  mutating func succeed() { (failures, next) = (0, nil) }
}
