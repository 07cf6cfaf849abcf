internal import DocumentVersions
internal import Foundation

/// A continuous sync, with a line for each event.
struct SyncLog: Sendable {
  let place: URL
  let remote: Remote
  /// True if edited documents are saved before each sync.
  let saves: Bool
  /// The merging of conflicts that leave no question; `nil` if conflicts stay.
  let merging: CleanMerges?
  let isJSON: Bool

  /// A line in JSON: `{"error", "received", "retryAfter", "sent", "time"}`.
  private struct Line: Encodable {
    let time = Timestamp.textInSeconds(Date())
    let sent, received: Int
    @Nullable var error: String?
    @Nullable var retryAfter: Double?
  }

  /// Runs until a signal stops it.
  func run(_ store: SynchronousStore, _ access: RemoteAccess, every interval: Double) throws {
    write(
      "Syncing \(DocumentArgument(place).shown) with \(remote.name) (\(Printable.text(remote.address)))."
    )
    let progress = OperationProgress()
    var store = store
    store.progress = progress
    let versions = VersionStore(store)
    let prepare = saves ? saving(in: versions) : nil
    if let merging {
      // The documents in conflict at the start; later on, each sync reports them.
      let documents = try store.documentsInConflict(below: place) ?? []
      try AsyncWork.wait { try await merge(documents, by: merging) }
    }
    try AsyncWork.waitUntilStopped(progress) {
      for try await event in versions.syncs(
        of: place, with: remote.name, access: access, interval: .seconds(interval),
        preparing: prepare)
      {
        log(event)
        if let merging, case .finished(let outcome) = event {
          try await merge(outcome.documentsInConflict, by: merging)
        }
      }
    }
    write("Stopped.")
    try Console.check()
  }

  private func saving(in versions: VersionStore) -> @Sendable () async -> Void {
    { await save(in: versions) }
  }

  /// Saves edited documents; a failure doesn't affect the others.
  private func save(in versions: VersionStore) async {
    do {
      try await versions.perform { store in
        for document in try store.documentsToSave(below: place) {
          do { _ = try store.save(document) } catch {
            write("\(DocumentArgument(document).shown): \(CommandFailure(error).message)", .error)
          }
        }
      }
    } catch {
      write(CommandFailure(error).message, .error)
    }
  }

  /// Merges conflicts that leave no question; that is a save, which the next sync sends at once.
  private func merge(_ documents: [URL], by merges: CleanMerges) async throws {
    for document in documents {
      let shown = DocumentArgument(document).shown
      do {
        guard case .resolved = try await merges.merge(document) else { continue }
        write("Merged \(shown); no question was left.")
      } catch let error as CancellationError {
        throw error
      } catch {
        write("\(shown): \(CommandFailure(error).message)", .error)
      }
    }
  }

  private func log(_ event: SyncEvent) {
    switch event {
    case .finished(let outcome):
      for document in outcome.documents {
        if let failure = document.failure {
          write(
            "\(DocumentArgument(document.document).shown): \(CommandFailure(failure).message)",
            .error)
        }
      }
      guard outcome.sent + outcome.received > 0 else { return }
      if isJSON { return write(Line(sent: outcome.sent, received: outcome.received)) }
      write("Sent \(outcome.sent), received \(outcome.received): \(outcome.news)")
    case .failed(let error, let time):
      let seconds = time / .seconds(1)
      let failure = CommandFailure(error)
      if isJSON {
        return write(
          Line(sent: 0, received: 0, error: failure.message, retryAfter: seconds))
      }
      write("\(failure.sentences) Trying again in \(Int(seconds.rounded(.up))) s.", .error)
    }
  }

  private enum Kind { case news, error }

  private func write(_ text: String, _ kind: Kind = .news) {
    if isJSON {
      if kind == .error { write(Line(sent: 0, received: 0, error: text)) }
      return
    }
    Console.print("\(Timestamp.textInSeconds(Date()))  \(Printable.text(text))")
  }

  private func write(_ line: Line) {
    do {
      try Console.print(json: line)
    } catch {
      Console.complain("An answer can’t be written: \(error)")
    }
  }
}
