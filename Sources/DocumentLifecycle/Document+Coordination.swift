public import DocumentCoordination
public import Foundation

/// Coordination with other programs: the document is a presenter (UD32), and its own accesses are coordinated.
///
/// It saves before another program reads or merges the file, closes before the file is deleted, and follows what was done.
/// These calls are for the coordinators of other programs; an app need not make them.
extension Document: FilePresenter {
  /// Where the document is.
  public var presentedItemURL: URL? { fileURL }

  /// Saves what is only in memory, before another program reads or merges the file (UL7).
  @MainActor public func savePresentedItemChanges() async throws {
    guard isOpen, hasUnsavedChanges, !isReadOnly else { return }
    try await save(to: fileURL, for: .autosaving)
  }

  /// Closes the document, which is about to be deleted; what was edited becomes a version first.
  @MainActor public func accommodatePresentedItemDeletion() async throws {
    guard isOpen else { return }
    try await keepEdits()
    try await lane.run { [self] in await didClose() }
  }

  /// Follows the document to the place where another program has moved it.
  @MainActor public func presentedItemDidMove(to url: URL) async {
    do {
      try await lane.run { [self] in
        guard isOpen else { return }
        if try await file.followMove(to: url) { await observe() }
      }
    } catch {
      report(error)
    }
  }

  /// Shows what another program has written.
  @MainActor public func presentedItemDidChange() async { await check([.file]) }
}
