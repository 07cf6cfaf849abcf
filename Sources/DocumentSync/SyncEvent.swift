internal import DocumentFiles
public import DocumentStore
public import DocumentTransport
public import Foundation

/// A report of a sync that goes on: see ``VersionStore/syncs(of:with:access:interval:preparing:)``.
public enum SyncEvent: Sendable {
  /// Everything was exchanged.
  case finished(ExchangeOutcome)
  /// It failed, and is tried again after some time.
  case failed(any Error, retryAfter: Duration)
}

extension VersionStore {
  /// Syncs a container again and again: when a version was saved on this device, and from time to time.
  ///
  /// The remote is asked at first every interval, and where nothing arrives less and less often, down to ten times as
  /// seldom; after a failure it is tried again sooner and then ever later. The times vary a little, so that devices do not
  /// all come at once.
  ///
  /// - Parameters:
  ///   - container: a folder with documents, or one inside it.
  ///   - name: the remote; nil for the one that was added first.
  ///   - access: how the server is reached.
  ///   - interval: the time between two syncs while something arrives.
  ///   - prepare: called before each sync, as to save what was edited; then no time is longer than the interval.
  /// - Returns: the reports, until the task that reads them is cancelled. It throws where there is no such container or
  ///   remote.
  public func syncs(
    of container: URL, with name: String? = nil, access: RemoteAccess = RemoteAccess(),
    interval: Duration = .seconds(60), preparing prepare: (@Sendable () async -> Void)? = nil
  ) -> AsyncThrowingStream<SyncEvent, any Error> {
    AsyncThrowingStream { continuation in
      let task = Task {
        do {
          let watch = try await SyncWatch(self, of: container, with: name, interval: interval)
          try await watch.run(access, preparing: prepare) { continuation.yield($0) }
          continuation.finish()
        } catch is CancellationError {
          continuation.finish()
        } catch {
          continuation.finish(throwing: error)
        }
      }
      continuation.onTermination = { _ in task.cancel() }
    }
  }
}
