internal import DocumentFiles
internal import DocumentGit
internal import Foundation
internal import SystemPackage

/// The result of collecting.
package struct CollectOutcome: Sendable {
  /// Bytes of the document's store before.
  package let bytesBefore: Int
  /// Bytes of the document's store afterward; in a dry run the same as before.
  package let bytesAfter: Int
  /// The number of objects that are kept: contents, folders, records.
  package let objects: Int
  /// The number of removals that cannot be undone any more.
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
      // What it rests on is kept small by each exchange.
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
    // Only git can be about to refer to something that nothing leads to: a day is long enough.
    let unreachable = Int(max(0, min(86_400, grace / .seconds(1))))
    try writer.repack(plan, keepingUnreachableFor: unreachable)
    try writer.restartLedger()
    try removeCopiesOfRemoved(in: reader)
    return plan
  }

  /// Removes the copies of versions whose contents are not here any more, and can't be brought back.
  ///
  /// Only once the store was found whole: a repair takes what is lost from them.
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
  /// Drops removals: contents to which only they lead are not reachable any more.
  fileprivate func forget(_ groups: [TrashGroup]) throws {
    for (name, target) in groups.flatMap(\.references) {
      try reader.objects.repository.deleteReference(name, expecting: target)
    }
    // Before anything goes that they lead to.
    if !groups.isEmpty {
      try reader.objects.repository.synchronizeReferences(below: TrashGroup.prefix)
    }
  }

  /// Packs all objects again.
  ///
  /// - Parameter seconds: from what age on objects go that nothing leads to.
  fileprivate func repack(_ plan: RepackPlan, keepingUnreachableFor seconds: Int) throws {
    try reader.objects.repository.repack(plan, keepingUnreachableFor: seconds) {
      try reader.meter.advance($0)
    }
  }
}
