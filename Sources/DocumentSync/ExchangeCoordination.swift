internal import DocumentCoordination
internal import DocumentFiles
internal import DocumentStore
internal import Foundation
internal import SystemPackage

/// The accesses of an exchange to documents that programs have open.
struct ExchangeCoordination {
  private let container: ReplicatedContainer

  init(_ container: ReplicatedContainer) { self.container = container }

  /// Asks programs to save their unsaved changes.
  ///
  /// A program that doesn't answer or can't save doesn't stop the exchange: its changes are saved
  /// later, and take part then.
  func askToSave() throws {
    let folder = URL(filePath: container.folder.string)
    do {
      try coordinator.askToSave(in: folder, isCancelled: isCancelled)
    } catch is CoordinationError {}
  }

  /// Applies arrived versions to a document while no other program uses it; without arrived
  /// versions, the document stays as it is.
  ///
  /// - Returns: the result; a document that a program doesn't relinquish is left for a later exchange.
  func receiving(
    _ arrival: ArrivedVersions, for document: ReplicatedContainer.Entry,
    _ body: () throws -> ReplicatedContainer.Outcome
  ) throws -> ReplicatedContainer.Outcome {
    guard !arrival.heads.isEmpty else { return try body() }
    let path = container.folder.appending(document.path)
    let url = URL(filePath: path.string)
    do {
      return try coordinator.perform(
        with: [.writingIntent(with: url, options: .forMerging)], isCancelled: isCancelled
      ) { moved in
        do { try FileUse.check(path) } catch {
          return (DocumentExchange(document: url, failure: error), nil)
        }
        let outcome = try body()
        try moved(url, outcome.result.document)
        return outcome
      }
    } catch let error as CancellationError {
      throw error
    } catch {
      return (DocumentExchange(document: url, failure: error), nil)
    }
  }

  /// Notifies programs that show a folder of new documents in it.
  func announce(_ documents: [URL]) {
    do { try coordinator.announce(documents) } catch {
      // The documents exist even if the notification fails.
    }
  }

  private var coordinator: FileCoordinator {
    FileCoordinator(forStoreWaiting: container.lockTimeout)
  }

  private var isCancelled: @Sendable () -> Bool {
    { [progress = container.progress] in progress?.isCancelled == true }
  }
}
