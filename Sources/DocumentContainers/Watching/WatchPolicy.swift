package import DocumentStore

/// How a folder is watched.
package struct WatchPolicy: Sendable {
  /// How long a document is left alone before it is saved; seconds of at least one.
  package var pause: Duration
  /// The time between two syncs with each remote while nothing is saved.
  package var syncInterval: Duration
  /// The bytes of the largest file that becomes a document by itself.
  package var largestNewFile: Int
  /// What is kept of the versions that the watcher made itself; nil to keep all.
  package var retention: RetentionPolicy?

  /// A version when editing pauses for two minutes; of these, all of a day, then one an hour, a day and a week are kept.
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
