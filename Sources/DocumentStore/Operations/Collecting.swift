internal import DocumentFiles
internal import DocumentGit
internal import Foundation
internal import SystemPackage

/// The result of collecting a document's store.
package struct CollectOutcome: Sendable {
  /// The size of the document's store before, in bytes.
  package let bytesBefore: Int
  /// The size of the document's store afterward, in bytes; in a dry run, the same as before.
  package let bytesAfter: Int
  /// The number of kept objects: contents, folders and records.
  package let objects: Int
  /// The number of removals that can no longer be undone.
  package let forgottenRemovals: Int
}

/// Stores versions compactly, and drops contents that were removed long enough ago.
struct Collecting {
  let environment: StoreEnvironment

  init(_ environment: StoreEnvironment) {
    self.environment = environment
  }

  /// Collects a document's store; see ``VersionStore/collect(_:grace:)``.
  func collect(_ document: URL, grace: Duration) throws -> CollectOutcome {
    let location = try DocumentLocation(of: document)
    if let resting = try RestingDocuments.document(of: location) {
      // Exchanges compact the copy or shelf that it rests on.
      return CollectOutcome(
        bytesBefore: 0, bytesAfter: 0, objects: resting.contents.count + resting.versions,
        forgottenRemovals: 0)
    }
    return try environment.changing(document) { reader in
      let age = grace / .seconds(1)
      let limit =
        grace > .zero ? environment.clock().addingTimeInterval(-age).milliseconds : .max
      let expired = try reader.trash.removals(until: limit)
      let before = try Folder.size(of: reader.location.store)
      func outcome(_ plan: RepackPlan, after: Int) -> CollectOutcome {
        CollectOutcome(
          bytesBefore: before, bytesAfter: after, objects: plan.count,
          forgottenRemovals: expired.count)
      }
      return StorePlan(preview: outcome(try CollectionPlan.make(for: reader), after: before)) {
        let plan = try collect(expired, grace: grace, by: $0)
        return outcome(plan, after: try Folder.size(of: reader.location.store))
      }
    }
  }

  private func collect(
    _ expired: [TrashGroup], grace: Duration, by writer: borrowing StoreWriter
  ) throws -> RepackPlan {
    let reader = writer.reader
    try writer.forget(expired)
    let disposable = try reader.disposableVersions()
    if !disposable.isEmpty {
      var plan = try reader.chain.plan()
      plan.remove(disposable)
      try writer.rewriteChain(plan, keepingTrash: false)
    }
    let plan = try CollectionPlan.make(for: reader)
    if reader.meter.isWatched {
      reader.meter.expect(
        2 * (try plan.all.reduce(0) { try $0 + reader.objects.repository.size(of: $1) }))
    }
    // Only git may be about to refer to an unreachable object; a day is long enough for that.
    let unreachable = Int(max(0, min(86_400, grace / .seconds(1))))
    try writer.repack(plan, keepingUnreachableFor: unreachable)
    try writer.restartLedger()
    try removeCopiesOfRemoved(in: reader)
    return plan
  }

  /// Removes the copies of versions whose contents are gone and can't be restored.
  ///
  /// This happens only after the store was found intact, because a repair uses the copies to restore lost
  /// contents.
  private func removeCopiesOfRemoved(in reader: StoreReader) throws {
    let copies = StoreFile.checkouts.path(in: reader.location.store)
    guard try FileStatus.of(copies)?.kind == .folder else { return }
    let kept = try Set(reader.chain.contents().keys).union(reader.trash.removedContents().keys)
    for name in try Folder.names(in: copies) {
      guard let id = ObjectID(hexadecimal: name), !kept.contains(id) else { continue }
      try Folder.removeTree(copies.appending(bytes: name))
    }
  }
}

extension StoreWriter {
  /// Drops removals, after which the contents that only they lead to are unreachable.
  fileprivate func forget(_ groups: [TrashGroup]) throws {
    for (name, target) in groups.flatMap(\.references) {
      try reader.objects.repository.references.delete(name, expecting: target)
    }
    // Before anything is removed that they lead to.
    if !groups.isEmpty {
      try reader.objects.repository.references.synchronize(below: TrashGroup.prefix)
    }
  }

  /// Repacks all objects.
  ///
  /// - Parameter seconds: the age from which unreachable objects are dropped.
  fileprivate func repack(_ plan: RepackPlan, keepingUnreachableFor seconds: Int) throws {
    try reader.objects.repository.repack(plan, keepingUnreachableFor: seconds) {
      try reader.meter.advance($0)
    }
  }
}
