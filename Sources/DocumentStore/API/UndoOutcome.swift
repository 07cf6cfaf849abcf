internal import DocumentGit
public import Foundation

/// What undoing did.
public struct UndoOutcome: Sendable {
  /// The document, where it is now: its former name may have come back.
  public let document: URL
  /// The version that the undone operation had made; nil where it had only removed contents.
  public let undone: FileVersion?
  /// The versions whose contents are back on this device.
  public let broughtBack: [FileVersion]
  /// The current version afterwards.
  public let version: FileVersion
  /// The unresolved conflict versions afterwards.
  public let conflicts: [FileVersion]
  /// The version that the document’s unsaved edits became first; nil where there were none.
  public let keptEdits: FileVersion?
}

extension VersionStore {
  /// Takes back the last operation on a document, where that was one that is easily done by mistake:
  /// resolving a conflict or marking it as resolved, restoring, deleting, renaming, removing or thinning.
  ///
  /// | the last operation | undoing it |
  /// | --- | --- |
  /// | removed or thinned versions | puts their contents back, until the trash was collected |
  /// | restored, deleted or renamed | makes a version with the contents and the name from before |
  /// | settled a conflict | makes the conflict unresolved again, on every device after the next exchange |
  ///
  /// Nothing that was made is taken away: what was undone stays in the history, and what another device made
  /// from it meanwhile becomes one more conflict version. A document with unsaved edits keeps
  /// them: they become a version first, or stay in the document where a conflict opens again.
  ///
  /// What was undone is not done again by undoing a second time.
  ///
  /// - Throws: ``VersionError`` with code `nothingToUndo` where the last operation is another one, such as a
  ///   save, and `contentsNotLocal` where contents that are needed are not on this device any more.
  @discardableResult
  public func undo(_ document: URL) throws -> UndoOutcome {
    let (former, isRenamed, undone, broughtBack, kept) = try changing(document) { store in
      let operation = try store.lastOperation()
      // What somebody renamed since keeps its name, unless that is what is undone.
      let isRenamed = try operation.record?.facts.kind != .rename && store.isRenamed
      let back = try store.contentsBack(from: operation)
      let kept = isDryRun ? nil : try store.undo(operation)
      return (store.location.url, isRenamed, operation.record?.id, back, kept?.id)
    }
    // The version from before may have another name.
    let place =
      isDryRun || isRenamed ? former : try followWinnersName(DocumentLocation(of: former)).url
    return try reading(place) { store in
      func versions(_ ids: some Sequence<ObjectID>) throws -> [FileVersion] {
        try ids.map { try store.version($0, for: self) }.sorted { $0.savingDate > $1.savingDate }
      }
      let heads = try store.divergentHeads().map(\.record.id)
      return UndoOutcome(
        document: place, undone: try undone.map { try store.version($0, for: self) },
        broughtBack: try versions(broughtBack), version: try store.currentVersion(for: self),
        conflicts: try versions(heads.dropFirst()),
        keptEdits: try kept.map { try store.version($0, for: self) })
    }
  }
}
