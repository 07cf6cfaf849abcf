internal import DocumentConflicts
internal import DocumentCoordination
internal import DocumentFiles
internal import DocumentStore
internal import Foundation
internal import SystemPackage

/// The conflicts in a watched folder: those that leave no question are merged, once their documents have settled.
struct WatchMerging {
  private let merges: CleanMerges
  private let report: @Sendable (WatchEvent) -> Void
  /// The documents whose conflicts are looked at next.
  private var documents: Set<FilePath> = []
  /// The documents of which it was reported that their conflicts take a decision.
  private var asked: Set<FilePath> = []

  init(_ watcher: FolderWatcher, _ report: @escaping @Sendable (WatchEvent) -> Void) {
    merges = CleanMerges(
      in: watcher.store, engines: watcher.engines,
      coordinator: FileCoordinator(forStoreWaiting: watcher.store.environment.lockSeconds))
    self.report = report
  }

  /// Takes note of documents that are in a conflict.
  mutating func touch(_ documents: [URL]) throws {
    for document in documents { self.documents.insert(try document.filePath) }
  }

  /// When those that could not be merged are looked at again; nil if there are none.
  var nextDue: ContinuousClock.Instant? { documents.isEmpty ? nil : .now + .seconds(2) }

  /// Merges what leaves no question.
  ///
  /// - Parameter isBusy: whether a document is being written: it is looked at again a little later.
  /// - Returns: whether there are new versions.
  mutating func mergeDue(unless isBusy: (FilePath) throws -> Bool) async throws -> Bool {
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
        // It has gone meanwhile.
      } catch  where error.isWorthAnotherTry {
        documents.insert(document)
      } catch {
        report(.failed(url, error))
      }
    }
    if !merged.isEmpty { report(.merged(merged)) }
    return !merged.isEmpty && !merges.store.isDryRun
  }
}
