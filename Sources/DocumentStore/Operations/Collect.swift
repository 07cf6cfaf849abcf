internal import DocumentFiles
internal import DocumentGit
public import Foundation
internal import SystemPackage

extension VersionStore {
  /// What collecting did.
  public struct CollectOutcome: Sendable {
    /// Bytes of the document's store before.
    public let bytesBefore: Int
    /// Bytes of the document's store afterwards; in a dry run the same as before.
    public let bytesAfter: Int
    /// How many objects are kept: contents, folders, records.
    public let objects: Int
    /// How many removals cannot be undone any more.
    public let forgottenRemovals: Int
  }

  /// Stores a document's versions as compactly as possible, and lets go of what was removed long enough ago.
  ///
  /// Everything that is kept is read, checked and read back before anything goes: a damaged store is left as
  /// it is. Until a removal is older than the grace time it can be undone with ``undelete(_:of:)``; one that holds
  /// versions that were lost stays, because a repair can bring them back. Afterwards the
  /// copies go, too, that were handed out as a version's `url`.
  ///
  /// - Parameters:
  ///   - document: a document with versions.
  ///   - grace: how long removed contents are kept, in seconds; 14 days by default, for ever where it is infinite or no
  ///     number.
  /// - Throws: ``VersionError`` with code `damaged` if something that a version needs is missing, and
  ///   `CancellationError`; then nothing was removed but what has expired.
  @discardableResult
  public func collect(
    _ document: URL, grace: Double = 14 * 86_400
  ) throws -> CollectOutcome {
    let grace = grace.isNaN ? .infinity : grace
    return try changing(document) { store in
      let limit = grace > 0 ? clock().addingTimeInterval(-grace).milliseconds : .max
      let expired = try store.removals(until: limit)
      let before = try Folder.size(of: store.location.store)
      if isDryRun {
        let plan = try CollectionPlan.make(for: store)
        return CollectOutcome(
          bytesBefore: before, bytesAfter: before, objects: plan.count,
          forgottenRemovals: expired.count)
      }
      for (name, target) in expired.flatMap(\.references) {
        try store.repository.deleteReference(name, expecting: target)
      }
      // Before anything goes that they lead to.
      if !expired.isEmpty { try store.repository.synchronizeReferences(below: TrashGroup.prefix) }
      let plan = try CollectionPlan.make(for: store)
      if store.meter.isWatched {
        store.meter.expect(2 * (try plan.all.reduce(0) { try $0 + store.repository.size(of: $1) }))
      }
      // Nobody but git can be about to refer to something that nothing leads to: a day is long enough.
      try store.repository.repack(plan, keepingUnreachableFor: Int(max(0, min(86_400, grace)))) {
        try store.meter.advance($0)
      }
      try store.restartLedger()
      try store.removeCopiesOfRemoved()
      return CollectOutcome(
        bytesBefore: before, bytesAfter: try Folder.size(of: store.location.store),
        objects: plan.count, forgottenRemovals: expired.count)
    }
  }
}

extension OpenStore {
  /// The folder of the copies that were handed out of versions.
  var copies: FilePath { location.store.appending("checkouts") }

  /// Removes the copies of versions whose contents are not here any more, and can't be brought back.
  ///
  /// Only once the store was found whole: a repair takes what is lost from them.
  fileprivate func removeCopiesOfRemoved() throws {
    guard try FileStatus.of(copies)?.kind == .folder else { return }
    let kept = try Set(rail().keys).union(removedContents().keys)
    for name in try Folder.names(in: copies) {
      guard let id = ObjectID(hexadecimal: name), !kept.contains(id) else { continue }
      try Folder.removeTree(copies.appending(bytes: name))
    }
  }
}
