internal import DocumentConflicts
internal import DocumentCoordination
internal import DocumentFiles
internal import DocumentStore
internal import Foundation
internal import SystemPackage

/// The conflicts in a watched folder; those that leave no question are merged once their documents have
/// settled.
struct WatchMerging {
  private let merges: CleanMerges
  private let report: @Sendable (WatchEvent) -> Void
  /// The documents whose conflicts are checked next.
  private var documents: Set<FilePath> = []
  /// The documents whose conflicts were reported as needing a decision.
  private var asked: Set<FilePath> = []

  init(_ watcher: FolderWatcher, _ report: @escaping @Sendable (WatchEvent) -> Void) {
    merges = CleanMerges(
      in: watcher.store, engines: watcher.engines,
      coordinator: FileCoordinator(forStoreWaiting: watcher.store.environment.lockSeconds))
    self.report = report
  }

  /// Records documents that are in conflict.
  mutating func touch(_ documents: [URL]) throws {
    for document in documents { self.documents.insert(try document.filePath) }
  }

  /// The time when unmerged documents are checked again; nil if there are none.
  var nextDue: ContinuousClock.Instant? { documents.isEmpty ? nil : .now + .seconds(2) }

  /// Merges the conflicts that leave no question.
  ///
  /// - Parameter isBusy: returns whether a document is being written; such a document is checked again a
  ///   little later.
  /// - Returns: the new versions.
  mutating func mergeDue(
    unless isBusy: (FilePath) throws -> Bool
  ) async throws -> [FileVersion] {
    var merged: [FileVersion] = []
    for document in documents.sorted(by: { $0.string < $1.string }) {
      guard try !isBusy(document) else { continue }
      documents.remove(document)
      let url = URL(filePath: document.string)
      do {
        switch try await merges.merge(url) {
        case .resolved(let resolution):
          merged.append(resolution.version)
          asked.remove(document)
        case .unresolved where asked.insert(document).inserted: report(.undecided(url))
        case .unresolved: break
        case .noConflict: asked.remove(document)
        }
      } catch let error as CancellationError {
        throw error
      } catch let error as FileError where error.code == .notFound {
        // The document has disappeared in the meantime.
      } catch  where error.isWorthAnotherTry {
        documents.insert(document)
      } catch {
        report(.failed(url, error))
      }
    }
    if !merged.isEmpty { report(.merged(merged)) }
    return merges.store.isDryRun ? [] : merged
  }
}
