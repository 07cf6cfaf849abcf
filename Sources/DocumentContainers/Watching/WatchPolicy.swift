package import DocumentStore

/// A policy for watching a folder.
package struct WatchPolicy: Sendable {
  /// The time without changes after which a document is saved; at least one second.
  package var pause: Duration
  /// The time between two syncs with each remote while nothing is saved.
  package var syncInterval: Duration
  /// The size in bytes of the largest file that becomes a document automatically.
  package var largestNewFile: Int
  /// The retention of versions that the watcher made itself; nil to keep all.
  package var retention: RetentionPolicy?

  /// Creates a policy that saves when editing pauses for two minutes.
  ///
  /// It keeps all versions of a day, then one per hour, per day and per week.
  package init() {
    pause = .seconds(120)
    syncInterval = .seconds(60)
    largestNewFile = 50 << 20
    var retention = RetentionPolicy(within: RetentionSpan(days: 1))
    retention.spans[.hour] = RetentionSpan(days: 7)
    retention.spans[.day] = RetentionSpan(months: 2)
    retention.spans[.week] = RetentionSpan(years: 2)
    retention.counts[.month] = 240
    self.retention = retention
  }
}
