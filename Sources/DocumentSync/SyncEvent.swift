internal import DocumentFiles
public import DocumentStore
public import DocumentTransport
public import Foundation

/// An event of a continuous sync; see ``VersionStore/syncs(of:with:access:interval:preparing:)``.
public enum SyncEvent: Sendable {
  /// Everything was exchanged.
  case finished(ExchangeOutcome)
  /// A sync failed, and is retried after some time.
  case failed(any Error, retryAfter: Duration)
}

extension VersionStore {
  /// Syncs a container continuously: after each version saved on this device, and from time to time.
  ///
  /// At first, the remote is asked after every interval; if nothing arrives, the pauses grow up to ten intervals. After
  /// a failure, the sync is retried sooner, and then after increasing pauses. The times vary a little, so that devices
  /// don't all connect at once.
  ///
  /// - Parameters:
  ///   - container: a folder with documents, or a folder inside it.
  ///   - name: the name of the remote; `nil` for the one that was added first.
  ///   - access: how to reach the server.
  ///   - interval: the time between two syncs while versions arrive.
  ///   - prepare: called before each sync, for example to save edits; with it, no pause is longer than the interval.
  /// - Returns: the events, until the task that reads them is canceled. The stream throws if the container or remote
  ///   doesn't exist.
  public func syncs(
    of container: URL, with name: String? = nil, access: RemoteAccess = RemoteAccess(),
    interval: Duration = .seconds(60), preparing prepare: (@Sendable () async -> Void)? = nil
  ) -> AsyncThrowingStream<SyncEvent, any Error> {
    TaskStream<SyncEvent> { continuation in
      let watch = try await SyncWatch(self, of: container, with: name, interval: interval)
      try await watch.run(access, preparing: prepare) { continuation.yield($0) }
    }.stream
  }
}
